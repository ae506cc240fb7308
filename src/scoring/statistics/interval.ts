import { z } from "zod";
import { asManyClusters, clusterNames, defineMetric, values } from "../metric.ts";
import { asResult } from "./as-result.ts";
import { clusteredWilson } from "./clustered-wilson.ts";
import { clusteredError, clusterIndex, isRounding, sumsBy, widest } from "./clusters.ts";
import { mean } from "./moments.ts";
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
	values: readonly number[],
	options: { clusters?: readonly string[] | undefined; share?: boolean | undefined } = {},
): Interval {
	const n = values.length;
	const none = { low: null, high: null, n, method: "none" } as const;
	if (n === 0) return { value: null, ...none, groups: 0, reason: "no values" };
	const index = clusterIndex(n, options.clusters);
	const { groups } = index;
	const value = mean(values);
	if (!Number.isFinite(value)) return { value: null, ...none, groups, reason: "the values have no finite mean" };
	const outcomes = values.every((each) => each === 0 || each === 1);
	const share = options.share === undefined ? outcomes : options.share && values.every(isShare);
	const allEqual = values.every((each) => each === values[0]);
	const decided = share && allEqual && outcomes;
	if (groups === 1 && !decided) {
		const reason = n === 1 ? "one value has no spread" : "all values belong to one cluster, which has no spread";
		return { value, ...none, groups, reason };
	}
	const error = decided
		? 0
		: clusteredError(
				sumsBy(
					index,
					values.map((each) => each - value),
				),
				n,
			);
	const half = decided ? 0 : studentQuantile(0.975, groups - 1) * error;
	if (!Number.isFinite(half)) return { value, ...none, groups, reason: "the values have no finite spread" };
	if (share && (outcomes || !(allEqual || isRounding(half, widest(values))))) {
		const { low, high } = clusteredWilson({
			sizes: sumsBy(
				index,
				values.map(() => 1),
			),
			sums: sumsBy(index, values),
			squares: values.reduce((sum, each) => sum + each * each, 0),
		});
		const method = groups === n ? "wilson" : "clustered-wilson";
		return { value, low: Math.min(low, value), high: Math.max(high, value), n, groups, method };
	}
	const method = groups === n ? "t" : "clustered-t";
	if (allEqual || isRounding(half, widest(values)))
		return { value, low: value, high: value, n, groups, method, reason: "no spread was seen, so the width is unknown" };
	return { value, low: value - half, high: value + half, n, groups, method };
}

const isShare = (value: number) => value >= 0 && value <= 1;

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
