import { jackknifeGroups, jackknifeHalfWidth } from "../../statistics/jackknife.ts";
import type { Column } from "./reading.ts";

/** What two raters say of the items that both rated, in the same order. */
export interface RaterPair {
	a: number[];
	b: number[];
	items: string[];
}

/** Every rater of one side with every one of the other. Pairs without a common item are left out. */
export function pairsBetween(left: readonly Column[], right: readonly Column[]): RaterPair[] {
	return left.flatMap((one) => right.flatMap((other) => pairOf(one, other) ?? []));
}

/** Every two raters of one side. */
export function pairsAmong(columns: readonly Column[]): RaterPair[] {
	return columns.flatMap((one, index) => columns.slice(index + 1).flatMap((other) => pairOf(one, other) ?? []));
}

function pairOf(one: Column, other: Column): RaterPair | undefined {
	const pair: RaterPair = { a: [], b: [], items: [] };
	for (const [item, value] of one.values) {
		const second = other.values.get(item);
		if (second === undefined) continue;
		pair.a.push(value);
		pair.b.push(second);
		pair.items.push(item);
	}
	return pair.items.length > 0 ? pair : undefined;
}

/** A measure of two columns; null where it is undefined. */
export type PairMeasure = (pair: RaterPair) => number | null;

/** The mean over pairs of raters, each weighing as many items as both rated; undefined pairs are left out. */
export function meanOverPairs(pairs: readonly RaterPair[], measure: PairMeasure): number | null {
	let sum = 0;
	let weight = 0;
	for (const pair of pairs) {
		const value = measure(pair);
		if (value === null || !Number.isFinite(value)) continue;
		sum += value * pair.items.length;
		weight += pair.items.length;
	}
	return weight === 0 ? null : sum / weight;
}

/** A measure with its 95 % interval; `reason` where there is no value or no interval. */
export interface Measured {
	value: number | null;
	low: number | null;
	high: number | null;
	reason?: string;
}

/**
 * Measures over pairs of raters, each with a 95 % interval by the jackknife over clusters: every measure again without
 * each cluster of items (from 100 clusters on without each of 100 groups of them, grouped by their names alone),
 *
 *     SE^2 = (G - 1) / G * sum over groups of (z_g - mean z)^2,  z = atanh of the measure, t quantile on G - 1 degrees.
 *
 * All measures lie in [-1, 1]; Fisher's scale keeps the interval there. No interval of one cluster, of a measure at 1
 * or -1, or where leaving one group out leaves it undefined. In simulations of a kappa and a correlation of 0.6 the
 * intervals hold the truth in 96 to 98 of 100 (20 to 200 clusters, of one item or of four that depend on one another).
 */
export function measureOverPairs<Name extends string>(
	pairs: readonly RaterPair[],
	{ measures, clusterOf }: { measures: Record<Name, PairMeasure>; clusterOf(item: string): string },
): Record<Name, Measured> {
	const names = Object.keys(measures) as Name[];
	const groupOf = jackknifeGroups(pairs.flatMap(({ items }) => items.map(clusterOf)));
	const groups = new Set(groupOf.values()).size;
	const places = pairs.map(({ items }) => items.map((item) => groupOf.get(clusterOf(item)) ?? 0));
	const without = new Map<Name, (number | null)[]>(names.map((name) => [name, []]));
	for (let group = 0; groups > 1 && group < groups; group++) {
		const rest = pairs.flatMap((pair, index) => pairWithout(pair, { places: places[index] ?? [], group }) ?? []);
		for (const name of names) without.get(name)?.push(meanOverPairs(rest, measures[name]));
	}
	const found = names.map((name) => [name, measured(meanOverPairs(pairs, measures[name]), without.get(name) ?? [])]);
	return Object.fromEntries(found) as Record<Name, Measured>;
}

function pairWithout(
	{ a, b, items }: RaterPair,
	{ places, group }: { places: readonly number[]; group: number },
): RaterPair | undefined {
	const kept = <Value>(values: readonly Value[]) => values.filter((_, at) => places[at] !== group);
	const rest = { a: kept(a), b: kept(b), items: kept(items) };
	return rest.items.length > 0 ? rest : undefined;
}

function measured(value: number | null, without: readonly (number | null)[]): Measured {
	const none = { value, low: null, high: null };
	if (value === null) return { ...none, reason: "undefined: too little was rated, or one value throughout" };
	if (without.length < 2) return { ...none, reason: "one cluster has no spread" };
	const scaled = without.flatMap((one) => (one === null || Math.abs(one) >= 1 ? [] : [Math.atanh(one)]));
	if (scaled.length < without.length || Math.abs(value) >= 1)
		return { ...none, reason: "too little disagreement was seen, or too little was rated, for a width" };
	const half = jackknifeHalfWidth(scaled);
	if (half === null) return { ...none, reason: "no spread was seen, so the width is unknown" };
	return { value, low: Math.tanh(Math.atanh(value) - half), high: Math.tanh(Math.atanh(value) + half) };
}
