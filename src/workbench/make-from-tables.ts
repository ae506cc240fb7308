import { existsSync } from "node:fs";
import { basename, extname, join, resolve } from "node:path";
import { openCorpus } from "#corpus";
import { counted, usageError } from "#domain";
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
import { type Workspace, writeWhole } from "#store";
import { locate, theOnlyKnowledge } from "./locate.ts";
import type { Bench } from "./work.ts";

/** Tables of which the template recipe is to make a knowledge base, and how their relations are asked for. */
export interface TableOptions {
	/** Tables: a file or a folder. */
	graph?: string | undefined;
	/** YAML of phrases. */
	phrases?: string | undefined;
}

export interface GraphSources extends TableOptions {
	name?: string | undefined;
	knowledge?: string | undefined;
	/** A benchmark that is brought up to date: then `name` is that of its new version. */
	refresh?: string | undefined;
	force?: boolean | undefined;
	set?: string[] | undefined;
}

/** Phrases to mend: written to `file`, or as YAML where none is named. */
export type InitialPhrases = { phrases: Phrases; yaml: string } | { file: string; relations: number };

/** Guesses how the relations of tables, or of a knowledge base's graph, are asked for, for a person to mend. */
export async function initialPhrases(options: GraphSources, bench: Bench): Promise<InitialPhrases> {
	const { graph: path, phrases: file, force } = options;
	const given = file && existsSync(file) ? await readPhrases(file) : undefined;
	const tables = path === undefined ? undefined : await readTables(path, { signal: bench.signal });
	const phrases = tables ? guessPhrases(tables, given) : phrasesOfGraph(await graphOf(bench.workspace, options), given);
	const yaml = phrasesYaml(phrases);
	if (file === undefined) return { phrases, yaml };
	if (existsSync(file) && !force)
		throw usageError("file-exists", `${file} is there already`, "Name another, or replace it with --force.");
	await writeWhole(file, yaml);
	return { file, relations: Object.keys(phrases.relations).length };
}

/**
 * Makes what the template recipe reads: of tables a knowledge base with a graph, of phrases a setting. Gives the options
 * to make with.
 */
export async function fromTables<Options extends GraphSources>(options: Options, bench: Bench): Promise<Options> {
	const { workspace, signal } = bench;
	const { graph: path, phrases: file } = options;
	const given = file ? await readPhrases(file) : undefined;
	const tables = path === undefined ? undefined : await readTables(path, { signal });
	if (!tables || path === undefined) return given ? withPhrases(options, given) : options;
	for (const { name, refused } of tables)
		for (const { row, reason } of refused.slice(0, 5)) bench.say(`${name}, row ${row}: left out, ${reason}`);
	const phrases = guessPhrases(tables, given);
	const called = options.refresh === undefined ? options.name : undefined;
	const name = options.knowledge ?? called ?? basename(resolve(path), extname(path));
	const places = { corpus: workspace.corpus(name), knowledge: workspace.knowledge(name) };
	if (!options.force) await mustBeTables(name, { dir: places.corpus, tables: tables.map((table) => table.name) });
	const progress = bench.stages("tables");
	const made = await tableKnowledge(tables, phrases, places, { name, signal, onProgress: progress.update });
	progress.end();
	const { counts } = made.graph;
	bench.say(`${name}: ${counted(made.rows, "row")}, ${counted(counts.triples, "fact")} of ${counts.entities} things`);
	const known = { ...options, knowledge: name };
	return withPhrases(options.refresh === undefined ? { ...known, name: options.name ?? name } : known, phrases);
}

const withPhrases = <Options extends GraphSources>(options: Options, phrases: Phrases): Options => ({
	...options,
	set: [...(options.set ?? []), `phrases=${JSON.stringify(phrases)}`],
});

async function graphOf(workspace: Workspace, { knowledge }: GraphSources) {
	const name = knowledge ?? (await theOnlyKnowledge(workspace));
	return openGraph(join(await locate(workspace, "knowledge", name), graphFolder));
}

/** A corpus of that name which was not made of these tables is somebody's work. */
async function mustBeTables(name: string, { dir, tables }: { dir: string; tables: string[] }): Promise<void> {
	const found = await openCorpus(dir).catch(() => undefined);
	if (!found || found.manifest.sources.some((source) => tables.includes(source.name))) return;
	throw usageError(
		"knowledge-exists",
		`a knowledge base is called ${name} already, and it was not made of these tables`,
		"Choose another --name, or replace it with --force.",
	);
}
