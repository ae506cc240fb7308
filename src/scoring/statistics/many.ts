import { z } from "zod";
import { defineMetric } from "../metric.ts";

/**
 * Holm's adjusted p-values, in the order given: with p sorted ascending, the running maximum of (m - rank + 1) p, at
 * most 1. Rejecting those at most 0.05 keeps the chance of any false rejection at 5 %, whatever their dependence. For
 * contrasts declared beforehand. Source: Holm 1979; agrees with statsmodels `multipletests`.
 */
export function holm(ps: readonly number[]): number[] {
	const adjusted = new Array<number>(ps.length);
	let largest = 0;
	for (const [rank, { p, at }] of ascending(ps).entries()) {
		largest = Math.max(largest, Math.min(1, (ps.length - rank) * p));
		adjusted[at] = largest;
	}
	return adjusted;
}

/**
 * Benjamini and Hochberg's adjusted p-values, in the order given: with p sorted ascending, the running minimum from the
 * largest of m p / rank. Rejecting those at most 0.05 keeps the expected share of false rejections at 5 % for
 * independent or positively dependent tests. For exploring slices. Source: Benjamini and Hochberg 1995.
 */
export function benjaminiHochberg(ps: readonly number[]): number[] {
	const adjusted = new Array<number>(ps.length);
	let smallest = 1;
	for (const [rank, { p, at }] of [...ascending(ps).entries()].reverse()) {
		smallest = Math.min(smallest, (ps.length / (rank + 1)) * p);
		adjusted[at] = smallest;
	}
	return adjusted;
}

const ascending = (ps: readonly number[]) => ps.map((p, at) => ({ p, at })).sort((a, b) => a.p - b.p);

const input = z.strictObject({ p: z.array(z.number().min(0).max(1)).max(1_000_000) });
const shared = {
	group: "uncertainty",
	range: "0 to 1 each",
	edges: "No p-values: an empty array. Never below the p-value itself.",
	input,
} as const;

export const holmMetric = defineMetric({
	...shared,
	name: "holm",
	describe: "p-values adjusted for many declared comparisons, in the order given (Holm).",
	formula: "with p ascending, running maximum of (m - rank + 1) p, at most 1",
	source: "Holm 1979; agrees with statsmodels multipletests(method='holm')",
	example: { p: [0.01, 0.04, 0.03] },
	compute: ({ p }) => ({ value: holm(p), n: p.length }),
});

export const benjaminiHochbergMetric = defineMetric({
	...shared,
	name: "benjamini-hochberg",
	describe: "p-values adjusted for exploring many slices, in the order given (false discovery rate).",
	formula: "with p ascending, running minimum from the largest of m p / rank",
	source: "Benjamini and Hochberg 1995; agrees with statsmodels multipletests(method='fdr_bh')",
	example: { p: [0.01, 0.04, 0.03] },
	compute: ({ p }) => ({ value: benjaminiHochberg(p), n: p.length }),
});
