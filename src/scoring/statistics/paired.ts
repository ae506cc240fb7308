import { z } from "zod";
import { asManyClusters, clusterNames, defineMetric, values } from "../metric.ts";
import { asResult } from "./as-result.ts";
import { cleanSumsBy, clusteredError, clusterIndex, isRounding, sumsBy, widest } from "./clusters.ts";
import { correlation } from "./correlation.ts";
import { mcnemar } from "./mcnemar.ts";
import { mean } from "./moments.ts";
import { detectable } from "./power.ts";
import { signFlip } from "./sign-flip.ts";
import { studentQuantile } from "./student-t.ts";

/** The difference of two runs on the same tasks, with its 95 % interval and a test. */
export interface Paired {
	/** Mean of a - b; null when there is none. */
	value: number | null;
	low: number | null;
	high: number | null;
	/** Two-sided; null where nothing could be tested. */
	p: number | null;
	/** Pairs. */
	n: number;
	/** Independent groups among them. */
	groups: number;
	method: "t" | "clustered-t" | "none";
	test: "mcnemar" | "sign-flip" | "none";
	/** Pairs where a is the greater, where both are equal, where b is. */
	wins: number;
	ties: number;
	losses: number;
	/** Pearson's, of a with b; null where either has no spread. */
	correlation: number | null;
	/** The difference that a test at 5 % finds with 80 % power; null where no spread was seen. */
	detectable: number | null;
	reason?: string;
}

/**
 * Mean difference of two runs on the same tasks, `a[i]` and `b[i]` of one task (repeats averaged before), `clusters[i]`
 * its group.
 *
 * d = a - b with the clustered error of `interval`, t quantile on C-1 degrees of freedom. The p is of its own test, not
 * read off the interval: exact McNemar for independent outcomes (all 0 or 1), else sign flips over clusters (seeded).
 * `detectable` = (t(0.975) + t(0.8)) SE on C-1 degrees: the smallest true difference found with 80 % power. `weights`
 * makes it a difference of ratios of sums: sum of w d over sum of w, error by the delta method. `tests` is the number of
 * comparisons that p will be corrected for.
 * One group: no interval, no test. Differences all equal: an interval without width, with a reason.
 * Source: Miller 2024; McNemar 1947; Smucker et al. 2007.
 */
export function paired(
	a: readonly number[],
	b: readonly number[],
	options: {
		clusters?: readonly string[] | undefined;
		weights?: readonly number[] | undefined;
		seed?: number | undefined;
		tests?: number | undefined;
	} = {},
): Paired {
	const { clusters, weights, seed, tests } = options;
	const n = a.length;
	const index = clusterIndex(n, clusters);
	const { groups } = index;
	const differences = a.map((each, at) => differenceOf(each, b[at] ?? Number.NaN));
	const counts = countsOf(differences);
	const undecided = { low: null, high: null, p: null, n, groups, method: "none", test: "none", ...counts } as const;
	const none = { value: null, ...undecided, correlation: null, detectable: null } as const;
	if (b.length !== n) return { ...none, reason: "a and b differ in length" };
	if (n === 0) return { ...none, reason: "no pairs" };
	const weightOf = (at: number) => weights?.[at] ?? 1;
	const whole = weights ? weights.reduce((sum, weight) => sum + weight, 0) : n;
	const weighted = weights ? differences.map((each, at) => weightOf(at) * each) : differences;
	const value = weights ? weighted.reduce((sum, each) => sum + each, 0) / whole : mean(differences);
	if (!Number.isFinite(value)) return { ...none, reason: "the differences have no finite mean" };
	const found = correlation(a, b);
	const alike = typeof found === "number" ? found : null;
	if (groups === 1) {
		const reason = n === 1 ? "one pair has no spread" : "all pairs belong to one cluster, which has no spread";
		return { value, ...undecided, correlation: alike, detectable: null, reason };
	}
	const deviations = differences.map((each, at) => weightOf(at) * (each - value));
	const error = clusteredError(sumsBy(index, deviations), whole);
	const half = studentQuantile(0.975, groups - 1) * error;
	if (!Number.isFinite(half))
		return {
			value,
			...undecided,
			correlation: alike,
			detectable: null,
			reason: "the differences have no finite spread",
		};
	const exact = groups === n && !weights && areOutcomes(a) && areOutcomes(b);
	const spread = !isRounding(half, widest(differences));
	return {
		value,
		low: spread ? value - half : value,
		high: spread ? value + half : value,
		p: exact ? mcnemar(counts.wins, counts.losses) : signFlip(cleanSumsBy(index, weighted), { seed, tests }),
		n,
		groups,
		method: groups === n ? "t" : "clustered-t",
		test: exact ? "mcnemar" : "sign-flip",
		...counts,
		correlation: alike,
		detectable: spread ? detectable({ error, groups }) : null,
		...(spread ? {} : { reason: "no spread was seen, so the width is unknown" }),
	};
}

const areOutcomes = (values: readonly number[]) => values.every((each) => each === 0 || each === 1);

/** Means of the same repeats in another order differ by rounding; that is no difference. */
function differenceOf(a: number, b: number): number {
	const difference = a - b;
	return isRounding(difference, Math.max(Math.abs(a), Math.abs(b))) ? 0 : difference;
}

function countsOf(differences: readonly number[]): { wins: number; ties: number; losses: number } {
	const counts = { wins: 0, ties: 0, losses: 0 };
	for (const difference of differences) {
		if (difference > 0) counts.wins += 1;
		else if (difference < 0) counts.losses += 1;
		else counts.ties += 1;
	}
	return counts;
}

export const pairedMetric = defineMetric({
	name: "paired",
	group: "uncertainty",
	describe: "Mean difference of two runs on the same tasks, with its 95 % interval and a test.",
	formula:
		"mean of d = a - b, +- t(0.975, C-1) SE with the clustered SE of `interval`; p by exact McNemar or sign flips",
	range: "that of a - b",
	edges:
		"p is McNemar's for independent outcomes of 0 or 1, else of sign flips over clusters (seeded). One pair or one cluster: no interval, no p. No pairs: unscored.",
	source: "Miller 2024 (Adding Error Bars to Evals); McNemar 1947; Smucker et al. 2007",
	example: { a: [1, 0.5, 1, 1], b: [0.5, 0.5, 0, 1], clusters: ["a", "a", "b", "c"] },
	input: z
		.strictObject({ a: values, b: values, clusters: clusterNames.optional(), seed: z.number().int().optional() })
		.refine(({ a, b }) => a.length === b.length, { message: "a and b must be of one length", path: ["b"] })
		.refine(...asManyClusters("a", "pairs")),
	compute: ({ a, b, clusters, seed }) => asResult(paired(a, b, { clusters, seed })),
});
