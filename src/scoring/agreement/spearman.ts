import { z } from "zod";
import { defineMetric, values } from "../metric.ts";
import { asResult } from "../statistics/as-result.ts";
import { correlation } from "../statistics/correlation.ts";
import { asManyItems, type Estimate, undefinedEstimate } from "./estimate.ts";
import { withFisherInterval } from "./pearson.ts";

/**
 * Spearman's rank correlation of `a[i]` and `b[i]`, in [-1, 1]: Pearson's correlation of their ranks, values that tie
 * sharing the average of theirs.
 *
 * The interval is Fisher's with the SE of Bonett and Wright 2000, sqrt((1 + r^2 / 2) / (n - 3)), for n > 3 and r neither
 * 1 nor -1. Fewer than two pairs, or a column of one value: null. Throws a RangeError where the lengths differ.
 */
export function spearman(a: readonly number[], b: readonly number[]): Estimate {
	const value = correlation(averageRanks(a), averageRanks(b));
	if (typeof value === "string") return undefinedEstimate(a.length, value);
	return withFisherInterval(value, { n: a.length, factor: 1 + value ** 2 / 2, method: "bonett-wright" });
}

/** The rank of each value, from 1; values that tie share the average of theirs. */
export function averageRanks(values: readonly number[]): number[] {
	const order = values.map((value, index) => ({ value, index })).sort((a, b) => a.value - b.value);
	const ranks = new Array<number>(values.length).fill(0);
	for (let start = 0; start < order.length; ) {
		let end = start + 1;
		while (end < order.length && order[end]?.value === order[start]?.value) end += 1;
		for (const { index } of order.slice(start, end)) ranks[index] = (start + 1 + end) / 2;
		start = end;
	}
	return ranks;
}

export const spearmanMetric = defineMetric({
	name: "spearman",
	group: "agreement",
	describe: "Spearman's correlation of the ranks of two columns, ties sharing their average rank.",
	formula: "Pearson's correlation of the ranks of a and b",
	range: "-1 to 1",
	edges: "Fewer than two pairs, or a column of one value: unscored. No interval for n of 3 or a value of 1 or -1.",
	source: "Spearman; interval: Bonett and Wright 2000",
	example: { a: [1, 2, 2, 4, 5], b: [10, 20, 30, 25, 90] },
	input: z.strictObject({ a: values, b: values }).refine(asManyItems.check, asManyItems.problem),
	compute: ({ a, b }) => asResult(spearman(a, b)),
});
