/** A figure with its interval, where there is one. */
interface Figure {
	value: number | null;
	low: number | null;
	high: number | null;
}

/** Columns as wide as their widest cell; those of `left` to the left, the others to the right. */
export function textTable(rows: string[][], { left = [0] }: { left?: readonly number[] } = {}): string[] {
	const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
	return rows.map((row) =>
		row
			.map((cell, column) =>
				left.includes(column) ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
			)
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
