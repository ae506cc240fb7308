import { readFile, stat } from "node:fs/promises";
import { extname } from "node:path";
import { HopscopeError, usageError } from "#domain";
import { columnValue, csvRows, type Delimiter, readLines, tellDelimiter } from "#store";
import { firstCharacter, jsonElements } from "./json-elements.ts";

/** One row of a released file as it stands there, not yet looked at. */
export interface Row {
	file: string;
	/** 1-based line, row (without the head) or element. */
	row: number;
	/** In a JSON object of rows by name, the name. */
	key?: string;
	/** In a spreadsheet's CSV, what parts its cells. */
	delimiter?: Delimiter;
	value: unknown;
}

/** A row that is no row at all. */
export interface BrokenRow {
	file: string;
	row: number;
	reason: string;
}

export interface RowOptions {
	/** Where a JSON file is one object: the field that holds the rows; `values`: its own fields are the rows. */
	object?: { under: string } | "values";
	/** CSV as spreadsheets save it: parted by comma, semicolon or tab, whichever its head has most of, in named columns. */
	spreadsheet?: boolean;
	signal?: AbortSignal;
}

/** The largest file that is read whole (a JSON object, CSV), in bytes; arrays, lines and Parquet are read in pieces. */
const mostWholeBytes = 480 * 1024 * 1024;
/** The largest row, in bytes. */
const mostRowBytes = 64 * 1024 * 1024;
const parquetRows = 1000;

/**
 * The rows of released files, in the order of the files: JSON arrays and JSON lines (whatever their ending says), CSV
 * and TSV with a head, Parquet. Read in pieces where the form allows it. A row that cannot be read is given as a broken
 * one; a file that is missing or no such form is an error (exit 2).
 */
export async function* readRows(files: readonly string[], options: RowOptions = {}): AsyncGenerator<Row | BrokenRow> {
	for (const file of files) {
		await mustBeFile(file);
		for await (const row of rowsOf(file, options)) {
			options.signal?.throwIfAborted();
			yield row;
		}
	}
}

async function* rowsOf(file: string, options: RowOptions): AsyncGenerator<Row | BrokenRow> {
	const ending = extname(file).toLowerCase();
	if (ending === ".parquet") return yield* parquetRowsOf(file);
	if (ending === ".csv" || ending === ".tsv")
		return yield* delimitedRows(file, ending === ".csv" ? "," : "\t", options);
	const first = await firstCharacter(file);
	if (ending === ".jsonl" || ending === ".ndjson") return yield* lineRows(file);
	if (first === "[") return yield* arrayRows(file);
	if (first !== "{") throw notRows(file, "neither JSON, JSON lines, CSV, TSV nor Parquet");
	if (options.object) return yield* objectRows(file, options.object);
	yield* lineRows(file);
}

async function* arrayRows(file: string): AsyncGenerator<Row | BrokenRow> {
	for await (const { number, text, whole, behind } of jsonElements(file, { mostBytes: mostRowBytes })) {
		if (behind) yield { file, row: number, reason: "the file continues behind the end of its array: not read" };
		else if (!whole)
			yield {
				file,
				row: number,
				reason: text === "" ? "the file ends before its array does" : "the file ends within this element",
			};
		else if (text === "") yield { file, row: number, reason: `empty, or more than ${mostRowBytes} bytes` };
		else yield parsedRow(text, { file, row: number });
	}
}

async function* lineRows(file: string): AsyncGenerator<Row | BrokenRow> {
	for await (const { number, text } of readLines(file)) {
		if (text.length > mostRowBytes) yield { file, row: number, reason: `more than ${mostRowBytes} bytes` };
		else yield parsedRow(number === 1 ? text.replace(/^\ufeff/, "") : text, { file, row: number });
	}
}

function parsedRow(text: string, at: { file: string; row: number }): Row | BrokenRow {
	try {
		return { ...at, value: JSON.parse(text) as unknown };
	} catch (error) {
		return { ...at, reason: `not JSON (${(error as Error).message.slice(0, 200)})` };
	}
}

