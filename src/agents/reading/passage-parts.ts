/** A passage taken apart: sentences of prose, "Key: value" rows under their heading, and tables with a header row. */
import { type Token, tokens } from "./words.ts";

/** Passages are hostile input: what lies beyond is not read. */
const maxText = 8000;
const maxParts = 120;
const maxColumns = 6;

export interface Sentence {
	text: string;
	tokens: Token[];
	/** Position among the passage's parts. */
	index: number;
}

/** One stated value: what `key` is of `subject`. */
export interface Row {
	key: string;
	value: string;
	/** Heading or cell that the row is about; undefined: what the passage is about. */
	subject?: string;
	/** Name of the column the subject stands in. */
	subjectKey?: string;
	index: number;
}

interface PassageParts {
	sentences: Sentence[];
	rows: Row[];
}

export function partsOf(text: string): PassageParts {
	const sentences: Sentence[] = [];
	const rows: Row[] = [];
	const lines = text.slice(0, maxText).split(/\n+/);
	let heading: string | undefined;
	let header: string[] | undefined;
	for (const [place, line] of lines.entries()) {
		const index = sentences.length + rows.length;
		if (index >= maxParts) break;
		const cells = cellsOf(line);
		if (cells) {
			if (header) rows.push(...tableRows(header, cells, index));
			else header = cells;
			continue;
		}
		header = undefined;
		const pair = pairOf(line);
		if (pair) {
			rows.push({ ...pair, index, ...(heading === undefined ? {} : { subject: heading }) });
			continue;
		}
		const below = lines[place + 1];
		if (isHeading(line) && below !== undefined && pairOf(below)) {
			heading = line.trim();
			continue;
		}
		for (const piece of splitSentences(line)) {
			const trimmed = piece.trim();
			if (trimmed !== "" && sentences.length < maxParts)
				sentences.push({ text: trimmed, tokens: tokens(trimmed), index: sentences.length });
		}
	}
	return { sentences, rows };
}

function cellsOf(line: string): string[] | undefined {
	if (!line.includes("|")) return undefined;
	const cells = line
		.replace(/^\s*\|/, "")
		.replace(/\|\s*$/, "")
		.split("|")
		.map((cell) => cell.trim());
	return cells.length >= 2 ? cells.slice(0, maxColumns) : undefined;
}

/** Each cell as what its column says of each other cell of the row. */
function tableRows(header: string[], cells: string[], index: number): Row[] {
	const rows: Row[] = [];
	for (const [from, subject] of cells.entries())
		for (const [to, value] of cells.entries()) {
			const key = header[to];
			if (from !== to && key && subject && value && !/^[-:\s]+$/.test(value))
				rows.push({ key, value, subject, subjectKey: header[from] ?? "", index });
		}
	return rows;
}

function pairOf(line: string): { key: string; value: string } | undefined {
	const colon = line.search(/[:\t]/);
	if (colon < 1 || colon > 50 || line.length > 400 || /^https?:/.test(line)) return undefined;
	const key = line.slice(0, colon).trim();
	const value = line.slice(colon + 1).trim();
	const short = key.split(/\s+/).length <= 6 && !/[.?!"]/.test(key);
	return short && value !== "" ? { key, value } : undefined;
}

const isHeading = (line: string) => {
	const text = line.trim();
	return text !== "" && text.length <= 60 && !/[.!?:;,]$/.test(text);
};

const abbreviation = /(?:^|[\s.(])(?:\p{Lu}|[Ss]t|Mr|Mrs|Ms|Dr|Jr|Sr|vs|No|ca|c|b|d|approx|Mt|Ft|etc|km|m)\.$/u;

function splitSentences(line: string): string[] {
	const pieces: string[] = [];
	let start = 0;
	for (const match of line.matchAll(/[.!?]["”»)]?\s{1,4}(?=["“«(¿¡]?[\p{Lu}\p{N}])/gu)) {
		const end = match.index + 1;
		if (match[0].startsWith(".") && abbreviation.test(line.slice(Math.max(start, end - 8), end))) continue;
		pieces.push(line.slice(start, match.index + match[0].length));
		start = match.index + match[0].length;
	}
	pieces.push(line.slice(start));
	return pieces;
}
