import { mean, sampleVariance } from "../../statistics/moments.ts";
import { hashOf } from "../hash-of.ts";
import { type Figures, figuresOf } from "./compare-raters.ts";
import { meanOverPairs, type RaterPair } from "./rater-pairs.ts";

/** How steady the figures are from one small sample to another. */
export interface Consistency {
	subsets: { items: number; figures: Figures }[];
	/** Over the subsets on which a figure is defined; the variance is a sample's, null for fewer than two. */
	figures: Record<keyof Figures, { mean: number | null; variance: number | null }>;
}

/**
 * Disjoint sets of names, each a share of them all, drawn by seed: the same names and seed give the same sets in any order.
 * Fewer sets where they would overlap; sizes are rounded down, to at least one.
 */
export function disjointSubsets(
	names: readonly string[],
	{ count, share, seed }: { count: number; share: number; seed: number },
): string[][] {
	const ranked = [...new Set(names)]
		.map((name) => ({ name, rank: hashOf([seed, "subset", name]) }))
		.sort((a, b) => (a.rank < b.rank ? -1 : 1))
		.map(({ name }) => name);
	// rounding keeps 0.1 x 30 a 3
	const size = Math.max(1, Math.floor(share * ranked.length + 1e-9));
	return Array.from({ length: count }, (_, index) => ranked.slice(index * size, (index + 1) * size)).filter(
		(subset) => subset.length === size,
	);
}

/**
 * The figures of an agreement on each of several disjoint subsets of clusters, with their mean and variance, as MC-Search
 * reports its judges (five subsets of 10 %).
 */
export function consistencyOf(
	pairs: readonly RaterPair[],
	{ clusterOf, ...options }: { clusterOf(item: string): string; count: number; share: number; seed: number },
): Consistency {
	const clusters = pairs.flatMap(({ items }) => items.map(clusterOf));
	const subsets = disjointSubsets(clusters, options).map((names) => {
		const wanted = new Set(names);
		const within = pairs.flatMap((pair) => restricted(pair, (item) => wanted.has(clusterOf(item))) ?? []);
		const figures = figuresOf(within, (measure) => meanOverPairs(within, measure));
		return { items: new Set(within.flatMap(({ items }) => items)).size, figures };
	});
	const names = Object.keys(figuresOf([], () => null)) as (keyof Figures)[];
	const figures = names.map((name) => [name, spreadOf(subsets.flatMap(({ figures }) => figures[name] ?? []))]);
	return { subsets, figures: Object.fromEntries(figures) as Consistency["figures"] };
}

/** The pair on some of its items only; undefined where none is left. */
export function restricted({ a, b, items }: RaterPair, holds: (item: string) => boolean): RaterPair | undefined {
	const kept = items.flatMap((item, at) => (holds(item) ? [at] : []));
	if (kept.length === 0) return undefined;
	const of = (values: readonly number[]) => kept.map((at) => values[at] ?? 0);
	return { a: of(a), b: of(b), items: kept.map((at) => items[at] ?? "") };
}

function spreadOf(values: readonly number[]): { mean: number | null; variance: number | null } {
	if (values.length === 0) return { mean: null, variance: null };
	return { mean: mean(values), variance: sampleVariance(values) };
}
