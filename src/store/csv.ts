/** A cell that is longer comes from a quotation mark that is never closed. */
const longestCell = 100_000;

/**
 * The rows of a CSV or TSV text (RFC 4180: quoted cells may hold the delimiter, line ends and doubled quotation marks).
 * A quotation mark inside an unquoted cell stands for itself. A cell that does not end is cut at its line's end.
 */
export function* csvRows(text: string, delimiter: Delimiter): Generator<string[]> {
	let row: string[] = [];
	let at = text.startsWith("\ufeff") ? 1 : 0;
	while (at < text.length) {
		let cell: string;
		[cell, at] = text[at] === '"' ? quotedCell(text, at, delimiter) : plainCell(text, at, delimiter);
		row.push(cell);
		if (text[at] === delimiter) {
			at += 1;
			if (at < text.length && text[at] !== "\n" && text[at] !== "\r") continue;
			row.push("");
		}
		if (text[at] === "\r") at += 1;
		if (text[at] === "\n") at += 1;
		if (row.some((one) => one.trim() !== "")) yield row;
		row = [];
	}
}

export type Delimiter = "," | "\t" | ";";

/** What parts the cells of a spreadsheet's text: what its head has most of, `usual` where others have no more. */
export function tellDelimiter(text: string, usual: Delimiter): Delimiter {
	const width = (delimiter: Delimiter) => csvRows(text, delimiter).next().value?.length ?? 0;
	return ([",", ";", "\t"] as const).reduce((best, one) => (width(one) > width(best) ? one : best), usual);
}

function plainCell(text: string, start: number, delimiter: string): [string, number] {
	let at = start;
	while (at < text.length && text[at] !== delimiter && text[at] !== "\n" && text[at] !== "\r") at += 1;
	return [text.slice(start, at), at];
}

function quotedCell(text: string, start: number, delimiter: string): [string, number] {
	let at = start + 1;
	while (at < text.length && at - start <= longestCell) {
		if (text[at] !== '"') at += 1;
		else if (text[at + 1] === '"') at += 2;
		else {
			const [rest, end] = plainCell(text, at + 1, delimiter);
			return [`${text.slice(start + 1, at).replaceAll('""', '"')}${rest}`, end];
		}
	}
	return plainCell(text, start, delimiter);
}

/**
 * Rows as CSV text for spreadsheets: a byte order mark, CRLF, every cell that needs it quoted. A cell that a spreadsheet
 * would run as a formula gets an apostrophe before it, which `plainCellText` takes away again.
 */
export function csvText(rows: Iterable<readonly string[]>): string {
	let text = "\ufeff";
	for (const row of rows) text += `${row.map(written).join(",")}\r\n`;
	return text;
}

/** A cell's text as it was before `csvText` made it harmless. */
export function plainCellText(cell: string): string {
	return escaped.test(cell) ? cell.slice(1) : cell;
}

// what begins a formula in some spreadsheet, full-width forms too; apostrophes before it stay countable
const formula = /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const escaped = /^'+[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const number = /^-?\d{1,15}(\.\d{1,15})?$/;

function written(cell: string): string {
	const safe = formula.test(cell) && !number.test(cell) ? `'${cell}` : cell;
	// a cell of spaces only, or with spaces around it, is kept as it is by its quotes
	return /[",;\t\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
