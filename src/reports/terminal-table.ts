/** Aligned text for a terminal. */
import { columns, cutTo } from "./short-labels.ts";

/** How text for a terminal is set: `width` in columns, 100 where it is not known. */
export interface TerminalOptions {
	colour?: boolean | undefined;
	width?: number | undefined;
}

const usualWidth = 100;

/** Bold and dim text, plain where colours are not asked for, and lines that fit: of words never more than 100 columns. */
export const stylesOf = ({ colour = false, width = usualWidth }: TerminalOptions) => ({
	bold: (text: string) => (colour ? `\u001b[1m${text}\u001b[22m` : text),
	dim: (text: string) => (colour ? `\u001b[2m${text}\u001b[22m` : text),
	wrap: (text: string, indent = 0) => wrapped(text, Math.min(width, usualWidth) - indent),
	width,
	/** Of lines of words. */
	prose: Math.min(width, usualWidth),
});

/** A name shorter than this tells nothing. */
const narrowest = 9;

/**
 * Columns as wide as their widest cell, words to the left, numbers to the right; the first `heads` rows are dimmed.
 * `words` says which columns are of words: they give way where the table is too wide.
 */
export function align(
	rows: string[][],
	{
		dim,
		heads = 1,
		words,
		whole = [],
		width,
	}: {
		dim(text: string): string;
		heads?: number;
		words: readonly boolean[];
		/** Columns of words that are never cut: what stands there must be typed. */
		whole?: readonly boolean[];
		width: number;
	},
): string {
	const widths = widthsOf(rows);
	const names = words.flatMap((isOfWords, column) => (isOfWords && !whole[column] ? [column] : []));
	for (let over = total(widths) - width; over > 0; over--) {
		const widest = names.reduce((a, b) => ((widths[b] ?? 0) > (widths[a] ?? 0) ? b : a), names[0] ?? -1);
		if ((widths[widest] ?? 0) <= narrowest) break;
		widths[widest] = (widths[widest] ?? 0) - 1;
	}
	return rows
		.map((row, index) => {
			const cells = row.map((cell, column) => {
				const text = names.includes(column) ? cutTo(cell, widths[column] ?? 0) : cell;
				const space = " ".repeat(Math.max(0, (widths[column] ?? 0) - columns(text)));
				return words[column] ? text + space : space + text;
			});
			const line = cells.join("  ").trimEnd();
			return index < heads ? dim(line) : line;
		})
		.join("\n");
}

/** Whether rows fit with no column of words cut below `narrowest`. */
export const fits = (
	rows: string[][],
	{ words = [], narrowest: least = 0, width }: { words?: readonly boolean[]; narrowest?: number; width: number },
): boolean =>
	total(widthsOf(rows).map((size, column) => (words[column] ? Math.min(size, Math.max(least, narrowest)) : size))) <=
	width;

const widthsOf = (rows: string[][]) =>
	(rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => columns(row[column] ?? ""))));
const total = (widths: number[]) => widths.reduce((sum, size) => sum + size + 2, -2);

function wrapped(text: string, room: number): string {
	const lines: string[] = [];
	for (const word of text.split(" ")) {
		const last = lines.at(-1);
		if (last === undefined || last.length + word.length + 1 > room) lines.push(word);
		else lines[lines.length - 1] = `${last} ${word}`;
	}
	return lines.join("\n");
}
