import { z } from "zod";
import { clusterNames, defineMetric, values } from "../metric.ts";
import { asResult } from "./as-result.ts";
import { clusteredError, clusterIndex, isRounding, sumsBy, widest } from "./clusters.ts";
import { mean } from "./moments.ts";
import { studentQuantile } from "./student-t.ts";
import { wilson } from "./wilson.ts";

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
	method: "wilson" | "t" | "clustered-t" | "none";
	reason?: string;
}

/** From this many independent binary outcomes on, the t interval is as good as Wilson's. */
const enoughOutcomes = 100;

/**
 * Mean and 95 % interval of values, one a task (repeats averaged before). `clusters[i]` names the group that value i
 * shares its luck with; without `clusters` each value is its own group.
 *
 * SE^2 = C/(C-1) * sum over clusters of (sum of deviations in the cluster)^2 / n^2, t quantile on C-1 degrees of
 * freedom; with clusters of one this is the usual t interval. Fewer than 100 independent binary outcomes: Wilson. All
 * outcomes equal (0 or 1): Wilson over the C groups, since n dependent outcomes do not prove what n independent ones do.
 * `binary` false says that the values are counts, for which a 0 or 1 is no outcome; without it the values decide.
 * No value: null. One group whose values are not such outcomes: the mean without an interval. Groups that do not differ:
 * an interval without width, with a reason, since they tell nothing about how counts spread.
 * Measured at a correlation of 0.3 within clusters of 1 to 9: it covers 93 to 95 % at 20 clusters, 95 % from 60 on
 * (coverage.test.ts). Near the edges it needs more of them: a mean of 0.85 is covered by 90 % at 20, 93 % at 60, one of
 * 0.95 by 81 % at 20, 88 % at 60, 93 % at 300.
 * Source: Miller 2024 (Adding Error Bars to Evals), with the small-sample factor.
 */
export function interval(
	values: readonly number[],
	options: { clusters?: readonly string[] | undefined; binary?: boolean | undefined } = {},
): Interval {
	const n = values.length;
	const none = { low: null, high: null, n, method: "none" } as const;
	if (n === 0) return { value: null, ...none, groups: 0, reason: "no values" };
	const index = clusterIndex(n, options.clusters);
	const { groups } = index;
	const value = mean(values);
	if (!Number.isFinite(value)) return { value: null, ...none, groups, reason: "the values have no finite mean" };
	const binary = options.binary !== false && values.every((each) => each === 0 || each === 1);
	const allEqual = values.every((each) => each === values[0]);
	if (binary && (allEqual || (groups === n && n < enoughOutcomes)))
		return { value, ...wilson(value, groups), n, groups, method: "wilson" };
	if (groups === 1) {
		const reason = n === 1 ? "one value has no spread" : "all values belong to one cluster, which has no spread";
		return { value, ...none, groups, reason };
	}
	const error = clusteredError(
		sumsBy(
			index,
			values.map((each) => each - value),
		),
		n,
	);
	const half = studentQuantile(0.975, groups - 1) * error;
	if (!Number.isFinite(half)) return { value, ...none, groups, reason: "the values have no finite spread" };
	const method = groups === n ? "t" : "clustered-t";
	if (allEqual || isRounding(half, widest(values)))
		return { value, low: value, high: value, n, groups, method, reason: "no spread was seen, so the width is unknown" };
	return { value, low: value - half, high: value + half, n, groups, method };
}

export const intervalMetric = defineMetric({
	name: "interval",
	group: "uncertainty",
	describe: "Mean with its 95 % interval; values of one cluster depend on one another.",
	formula: "mean +- t(0.975, C-1) SE, SE^2 = C/(C-1) sum over clusters of (sum of deviations)^2 / n^2",
	range: "that of the values",
	edges:
		"Values all 0 or 1 are outcomes: Wilson where independent and fewer than 100, or all equal. One cluster: no interval. No values: unscored. With clusters, near the edges it covers less than 95 %: outcomes of mean 0.85 at 20 clusters 89 to 92 %, of mean 0.95 80 to 82 %, at 60 clusters 87 to 90 %.",
	source: "Miller 2024 (Adding Error Bars to Evals), with the small-sample factor; Wilson 1927",
	example: { values: [1, 0, 1, 1], clusters: ["a", "a", "b", "c"] },
	input: z
		.strictObject({ values, clusters: clusterNames.optional() })
		.refine(({ values, clusters }) => clusters === undefined || clusters.length === values.length, {
			message: "there must be as many clusters as values",
			path: ["clusters"],
		}),
	compute: ({ values, clusters }) => asResult(interval(values, { clusters })),
});