async function* objectRows(file: string, object: { under: string } | "values"): AsyncGenerator<Row> {
	let json: unknown;
	try {
		json = JSON.parse(await wholeText(file));
	} catch (error) {
		throw error instanceof HopscopeError ? error : notRows(file, `not JSON (${(error as Error).message})`);
	}
	const fields = json as Record<string, unknown>;
	if (object === "values") {
		for (const [index, [key, value]] of Object.entries(fields).entries()) yield { file, row: index + 1, key, value };
		return;
	}
	const rows = Object.hasOwn(fields, object.under) ? fields[object.under] : undefined;
	if (!Array.isArray(rows)) throw notRows(file, `holds no list "${object.under}"`);
	for (const [index, value] of rows.entries()) yield { file, row: index + 1, value };
}

async function* delimitedRows(
	file: string,
	usual: "," | "\t",
	{ spreadsheet = false }: RowOptions,
): AsyncGenerator<Row | BrokenRow> {
	const text = await wholeText(file);
	const delimiter = spreadsheet ? tellDelimiter(text, usual) : usual;
	let head: string[] | undefined;
	let row = 0;
	for (const cells of csvRows(text, delimiter)) {
		if (head === undefined) {
			head = cells.map((cell) => cell.trim());
			const names = head.filter((name) => name !== "");
			const twice = names.find((name, at) => names.indexOf(name) !== at);
			if (spreadsheet && twice !== undefined)
				throw notRows(file, `two columns are called "${twice}"`, "Give each column a name of its own.");
			continue;
		}
		row += 1;
		const names = head;
		if (cells.length !== names.length)
			yield { file, row, reason: `${cells.length} cells under a head of ${names.length}` };
		else
			yield {
				file,
				row,
				...(spreadsheet ? { delimiter } : {}),
				value: Object.fromEntries(cells.map((cell, index) => [names[index] ?? "", cell])),
			};
	}
}

async function* parquetRowsOf(file: string): AsyncGenerator<Row> {
	const { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } = await import("hyparquet");
	const { compressors } = await import("hyparquet-compressors");
	const refuse = (error: unknown) => notRows(file, `no whole Parquet file (${(error as Error).message})`);
	const buffer = await asyncBufferFromFile(file);
	const metadata = await parquetMetadataAsync(buffer).catch((error: unknown) => {
		throw refuse(error);
	});
	const total = Number(metadata.num_rows);
	for (let rowStart = 0; rowStart < total; rowStart += parquetRows) {
		const rowEnd = Math.min(rowStart + parquetRows, total);
		const read = { file: buffer, metadata, rowStart, rowEnd, compressors, utf8: false, useOffsetIndex: true };
		const rows = await parquetReadObjects(read).catch((error: unknown) => {
			throw refuse(error);
		});
		// a hostile count would be counted up to without end
		if (rows.length !== rowEnd - rowStart)
			throw refuse(new Error(`row ${rowStart + rows.length + 1} of ${total} is missing`));
		for (const [index, row] of rows.entries()) yield { file, row: rowStart + index + 1, value: columnValue(row) };
	}
}

async function wholeText(file: string): Promise<string> {
	const { size } = await stat(file);
	if (size > mostWholeBytes) throw notRows(file, `has ${size} bytes, more than ${mostWholeBytes}`);
	return (await readFile(file, "utf8")).replace(/^\ufeff/, "");
}

async function mustBeFile(file: string): Promise<void> {
	const found = await stat(file).catch(() => undefined);
	if (!found) throw notRows(file, "does not exist or cannot be read");
	if (!found.isFile()) throw notRows(file, "is not a file");
}

function notRows(
	file: string,
	why: string,
	remedy = "Name the files as they were released; hopscope import --list tells which.",
): HopscopeError {
	return usageError("bad-file", `${file}: ${why}`, remedy, { facts: { file } });
}
