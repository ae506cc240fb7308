import { readFile, stat } from "node:fs/promises";
import { extname } from "node:path";
import { HopscopeError } from "#domain";
import { csvRows, readLines } from "#store";
import { readGraphml } from "./graphml.ts";
import { bounds, type Collector, collector, type Imported, type ImportOptions, unreadable } from "./imported.ts";
import { readNTriples } from "./n-triples.ts";
import { isHeader, takeRow } from "./rows.ts";

/** Forms of ready graphs, by the ends of their files' names. */
export const graphFormats = {
	graphml: [".graphml", ".xml"],
	json: [".json"],
	jsonl: [".jsonl", ".ndjson"],
	csv: [".csv"],
	tsv: [".tsv", ".tab"],
	"n-triples": [".nt"],
} as const;
export type GraphFormat = keyof typeof graphFormats;

/**
 * Reads a ready graph: GraphML (LightRAG's too), JSON, JSON lines, CSV or TSV of triples, RDF N-Triples. What an item
 * lacks is told in `rejected`, what the form cannot say in `losses`; a file that is not of its form at all is an error.
 */
export async function importGraph(
	file: string,
	options: ImportOptions & { format?: GraphFormat } = {},
): Promise<Imported> {
	const format = options.format ?? formatOf(file);
	switch (format) {
		case "graphml":
			return parsing(file, async () => readGraphml(await wholeText(file, options), options));
		case "n-triples":
			return readNTriples(file, options);
		case "json":
			return parsing(file, async () => fromJson(JSON.parse(await wholeText(file, options)) as unknown, options));
		case "jsonl":
			return fromLines(file, options);
		case "csv":
		case "tsv":
			return fromTable(await wholeText(file, options), { ...options, format });
	}
}

function formatOf(file: string): GraphFormat {
	const end = extname(file).toLowerCase();
	for (const [format, ends] of Object.entries(graphFormats) as [GraphFormat, readonly string[]][])
		if (ends.includes(end)) return format;
	throw unreadable(file, `"${end}" is the end of no form of graph that is read`);
}

async function wholeText(file: string, { maxBytes = bounds.maxBytes }: ImportOptions): Promise<string> {
	const size = await stat(file).then(
		(found) => (found.isFile() ? found.size : undefined),
		() => undefined,
	);
	if (size === undefined) throw unreadable(file, "is no file that can be read");
	if (size > maxBytes) throw unreadable(file, `holds ${size} bytes, more than the ${maxBytes} that are read at once`);
	return readFile(file, "utf8");
}

async function parsing(file: string, read: () => Promise<Imported>): Promise<Imported> {
	try {
		return await read();
	} catch (error) {
		throw error instanceof HopscopeError
			? error
			: unreadable(file, error instanceof Error ? error.message : "cannot be read");
	}
}

/** A list of triples, or an object that holds it, with or without a list of entities beside. */
function fromJson(value: unknown, options: ImportOptions): Imported {
	const into = collector("json", options);
	const held = Array.isArray(value) ? { triples: value } : ((value ?? {}) as Record<string, unknown>);
	const rows = ["triples", "relations", "relationships", "edges", "links", "facts"]
		.map((key) => held[key])
		.find(Array.isArray);
	if (!rows) throw new Error("holds no list of triples");
	for (const row of rows) takeRow(row, { into, options, origin: "json" });
	const entities = ["entities", "nodes"].map((key) => held[key]).find(Array.isArray) ?? [];
	for (const entity of entities) takeEntity(entity, into);
	return into.done();
}

function takeEntity(entity: unknown, into: Collector): void {
	const { name, id, type, description } = (entity ?? {}) as Record<string, unknown>;
	const called = typeof name === "string" ? name : typeof id === "string" ? id : undefined;
	if (called === undefined) into.refuse("an entity without a name", entity);
	else
		into.entity({
			name: called,
			...(typeof type === "string" && type ? { type: type.slice(0, 100) } : {}),
			...(typeof description === "string" && description ? { description } : {}),
		});
}

async function fromLines(file: string, options: ImportOptions): Promise<Imported> {
	const into = collector("jsonl", options);
	for await (const { text, number } of readLines(file)) {
		let row: unknown;
		try {
			row = JSON.parse(text);
		} catch {
			into.refuse(`line ${number} is no JSON`, text.slice(0, 300));
			continue;
		}
		takeRow(row, { into, options, origin: "jsonl" });
	}
	return into.done();
}

/** With a header the columns are found by name, without one they are subject, relation, object and evidence. */
function fromTable(text: string, options: ImportOptions & { format: "csv" | "tsv" }): Imported {
	const { format } = options;
	const into = collector(format, options);
	const firstLine = text.slice(0, 10_000).split("\n", 1)[0] ?? "";
	const delimiter = format === "tsv" ? "\t" : firstLine.split(";").length > firstLine.split(",").length ? ";" : ",";
	let header: string[] | undefined;
	let number = 0;
	for (const cells of csvRows(text, delimiter)) {
		number += 1;
		if (number === 1 && isHeader(cells)) header = cells;
		else
			takeRow(header ? Object.fromEntries(header.map((name, at) => [name, cells[at] ?? ""])) : cells, {
				into,
				options,
				origin: format,
			});
	}
	return into.done();
}
