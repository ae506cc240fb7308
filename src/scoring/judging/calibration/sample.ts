import { grouped, usageError } from "#domain";
import { sum } from "../../statistics/moments.ts";
import { hashOf } from "../hash-of.ts";

/** An item drawn, with the stratum it stands for. */
export interface Drawn<Item> {
	item: Item;
	/** A number that tells labellers nothing of what the stratum is. */
	stratum: string;
	/** Items of its stratum that each one drawn stands for: N_h / n_h. The weights of a sample sum to the population. */
	weight: number;
}

/**
 * Draws `size` items, from every stratum in proportion to its size and at least one: largest remainders, then a seeded
 * choice within. The same seed draws the same items whatever their order; they come out mixed, so that neighbours tell
 * nothing. All items where there are no more than `size`. Fewer places than strata: an error (exit 2).
 */
export function sampleItems<Item>(
	items: readonly Item[],
	{
		size,
		seed,
		id,
		stratum = () => "",
	}: { size: number; seed: number; id(item: Item): string; stratum?(item: Item): string },
): Drawn<Item>[] {
	const ranked = items.map((item) => ({ item, rank: hashOf([seed, "draw", id(item)]) }));
	const strata = grouped(ranked, ({ item }) => stratum(item));
	// numbered in an order that says nothing either
	const ordered = [...strata].sort(([a], [b]) =>
		hashOf([seed, "stratum", a]) < hashOf([seed, "stratum", b]) ? -1 : 1,
	);
	const places = allocate(
		ordered.map(([, members]) => members.length),
		size,
	);
	return ordered
		.flatMap(([, members], index) => {
			const taken = places[index] ?? 0;
			const chosen = members.sort((a, b) => (a.rank < b.rank ? -1 : 1)).slice(0, taken);
			return chosen.map(({ item, rank }) => ({
				drawn: { item, stratum: String(index + 1), weight: members.length / taken },
				rank,
			}));
		})
		.sort((a, b) => (a.rank < b.rank ? -1 : 1))
		.map(({ drawn }) => drawn);
}

/**
 * Places for each stratum: in proportion by largest remainders, at least one, at most its size. Sums to `size`, or to
 * all there are where that is less. Of equal remainders the first stratum's comes first.
 */
export function allocate(sizes: readonly number[], size: number): number[] {
	const total = sizes.reduce((sum, count) => sum + count, 0);
	if (size >= total) return [...sizes];
	if (size < sizes.length)
		throw usageError(
			"too-many-strata",
			`${size} places for ${sizes.length} strata: every stratum must be seen`,
			`Ask for at least ${sizes.length} (--size), or stratify by less.`,
			{ facts: { size, strata: sizes.length } },
		);
	const quotas = sizes.map((count) => (size * count) / total);
	const places = quotas.map((quota) => Math.max(1, Math.floor(quota)));
	const over = (index: number) => (places[index] ?? 0) - (quotas[index] ?? 0);
	const indices = sizes.map((_, index) => index);
	for (let left = size - sum(places); left !== 0; left -= Math.sign(left)) {
		const step = Math.sign(left);
		const able = indices.filter((index) =>
			step > 0 ? (places[index] ?? 0) < (sizes[index] ?? 0) : (places[index] ?? 0) > 1,
		);
		const chosen = able.reduce((best, index) => (step * over(index) < step * over(best) ? index : best), able[0] ?? 0);
		places[chosen] = (places[chosen] ?? 0) + step;
	}
	return places;
}
