import { readdir, stat } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { readRows } from "#benchmarks";
import { setField, usageError } from "#domain";

/** A table as it stands in a file: every cell as text, empty where there is nothing. */
export interface Table {
	/** The file's name without its folder: what phrases know it by. */
	name: string;
	file: string;
	columns: string[];
	rows: Record<string, string>[];
	/** Columns with values that came as numbers: they leave no mark open. */
	plain: Set<string>;
	/** Of CSV, what parts its cells: a comma says that the decimal mark is none. */
	delimiter?: string;
	/** Rows that could not be read, with the reason. */
	refused: { row: number; reason: string }[];
}

const endings = new Set([".csv", ".tsv", ".jsonl", ".ndjson", ".json", ".parquet"]);
const mostRows = 1_000_000;
const mostColumns = 500;
const mostCellCharacters = 100_000;

/** Reads a table, or every table of a folder in order of name. Nothing that can be read is a usage error. */
export async function readTables(path: string, options: { signal?: AbortSignal } = {}): Promise<Table[]> {
	const tables: Table[] = [];
	for (const file of await tableFiles(path)) tables.push(await readTable(file, options));
	const rows = tables.reduce((sum, table) => sum + table.rows.length, 0);
	if (rows === 0) {
		const first = tables.flatMap(({ refused }) => refused)[0];
		throw unusable(`${path} holds no row that can be read${first ? `: ${first.reason}` : ""}`);
	}
	return tables;
}

async function tableFiles(path: string): Promise<string[]> {
	const found = await stat(path).catch(() => undefined);
	if (!found) throw unusable(`${path} does not exist`);
	if (!found.isDirectory()) return [path];
	const names = (await readdir(path)).filter((name) => endings.has(extname(name).toLowerCase())).sort();
	if (names.length === 0) throw unusable(`${path} holds no table`);
	return names.map((name) => join(path, name));
}

async function readTable(file: string, { signal }: { signal?: AbortSignal }): Promise<Table> {
	const table: Table = { name: basename(file), file, columns: [], rows: [], plain: new Set(), refused: [] };
	const columns = new Set<string>();
	for await (const row of readRows([file], { spreadsheet: true, ...(signal ? { signal } : {}) })) {
		const cells = "reason" in row ? row.reason : cellsOf(row.value, table.plain);
		if (typeof cells === "string") table.refused.push({ row: row.row, reason: cells });
		else {
			if ("delimiter" in row && row.delimiter) table.delimiter = row.delimiter;
			for (const name of Object.keys(cells)) columns.add(name);
			table.rows.push(cells);
		}
		if (table.rows.length > mostRows || columns.size > mostColumns)
			throw unusable(`${file} has more than ${mostRows} rows or ${mostColumns} columns`);
	}
	return { ...table, columns: [...columns] };
}

/** The row as texts, or why it is none. */
function cellsOf(value: unknown, plain: Set<string>): Record<string, string> | string {
	if (typeof value !== "object" || value === null || Array.isArray(value)) return "not an object of columns";
	const cells: Record<string, string> = {};
	for (const [name, cell] of Object.entries(value)) {
		const text = textOf(cell);
		if (text === undefined) return `column ${name} holds what is neither text, number nor a list of them`;
		if (text.includes("\ufffd")) return `column ${name} is not UTF-8 text`;
		if (typeof cell === "number") plain.add(name.trim());
		if (text.length > mostCellCharacters) return `column ${name} holds more than ${mostCellCharacters} characters`;
		setField(cells, name.trim(), text.replace(/\s+/gu, " ").trim());
	}
	return cells;
}

function textOf(cell: unknown): string | undefined {
	if (cell === null || cell === undefined) return "";
	if (typeof cell === "string") return cell;
	if (typeof cell === "number" || typeof cell === "boolean" || typeof cell === "bigint") return String(cell);
	if (cell instanceof Date) return cell.toISOString().replace(/T00:00:00\.000Z$/, "");
	if (!Array.isArray(cell)) return undefined;
	const texts = cell.map(textOf);
	return texts.every((text) => text !== undefined) ? texts.join("; ") : undefined;
}

const unusable = (message: string) =>
	usageError(
		"no-table",
		message,
		"Give a CSV, TSV, JSON lines, JSON or Parquet file with one row a subject, or a folder of such files.",
	);
