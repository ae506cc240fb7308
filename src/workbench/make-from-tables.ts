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
	readTypes,
	type TypedTable,
	tableKnowledge,
	typesYaml,
	typeTables,
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
	/** YAML that says how the cells of columns are read. */
	types?: string | undefined;
}

/** What a table's columns are read as. */
export type TableTold = Pick<TypedTable, "name" | "types" | "unnamed"> & { rows: number; refused: number };

export interface GraphSources extends TableOptions {
	name?: string | undefined;
	knowledge?: string | undefined;
	/** A benchmark that is brought up to date: then `name` is that of its new version. */
	refresh?: string | undefined;
	force?: boolean | undefined;
	set?: string[] | undefined;
}

/** Phrases to mend: written to `file`, or as YAML where neither they nor types are to be written. */
export type InitialPhrases = { tables: TableTold[] } & (
	| { phrases: Phrases; yaml: string }
	| { file?: string; relations: number; types?: string; columns: number }
);

/**
 * Guesses how the relations of tables, or of a knowledge base's graph, are asked for, and how the cells of tables are read,
 * for a person to mend.
 */
export async function initialPhrases(options: GraphSources, bench: Bench): Promise<InitialPhrases> {
	const { graph: path, phrases: file, force } = options;
	const given = file && existsSync(file) ? await readPhrases(file) : undefined;
	const typesGiven = options.types && existsSync(options.types) ? await readTypes(options.types) : undefined;
	// types that are there already are meant to be read where the phrases are what is wanted
	const typesFile = typesGiven && file !== undefined && !force ? undefined : options.types;
	const read = path === undefined ? undefined : await readTables(path, { signal: bench.signal });
	const tables = read && typeTables(read, { types: typesGiven, phrases: given, open: typesFile !== undefined });
	const phrases = tables ? guessPhrases(tables, given) : phrasesOfGraph(await graphOf(bench.workspace, options), given);
	const yaml = phrasesYaml(phrases);
	const told = (tables ?? []).map(toldOf);
	if (file === undefined && typesFile === undefined) return { phrases, yaml, tables: told };
	for (const one of [file, typesFile])
		if (one !== undefined && existsSync(one) && !force)
			throw usageError("file-exists", `${one} is there already`, "Name another, or replace it with --force.");
	if (file !== undefined) await writeWhole(file, yaml);
	if (typesFile !== undefined) await writeWhole(typesFile, typesYaml(tables ?? []));
	return {
		...(file === undefined ? {} : { file }),
		...(typesFile === undefined ? {} : { types: typesFile }),
		relations: Object.keys(phrases.relations).length,
		columns: told.reduce((sum, { types }) => sum + types.length, 0),
		tables: told,
	};
}

const toldOf = ({ name, types, unnamed, rows, refused }: TypedTable): TableTold => ({
	name,
	types,
	unnamed,
	rows: rows.length,
	refused: refused.length,
});

/**
 * Makes what the template recipe reads: of tables a knowledge base with a graph, of phrases a setting. Gives the options
 * to make with, and how the tables were read.
 */
export async function fromTables<Options extends GraphSources>(
	options: Options,
	bench: Bench,
): Promise<{ options: Options; tables?: TableTold[] }> {
	const { workspace, signal } = bench;
	const { graph: path, phrases: file } = options;
	const given = file ? await readPhrases(file) : undefined;
	if (path === undefined) return { options: given ? withPhrases(options, given) : options };
	const types = options.types ? await readTypes(options.types) : undefined;
	const tables = typeTables(await readTables(path, { signal }), { types, phrases: given });
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
	return {
		options: withPhrases(options.refresh === undefined ? { ...known, name: options.name ?? name } : known, phrases),
		tables: tables.map(toldOf),
	};
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
