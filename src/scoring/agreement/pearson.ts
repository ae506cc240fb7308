import { z } from "zod";
import { defineMetric, values } from "../metric.ts";
import { asResult } from "../statistics/as-result.ts";
import { effectiveSize } from "../statistics/corrected.ts";
import { correlation } from "../statistics/correlation.ts";
import { z95 } from "../statistics/student-t.ts";
import { asManyItems, type Estimate, undefinedEstimate } from "./estimate.ts";

/**
 * Pearson's correlation of `a[i]` and `b[i]`, in [-1, 1]: covariance over the product of standard deviations.
 *
 * The interval is Fisher's: tanh(atanh r +- 1.96 / sqrt(n - 3)), for n > 3 and r neither 1 nor -1.
 * Under `weights`, of how many pairs each stands: means, and n by Kish's effective size.
 * Fewer than two pairs, or a column of one value: null. Throws a RangeError where the lengths differ.
 */
export function pearson(
	a: readonly number[],
	b: readonly number[],
	{ weights }: { weights?: readonly number[] | undefined } = {},
): Estimate {
	const value = correlation(a, b, weights);
	if (typeof value === "string") return undefinedEstimate(a.length, value);
	const n = weights ? effectiveSize(weights) : a.length;
	return { ...withFisherInterval(value, { n, factor: 1, method: "fisher-z" }), n: a.length };
}

/** Adds tanh(atanh r +- 1.96 sqrt(factor / (n - 3))). */
export function withFisherInterval(
	value: number,
	{ n, factor, method }: { n: number; factor: number; method: string },
): Estimate {
	const none = { value, low: null, high: null, n, method: "none" };
	if (n <= 3) return { ...none, reason: "an interval takes more than three pairs" };
	if (1 - Math.abs(value) < 1e-12) return { ...none, reason: "no spread was seen, so the width is unknown" };
	const half = z95 * Math.sqrt(factor / (n - 3));
	const centre = Math.atanh(value);
	return { value, low: Math.tanh(centre - half), high: Math.tanh(centre + half), n, method };
}

export const pearsonMetric = defineMetric({
	name: "pearson",
	group: "agreement",
	describe: "Pearson's correlation of two columns of numbers.",
	formula: "sum (a - mean a)(b - mean b) / sqrt(sum (a - mean a)^2 sum (b - mean b)^2)",
	range: "-1 to 1",
	edges: "Fewer than two pairs, or a column of one value: unscored. No interval for n of 3 or a value of 1 or -1.",
	source: "Pearson; interval: Fisher's z, SE 1 / sqrt(n - 3)",
	example: { a: [1, 2, 3, 4, 5], b: [2, 1, 4, 3, 7] },
	input: z.strictObject({ a: values, b: values }).refine(asManyItems.check, asManyItems.problem),
	compute: ({ a, b }) => asResult(pearson(a, b)),
});
