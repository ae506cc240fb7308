import { z } from "zod";
import { defineMetric, values } from "../metric.ts";
import { asResult } from "../statistics/as-result.ts";
import { interval } from "../statistics/interval.ts";
import { sampleVariance } from "../statistics/moments.ts";
import { asManyItems } from "./estimate.ts";

/** Mean difference with the limits within which 95 % of differences are expected. */
export interface BlandAltman {
	/** Mean of a - b; null when there are no pairs. */
	value: number | null;
	/** 1.96 times the sample standard deviation of the differences; null for fewer than two pairs. */
	halfWidth: number | null;
	/** The limits of agreement, value -+ halfWidth: of single differences, not of their mean. */
	low: number | null;
	high: number | null;
	/** The 95 % interval of the mean difference itself. */
	biasLow: number | null;
	biasHigh: number | null;
	n: number;
	reason?: string;
}

/**
 * Bias and limits of agreement of two measurements of the same items: mean of d = a - b, and that mean +- 1.96 s_d with
 * s_d the sample standard deviation (n - 1). The half-width stands beside it, which is what papers print.
 *
 * No pairs: null. One pair: the difference without limits. Throws a RangeError where the lengths differ.
 * Source: Bland and Altman 1986.
 */
export function blandAltman(a: readonly number[], b: readonly number[]): BlandAltman {
	if (a.length !== b.length) throw new RangeError("both columns must have as many values");
	const differences = a.map((value, index) => value - (b[index] ?? 0));
	const n = differences.length;
	const { value, low: biasLow, high: biasHigh, reason } = interval(differences, { share: false });
	const none = { halfWidth: null, low: null, high: null, biasLow, biasHigh, n };
	if (value === null) return { value, ...none, reason: reason ?? "undefined" };
	const variance = sampleVariance(differences);
	if (variance === null) return { value, ...none, reason: "one pair has no spread" };
	const halfWidth = 1.96 * Math.sqrt(variance);
	if (!Number.isFinite(halfWidth)) return { value, ...none, reason: "the differences have no finite spread" };
	// differences that are all alike: limits without width, and the interval says why
	return {
		value,
		halfWidth,
		low: value - halfWidth,
		high: value + halfWidth,
		biasLow,
		biasHigh,
		n,
		...(reason ? { reason } : {}),
	};
}

export const blandAltmanMetric = defineMetric({
	name: "bland-altman",
	group: "agreement",
	describe: "Mean difference of two measurements and the limits within which single differences are expected.",
	formula:
		"value = mean(a - b), halfWidth = 1.96 s with s the sample deviation of a - b, low and high = value -+ halfWidth",
	range: "that of the differences",
	edges: "No pairs: unscored. One pair: no limits. biasLow and biasHigh are the 95 % interval of the mean itself.",
	source: "Bland and Altman 1986",
	example: { a: [7, 8, 6.5, 9, 5], b: [6.5, 8, 7, 8, 5.5] },
	input: z.strictObject({ a: values, b: values }).refine(asManyItems.check, asManyItems.problem),
	compute: ({ a, b }) => asResult(blandAltman(a, b)),
});
