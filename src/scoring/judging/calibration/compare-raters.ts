import { blandAltman } from "../../agreement/bland-altman.ts";
import { cohenKappa } from "../../agreement/kappa-cohen.ts";
import { pearson } from "../../agreement/pearson.ts";
import { spearman } from "../../agreement/spearman.ts";
import { type Interval, interval } from "../../statistics/interval.ts";
import { type Measured, measureOverPairs, type PairMeasure, type RaterPair } from "./rater-pairs.ts";

/**
 * How far two sides agree: a judge with people, people among themselves, two judges. Each figure is the mean over pairs of
 * raters, weighed by the items both rated, so that judge with people and people among themselves are of one kind.
 */
export interface Agreement {
	/** Items that both sides rated, and comparisons made of them: an item with two raters is compared twice. */
	items: number;
	comparisons: number;
	/** Share of comparisons in which both say the same. */
	share: Interval;
	/** Cohen's; `weightedKappa` by squared distance. */
	kappa: Measured;
	weightedKappa: Measured;
	pearson: Measured;
	spearman: Measured;
	/** Mean of first side minus second, on the dimension's own scale; `limits` is the half-width of agreement's limits. */
	bias: Interval;
	limits: number | null;
}

export const coefficients: Record<"kappa" | "weightedKappa" | "pearson" | "spearman", PairMeasure> = {
	kappa: ({ a, b }) => cohenKappa(a, b).value,
	weightedKappa: ({ a, b }) => cohenKappa(a, b, { weights: "quadratic" }).value,
	pearson: ({ a, b }) => pearson(a, b).value,
	spearman: ({ a, b }) => spearman(a, b).value,
};

/** Undefined where no pair of raters has a common item. Intervals take items of one cluster as dependent. */
export function compareRaters(
	pairs: readonly RaterPair[],
	{ clusterOf }: { clusterOf(item: string): string },
): Agreement | undefined {
	if (pairs.length === 0) return undefined;
	const items = pairs.flatMap((pair) => pair.items);
	const a = pairs.flatMap((pair) => pair.a);
	const b = pairs.flatMap((pair) => pair.b);
	// one item's comparisons share their luck too
	const clusters = items.map(clusterOf);
	const differences = a.map((value, index) => value - (b[index] ?? 0));
	return {
		items: new Set(items).size,
		comparisons: items.length,
		share: shareInterval(
			differences.map((difference) => Number(difference === 0)),
			clusters,
		),
		...measureOverPairs(pairs, { measures: coefficients, clusterOf }),
		bias: interval(differences, { clusters, share: false }),
		limits: blandAltman(a, b).halfWidth,
	};
}

/** An interval of a share, kept within [0, 1]. */
export function shareInterval(values: readonly number[], clusters: readonly string[]): Interval {
	const found = interval(values, { clusters });
	return {
		...found,
		low: found.low === null ? null : Math.max(0, found.low),
		high: found.high === null ? null : Math.min(1, found.high),
	};
}

/** The figures of an agreement without intervals: what subsets are compared by. */
export function figuresOf(pairs: readonly RaterPair[], mean: (measure: PairMeasure) => number | null) {
	return {
		share: pairs.length === 0 ? null : mean(({ a, b }) => a.filter((value, at) => value === b[at]).length / a.length),
		kappa: mean(coefficients.kappa),
		pearson: mean(coefficients.pearson),
		spearman: mean(coefficients.spearman),
		bias: mean(({ a, b }) => blandAltman(a, b).value),
		limits: mean(({ a, b }) => blandAltman(a, b).halfWidth),
	};
}
export type Figures = ReturnType<typeof figuresOf>;
