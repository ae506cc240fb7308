/** A cell: words, a number, a count out of so many, or why there is no number. */
export type StatisticsCell = string | number | { value: number; of: number } | { none: string };

/** A table of a benchmark's statistics, as data. */
export interface StatisticsTable {
	name: string;
	title: string;
	/** What a reader must know to read it. */
	describe: string;
	/** The published table it follows, or that it is our own. */
	source: string;
	columns: { key: string; title: string; unit: "text" | "number" }[];
	rows: Record<string, StatisticsCell>[];
	notes: string[];
}

const two = (value: number) => Math.round(value * 100) / 100;

/** The mean to two places; why not, of nothing. */
export function meanCell(values: readonly number[], of: string): StatisticsCell {
	if (values.length === 0) return { none: `no ${of}` };
	return two(values.reduce((sum, value) => sum + value, 0) / values.length);
}

/** The mean of what each of a list has of it. */
export const meanOf = <T>(list: readonly T[], value: (one: T) => number | undefined, of: string): StatisticsCell =>
	meanCell(
		list.flatMap((one) => value(one) ?? []),
		of,
	);

/** The median: the mean of the middle two of an even number of values. */
export function medianCell(values: readonly number[], of: string): StatisticsCell {
	const sorted = [...values].sort((a, b) => a - b);
	const [low, high] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]];
	return low === undefined || high === undefined ? { none: `no ${of}` } : two((low + high) / 2);
}

export const outOf = (value: number, of: number): StatisticsCell => (of > 0 ? { value, of } : value);

/** How many of a list fit, out of all. */
export const shareOf = <T>(list: readonly T[], fits: (one: T) => boolean): StatisticsCell =>
	outOf(list.filter(fits).length, list.length);

/** A row of a table of two columns: what, and how much. */
export type ListRow = readonly [string, StatisticsCell];

/** A table of two columns: what, and how much. */
export function listTable(
	about: Pick<StatisticsTable, "name" | "title" | "describe" | "source"> & { notes?: string[] },
	rows: readonly ListRow[],
): StatisticsTable {
	const columns = [
		{ key: "what", title: "statistic", unit: "text" as const },
		{ key: "number", title: "number", unit: "number" as const },
	];
	return { notes: [], ...about, columns, rows: rows.map(([what, number]) => ({ what, number })) };
}
