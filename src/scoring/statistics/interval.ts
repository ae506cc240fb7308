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
 * Source: Miller 2024 (Adding Error Bars to Evals), with the small-sample factor; coverage is tested by simulation.
 */
export function interval(
	values: readonly number[],
	options: { clusters?: readonly string[] | undefined; binary?: boolean | undefined } = {},
): Interval {
	const n = values.length;
	const none = { low: null, high: null, n, method: "none" } as const;
	if (n === 0) return { value: null, ...none, groups: 0, reason: "no values" };
	const sums = clusterSums(values, options.clusters);
	const groups = sums.size;
	const mean = meanOf(values);
	if (!Number.isFinite(mean)) return { value: null, ...none, groups, reason: "the values have no finite mean" };
	const binary = options.binary !== false && values.every((value) => value === 0 || value === 1);
	const allEqual = values.every((value) => value === values[0]);
	if (binary && (allEqual || (groups === n && n < enoughOutcomes)))
		return { value: mean, ...wilson(mean, groups), n, groups, method: "wilson" };
	if (groups === 1) {
		const reason = n === 1 ? "one value has no spread" : "all values belong to one cluster, which has no spread";
		return { value: mean, ...none, groups, reason };
	}
	let squares = 0;
	for (const { sum, count } of sums.values()) squares += (sum - count * mean) ** 2;
	const error = Math.sqrt((groups / (groups - 1)) * squares) / n;
	const half = studentQuantile(0.975, groups - 1) * error;
	if (!Number.isFinite(half)) return { value: mean, ...none, groups, reason: "the values have no finite spread" };
	const method = groups === n ? "t" : "clustered-t";
	if (allEqual || half === 0)
		return {
			value: mean,
			low: mean,
			high: mean,
			n,
			groups,
			method,
			reason: "no spread was seen, so the width is unknown",
		};
	return { value: mean, low: mean - half, high: mean + half, n, groups, method };
}

function clusterSums(values: readonly number[], clusters: readonly string[] | undefined) {
	const sums = new Map<string | number, { sum: number; count: number }>();
	for (const [index, value] of values.entries()) {
		const key = clusters?.[index] ?? index;
		const group = sums.get(key) ?? { sum: 0, count: 0 };
		group.sum += value;
		group.count += 1;
		sums.set(key, group);
	}
	return sums;
}

/** Kept within the smallest and largest value, where rounding would leave them. */
function meanOf(values: readonly number[]): number {
	let sum = 0;
	let smallest = Number.POSITIVE_INFINITY;
	let largest = Number.NEGATIVE_INFINITY;
	for (const value of values) {
		sum += value;
		if (value < smallest) smallest = value;
		if (value > largest) largest = value;
	}
	const mean = sum / values.length;
	return Number.isFinite(mean) ? Math.min(largest, Math.max(smallest, mean)) : mean;
}
