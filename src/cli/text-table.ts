import { cut } from "#domain";

/** A figure with its interval, where there is one. */
interface Figure {
	value: number | null;
	low: number | null;
	high: number | null;
}

/** A column of words narrower than this tells nothing. */
const narrowest = 9;

/**
 * Columns as wide as their widest cell; those of `left` to the left, the others to the right. Where `width` is given, the
 * widest columns of words give way, but for `whole`, whose cells are ids that must be typed.
 */
export function textTable(
	rows: string[][],
	{
		left = [0],
		whole = [],
		width = Number.POSITIVE_INFINITY,
	}: { left?: readonly number[]; whole?: readonly number[]; width?: number | undefined } = {},
): string[] {
	const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
	const yielding = left.filter((column) => !whole.includes(column));
	for (let over = widths.reduce((sum, size) => sum + size + 2, -2) - width; over > 0; over -= 1) {
		const widest = yielding.reduce((a, b) => ((widths[b] ?? 0) > (widths[a] ?? 0) ? b : a), yielding[0] ?? -1);
		if ((widths[widest] ?? 0) <= narrowest) break;
		widths[widest] = (widths[widest] ?? 0) - 1;
	}
	return rows.map((row) =>
		row
			.map((cell, column) => {
				const size = widths[column] ?? 0;
				return left.includes(column) ? cut(cell, size).padEnd(size) : cell.padStart(size);
			})
			.join("  ")
			.trimEnd(),
	);
}

export const number = (value: number | null, digits = 3) =>
	value === null ? "–" : value.toFixed(digits).replace(/^-(?=[0.]+$)/, "");
export const percent = (value: number) => (100 * value).toFixed(1);
export const between = (low: string | null, high: string | null) =>
	low === null || high === null ? "" : ` [${low}, ${high}]`;

export const figure = ({ value, low, high }: Figure) =>
	`${number(value)}${between(low === null ? null : number(low), high === null ? null : number(high))}`;
export const inPercent = ({ value, low, high }: Figure) =>
	value === null
		? "–"
		: `${percent(value)}${between(low === null ? null : percent(low), high === null ? null : percent(high))}`;
