import type { RaterPair } from "./rater-pairs.ts";
import { gradeValues } from "./reading.ts";

/** How often the judge said each (column) where the other rater said each (row). */
export interface Confusion {
	/** Of rows and columns, in ascending order of what they stand for. */
	labels: string[];
	/** `counts[row][column]`: rows are the other rater's labels, columns the judge's. */
	counts: number[][];
}

/** Above so many different values a table is no help. */
const mostLabels = 12;

/** Counts over all comparisons, the judge on side a; undefined where there are too many values for a table. */
export function confusionOf(pairs: readonly RaterPair[], dimension: string): Confusion | undefined {
	const values = [...new Set(pairs.flatMap(({ a, b }) => [...a, ...b]))].sort((x, y) => x - y);
	if (values.length === 0 || values.length > mostLabels) return undefined;
	const place = new Map(values.map((value, index) => [value, index]));
	const counts = values.map(() => values.map(() => 0));
	for (const { a, b } of pairs)
		for (const [at, said] of a.entries()) {
			const row = counts[place.get(b[at] ?? 0) ?? 0];
			const column = place.get(said) ?? 0;
			if (row) row[column] = (row[column] ?? 0) + 1;
		}
	return { labels: values.map((value) => labelText(dimension, value)), counts };
}

/** A value as its label: a grade's name, or the number. */
function labelText(dimension: string, value: number): string {
	if (dimension !== "grade") return String(value);
	return Object.entries(gradeValues).find(([, number]) => number === value)?.[0] ?? String(value);
}
