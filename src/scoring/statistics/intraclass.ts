import { z } from "zod";
import { asManyClusters, clusterNames, defineMetric, values } from "../metric.ts";
import { asResult } from "./as-result.ts";
import { clusterIndex, sumsBy, widest } from "./clusters.ts";
import { mean } from "./moments.ts";

/** How alike values of one cluster are. */
export interface Intraclass {
	/** 1 where clusters agree within themselves, 0 where they do not matter; below 0 where their members differ more. */
	value: number | null;
	/** What dependence does to the variance of the mean: 1 + (m - 1) value, m the size of the cluster of a typical value. */
	designEffect: number | null;
	n: number;
	groups: number;
	reason?: string;
}

/**
 * Intraclass correlation by one-way analysis of variance: (MSB - MSW) / (MSB + (m0 - 1) MSW) with
 * m0 = (n - sum of m^2 / n) / (C - 1), which allows for clusters of unequal size m. Fewer than two clusters, clusters of
 * one, or values all equal: null. Source: Donner 1986; design effect: Kish 1965.
 */
export function intraclass(values: readonly number[], clusters: readonly string[]): Intraclass {
	const n = values.length;
	const index = clusterIndex(n, clusters);
	const { groups } = index;
	const none = { value: null, designEffect: null, n, groups } as const;
	if (groups < 2) return { ...none, reason: "fewer than two clusters" };
	if (groups === n) return { ...none, reason: "every cluster has one value" };
	const centre = mean(values);
	const raw = values.map((value) => value - centre);
	const scale = widest(raw);
	if (scale === 0) return { ...none, reason: "all values are equal" };
	if (!Number.isFinite(scale)) return { ...none, reason: "the values have no finite spread" };
	// the widest comes down to 1, so that no square overflows or vanishes
	const deviations = raw.map((each) => each / scale);
	const sums = sumsBy(index, deviations);
	const sizes = sumsBy(
		index,
		values.map(() => 1),
	);
	const sizesSquared = sizes.reduce((sum, size) => sum + size * size, 0);
	const all = deviations.reduce((sum, each) => sum + each * each, 0);
	const between = sums.reduce((squares, sum, at) => squares + (sum * sum) / (sizes[at] ?? 1), 0);
	const value = correlationWithin({ between, within: all - between, n, groups, sizesSquared });
	return { value, designEffect: 1 + (sizesSquared / n - 1) * value, n, groups };
}

/** The correlation from the sums of squares between and within clusters, of which at least one is above 0. */
export function correlationWithin({
	between,
	within,
	n,
	groups,
	sizesSquared,
}: {
	between: number;
	within: number;
	n: number;
	groups: number;
	/** Sum of the squared sizes of the clusters. */
	sizesSquared: number;
}): number {
	const meanBetween = Math.max(0, between) / (groups - 1);
	const meanWithin = Math.max(0, within) / (n - groups);
	const size = (n - sizesSquared / n) / (groups - 1);
	return (meanBetween - meanWithin) / (meanBetween + (size - 1) * meanWithin);
}

export const intraclassMetric = defineMetric({
	name: "icc",
	group: "uncertainty",
	describe: "How alike the values of one cluster are (intraclass correlation), and what that does to a mean.",
	formula:
		"(MSB - MSW) / (MSB + (m0 - 1) MSW), m0 = (n - sum m^2 / n) / (C - 1); designEffect = 1 + (sum m^2 / n - 1) ICC",
	range: "at most 1",
	edges: "Fewer than two clusters, clusters of one value only, or values all equal: unscored.",
	source: "one-way analysis of variance, Donner 1986; design effect: Kish 1965",
	example: { values: [1, 1, 0, 0, 1], clusters: ["a", "a", "b", "b", "b"] },
	input: z.strictObject({ values, clusters: clusterNames }).refine(...asManyClusters("values")),
	compute: ({ values, clusters }) => asResult(intraclass(values, clusters)),
});
