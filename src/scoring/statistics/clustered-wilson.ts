import { correlationWithin } from "./intraclass.ts";
import { wilson } from "./wilson.ts";

/** Values in [0, 1] by cluster. */
export interface ClusteredShares {
	/** Values in each cluster, each at least 1, and their sum. */
	sizes: Float64Array;
	sums: Float64Array;
	/** Sum of the squares of all values; that of outcomes of 0 or 1 is their sum. */
	squares: number;
}

export interface ClusteredWilson {
	low: number;
	high: number;
	/** What clusters do to the variance of the mean. */
	designEffect: number;
	/** Independent outcomes that say as much. */
	effective: number;
}

/** Values that differ more within clusters than between them are believed to narrow the interval so far. */
const leastDesignEffect = 0.7;

/**
 * 95 % interval of the mean of values in [0, 1] whose clusters share their luck: Wilson's on the effective number of
 * outcomes, n / (design effect * g) * (C - 1) / C, with
 *
 *     design effect = 1 + (m - 1) r,   r = (1 - w) ICC + w,   w = exp(-4/3 (f / (m - 1))^2)
 *
 * m the size of the cluster of a typical value (sum of squared sizes / n), ICC by analysis of variance, f the sum of the
 * rarer kind (values, or 1 less values), and g the variance of the values over that of outcomes with their mean, 1 for
 * outcomes. Few rare outcomes cannot show whether they come together, so w takes the clusters for one outcome each until
 * there are about as many as a cluster holds; all equal, they are. No clusters: design effect 1, and n for outcomes.
 * One cluster: as one outcome where all are equal; otherwise ask for no interval.
 *
 * Source: effective size: Kish 1965, Korn and Graubard 1998; compared there with others by simulation, as here
 * (bench/coverage.mjs, docs/decisions/2026-11-23-intervals.md); ICC: Donner 1986.
 */
export function clusteredWilson({ sizes, sums, squares }: ClusteredShares): ClusteredWilson {
	const groups = sizes.length;
	let [n, sum, sizesSquared, between] = [0, 0, 0, 0];
	for (let at = 0; at < groups; at++) {
		const [size, part] = [sizes[at] ?? 0, sums[at] ?? 0];
		n += size;
		sum += part;
		sizesSquared += size * size;
		between += (part * part) / size;
	}
	const value = Math.min(1, Math.max(0, sum / n));
	const rare = Math.min(sum, n - sum);
	const spread = value * (1 - value);
	const around = Math.max(0, squares - n * value * value);
	const g = spread > 0 ? gradedShare(around / (n * spread), rare) : 1;
	if (groups === n) {
		const effective = g === 1 ? n : (n - 1) / g;
		return { ...wilson(value, Math.max(1, effective)), designEffect: 1, effective };
	}
	const size = sizesSquared / n;
	const unseen = Math.exp((-4 / 3) * (rare / (size - 1)) ** 2);
	const seen =
		around > 0 && groups > 1
			? correlationWithin({
					between: between - n * value * value,
					within: squares - between,
					...{ n, groups, sizesSquared },
				})
			: 1;
	const designEffect = Math.max(leastDesignEffect, 1 + (size - 1) * ((1 - unseen) * seen + unseen));
	const effective = (n / designEffect / g) * (groups > 1 ? (groups - 1) / groups : 1);
	return { ...wilson(value, Math.max(1, effective)), designEffect, effective };
}

/** Few rare values do not show how far they vary: until there are some, they are taken for outcomes of 0 or 1. */
const gradedShare = (seen: number, rare: number) => (seen > 1 - 1e-9 ? 1 : (1 + rare * seen) / (1 + rare));
