import { z } from "zod";
import { asManyClusters, clusterNames, defineMetric, values } from "../metric.ts";
import { asResult } from "./as-result.ts";
import { type ClusteredShares, clusteredWilson } from "./clustered-wilson.ts";
import { type Clusters, clusteredError, clusterIndex, isRounding, sumsBy, widest } from "./clusters.ts";
import { mean, type Numbers } from "./moments.ts";
import { studentQuantile } from "./student-t.ts";

/**
 * A mean with its 95 % interval. `low` and `high` are null where too little was measured for one, and equal to the value
 * where no spread was seen; `reason` says so.
 */
export interface Interval {
	/** The mean; null when nothing was measured. */
	value: number | null;
	low: number | null;
	high: number | null;
	/** Values averaged. */
	n: number;
	/** Independent groups among them: the clusters, or n where none are declared. */
	groups: number;
	method: "wilson" | "clustered-wilson" | "t" | "clustered-t" | "none";
	reason?: string;
}

/**
 * Mean and 95 % interval of values, one a task (repeats averaged before). `clusters[i]` names the group that value i
 * shares its luck with; without `clusters` each value is its own group.
 *
 * Shares, and outcomes of 0 or 1: Wilson's interval on the effective number of outcomes (`clusteredWilson`), inside
 * [0, 1]. `share` true says that the values are such, if they all lie in [0, 1]; false that they are counts or
 * differences, for which a 0 or 1 is no outcome; without it they are where all are 0 or 1.
 * Others: SE^2 = C/(C-1) * sum over clusters of (sum of deviations in the cluster)^2 / n^2, t quantile on C-1 degrees of
 * freedom; with clusters of one this is the usual t interval.
 * No value: null. One group whose outcomes are not all equal, or of other values: the mean without an interval. Other
 * groups that do not differ: an interval without width, with a reason, since they tell nothing about how they spread.
 * How often it covers: docs/guides/scoring.md, measured by bench/coverage.mjs.
 * Source: Wilson 1927; Kish 1965; for unbounded values Miller 2024 (Adding Error Bars to Evals), with the small-sample
 * factor.
 */
export function interval(
	values: Numbers,
	options: { clusters?: Clusters | undefined; share?: boolean | undefined } = {},
): Interval {
	const n = values.length;
	const none = { low: null, high: null, n, method: "none" } as const;
	if (n === 0) return { value: null, ...none, groups: 0, reason: noValues };
	const index = clusterIndex(n, options.clusters);
	const { groups } = index;
	const value = mean(values);
	if (!Number.isFinite(value)) return { value: null, ...none, groups, reason: "the values have no finite mean" };
	const { outcomes, shares, allEqual, squares } = kindOf(values);
	const share = options.share === undefined ? outcomes : options.share && shares;
	const counts = () => ({ sizes: sumsBy(index, new Float64Array(n).fill(1)), sums: sumsBy(index, values) });
	if (share && outcomes) return outcomesInterval(counts());
	if (groups === 1) return { value, ...none, groups, reason: noSpread(n) };
	const deviations = new Float64Array(n);
	for (let at = 0; at < n; at++) deviations[at] = (values[at] ?? 0) - value;
	const half = studentQuantile(0.975, groups - 1) * clusteredError(sumsBy(index, deviations), n);
	if (!Number.isFinite(half)) return { value, ...none, groups, reason: "the values have no finite spread" };
	const alike = allEqual || isRounding(half, widest(values));
	if (share && !alike) return sharesInterval({ ...counts(), squares }, { value, n });
	const method = groups === n ? "t" : "clustered-t";
	if (alike)
		return { value, low: value, high: value, n, groups, method, reason: "no spread was seen, so the width is unknown" };
	return { value, low: value - half, high: value + half, n, groups, method };
}

/**
 * The same of outcomes of 0 or 1 that are counted by cluster: how many each has, at least one, and how many of them are 1.
 */
export function outcomesInterval({ sizes, sums }: Pick<ClusteredShares, "sizes" | "sums">): Interval {
	const groups = sizes.length;
	let [n, sum] = [0, 0];
	for (let at = 0; at < groups; at++) {
		n += sizes[at] ?? 0;
		sum += sums[at] ?? 0;
	}
	const none = { low: null, high: null, n, groups, method: "none" } as const;
	if (n === 0) return { value: null, ...none, reason: noValues };
	const value = sum / n;
	if (groups === 1 && sum !== 0 && sum !== n) return { value, ...none, reason: noSpread(n) };
	return sharesInterval({ sizes, sums, squares: sum }, { value, n });
}

function sharesInterval(shares: ClusteredShares, { value, n }: { value: number; n: number }): Interval {
	const { low, high } = clusteredWilson(shares);
	const groups = shares.sizes.length;
	const method = groups === n ? "wilson" : "clustered-wilson";
	return { value, low: Math.min(low, value), high: Math.max(high, value), n, groups, method };
}

const noValues = "no values";
const noSpread = (n: number) =>
	n === 1 ? "one value has no spread" : "all values belong to one cluster, which has no spread";

/** Whether values are outcomes of 0 or 1, or shares in [0, 1], or all the same, and the sum of their squares. */
function kindOf(values: Numbers): { outcomes: boolean; shares: boolean; allEqual: boolean; squares: number } {
	const [first] = values;
	let [outcomes, shares, allEqual, squares] = [true, true, true, 0];
	for (const value of values) {
		if (value !== 0 && value !== 1) outcomes = false;
		if (!(value >= 0 && value <= 1)) shares = false;
		if (value !== first) allEqual = false;
		squares += value * value;
	}
	return { outcomes, shares, allEqual, squares };
}

export const intervalMetric = defineMetric({
	name: "interval",
	group: "uncertainty",
	describe: "Mean with its 95 % interval; values of one cluster depend on one another.",
	formula:
		"outcomes of 0 or 1: Wilson's on n_e = n / (1 + (m - 1) r) (C - 1) / C, r = ICC, or towards 1 where few are of the rarer kind, m = sum m_c^2 / n; other values: mean +- t(0.975, C-1) SE, SE^2 = C/(C-1) sum over clusters of (sum of deviations)^2 / n^2",
	range: "that of the values",
	edges:
		"Values all 0 or 1 are outcomes, whose interval stays in [0, 1]; share says that values between 0 and 1 are shares, whose interval does too, or (false) that 0 and 1 are counts. One cluster: no interval, but of outcomes all equal that of one. No values: unscored.",
	source:
		"Wilson 1927, on the effective size of Kish 1965; Miller 2024 (Adding Error Bars to Evals), with the small-sample factor",
	example: { values: [1, 0, 1, 1], clusters: ["a", "a", "b", "c"] },
	input: z
		.strictObject({ values, clusters: clusterNames.optional(), share: z.boolean().optional() })
		.refine(...asManyClusters("values")),
	compute: ({ values, clusters, share }) => asResult(interval(values, { clusters, share })),
});
