import { addCuts } from "./add-record.ts";
import type { SourceFile } from "./find-files.ts";
import { cutByLength } from "./passages.ts";
import type { ReadContext } from "./reader.ts";

/** Beyond these what is read is told to be a part. */
const mostRows = 1_000_000;
const mostColumns = 500;
/** A row of more characters than this holds texts rather than values, and is cut. */
const longestRow = 4000;
const longestName = 200;

export interface TableAbout {
	file: SourceFile;
	title: string;
	/** Of a file with several tables, what this one is called. */
	sheet?: string;
}

/**
 * Adds a table: each row is a passage that says `column: value`, a line a cell, as the rows of `hopscope make template`
 * do, and is found under its first value. The first row names the columns.
 */
export function addTable(
	rows: Iterable<readonly string[]>,
	{ file, title, sheet }: TableAbout,
	context: ReadContext,
): void {
	let head: string[] | undefined;
	let number = 0;
	let wider = false;
	const prefix = `${file.label}#${sheet === undefined ? "" : `${sheet}/`}`;
	for (const cells of rows) {
		context.signal?.throwIfAborted();
		if (head === undefined) {
			head = cells.slice(0, mostColumns).map(inLine);
			continue;
		}
		number += 1;
		if (number > mostRows) {
			context.problem(`holds more than ${mostRows} rows; the others are left out`);
			return;
		}
		wider ||= cells.length > mostColumns;
		const names = head;
		const told = cells
			.slice(0, mostColumns)
			.map((cell, index) => ({ name: names[index] || `column ${index + 1}`, value: inLine(cell) }))
			.filter(({ value }) => value !== "");
		const [first] = told;
		if (!first) continue;
		const text = told.map(({ name, value }) => `${name}: ${value}`).join("\n");
		const pieces = text.length > longestRow ? cutByLength(text) : [text];
		const section = first.value.slice(0, longestName);
		addCuts(
			pieces.map((piece, index) => ({
				key: pieces.length === 1 ? "" : `${index + 1}`,
				section,
				text: piece,
				form: "table" as const,
			})),
			{ file, title, document: file.label, idPrefix: `${prefix}${number}/`, record: number },
			context,
		);
	}
	if (wider) context.problem(`has rows of more than ${mostColumns} cells; the cells beyond are left out`);
	if (number === 0) context.problem(sheet === undefined ? "holds no rows" : `sheet ${sheet} holds no rows`);
}

const inLine = (cell: string) => cell.replace(/\s+/gu, " ").trim();
