import { existsSync } from "node:fs";
import { basename, extname, join, resolve } from "node:path";
import { openCorpus } from "#corpus";
import { exitCodes, HopscopeError } from "#domain";
import { graphFolder, openGraph } from "#graph";
import {
	guessPhrases,
	type Phrases,
	phrasesOfGraph,
	phrasesYaml,
	readPhrases,
	readTables,
	tableKnowledge,
} from "#recipes";
import { openWorkspace, type Workspace, writeWhole } from "#store";
import { type CommonOptions, type Context, counted, locate, theOnlyKnowledge } from "./context.ts";
import { createStages } from "./progress.ts";

interface GraphSources extends CommonOptions {
	name?: string;
	knowledge?: string;
	/** Tables: a file or a folder. */
	graph?: string;
	phrases?: string;
	init?: boolean;
	/** A benchmark that is brought up to date: then `name` is that of its new version. */
	refresh?: string;
	force?: boolean;
	set?: string[];
}

/**
 * Makes what the template recipe reads: of tables a knowledge base with a graph, of phrases a setting. Gives the options
 * to go on with; undefined where the phrases were only to be written.
 */
export async function fromTables<Options extends GraphSources>(
	options: Options,
	context: Context,
): Promise<Options | undefined> {
	const workspace = openWorkspace(options.workspace);
	const { graph: path, phrases: file } = options;
	const given = file && !(options.init && !existsSync(file)) ? await readPhrases(file) : undefined;
	const tables = path === undefined ? undefined : await readTables(path, { signal: context.signal });
	if (options.init) {
		const phrases = tables ? guessPhrases(tables, given) : phrasesOfGraph(await graphOf(workspace, options), given);
		await initialise(phrases, options, context);
		return undefined;
	}
	if (!tables || path === undefined) return given ? withPhrases(options, given) : options;
	const { output, signal } = context;
	for (const { name, refused } of tables)
		for (const { row, reason } of refused.slice(0, 5)) output.say(`${name}, row ${row}: left out, ${reason}`);
	const phrases = guessPhrases(tables, given);
	const called = options.refresh === undefined ? options.name : undefined;
	const name = options.knowledge ?? called ?? basename(resolve(path), extname(path));
	const places = { corpus: workspace.corpus(name), knowledge: workspace.knowledge(name) };
	if (!options.force) await mustBeTables(name, { dir: places.corpus, tables: tables.map((table) => table.name) });
	const progress = createStages(output, "tables");
	const made = await tableKnowledge(tables, phrases, places, { name, signal, onProgress: progress.update });
	progress.end();
	const { counts } = made.graph;
	output.say(`${name}: ${counted(made.rows, "row")}, ${counted(counts.triples, "fact")} of ${counts.entities} things`);
	const known = { ...options, knowledge: name };
	return withPhrases(options.refresh === undefined ? { ...known, name: options.name ?? name } : known, phrases);
}

const withPhrases = <Options extends GraphSources>(options: Options, phrases: Phrases): Options => ({
	...options,
	set: [...(options.set ?? []), `phrases=${JSON.stringify(phrases)}`],
});

async function initialise(phrases: Phrases, { phrases: file, json, force }: GraphSources, { output }: Context) {
	const yaml = phrasesYaml(phrases);
	if (file === undefined) return output.write(json ? JSON.stringify({ phrases }) : yaml);
	if (existsSync(file) && !force)
		throw new HopscopeError("file-exists", `${file} is there already`, "Name another, or replace it with --force.", {
			exitCode: exitCodes.usage,
		});
	await writeWhole(file, yaml);
	const relations = Object.keys(phrases.relations).length;
	output.write(json ? JSON.stringify({ file, relations }) : `${file}: ${counted(relations, "relation")} to mend`);
}

async function graphOf(workspace: Workspace, { knowledge }: GraphSources) {
	const name = knowledge ?? (await theOnlyKnowledge(workspace));
	return openGraph(join(await locate(workspace, "knowledge", name), graphFolder));
}

/** A corpus of that name which was not made of these tables is somebody's work. */
async function mustBeTables(name: string, { dir, tables }: { dir: string; tables: string[] }): Promise<void> {
	const found = await openCorpus(dir).catch(() => undefined);
	if (!found || found.manifest.sources.some((source) => tables.includes(source.name))) return;
	throw new HopscopeError(
		"knowledge-exists",
		`a knowledge base is called ${name} already, and it was not made of these tables`,
		"Choose another --name, or replace it with --force.",
		{ exitCode: exitCodes.usage },
	);
}
