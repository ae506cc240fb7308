import { hashOf } from "./hash-of.ts";
import type { Shown } from "./rubric.ts";

/** Which of the two answers comes first: either half of the time, the same for the same parts (seed, item, run). */
export function firstOf(parts: readonly unknown[]): Shown["first"] {
	return Number.parseInt(hashOf([...parts, "answers"]).slice(0, 2), 16) % 2 === 0 ? "reference" : "submitted";
}

/** Items in an order that the parts (seed, item, run) draw, by their names alone. */
export function drawnOrder<Item>(
	items: readonly Item[],
	{ parts, nameOf }: { parts: readonly unknown[]; nameOf(item: Item): string },
): Item[] {
	return items
		.map((item) => ({ item, rank: hashOf([...parts, nameOf(item)]) }))
		.sort((a, b) => (a.rank < b.rank ? -1 : 1))
		.map(({ item }) => item);
}
