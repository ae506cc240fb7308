import { byScore, type Ranked } from "./ranked.ts";

/** Cormack, Clarke and Büttcher 2009: large enough that the first places of one list do not drown the other's. */
const constant = 60;

/**
 * Reciprocal rank fusion: an item scores the sum over lists of 1 / (60 + rank), rank from 1; lists that lack it give
 * nothing. Best first, ties by id ascending.
 */
export function fuse(lists: Ranked[][]): Ranked[] {
	const scores = new Map<string, number>();
	for (const list of lists)
		for (const [index, { id }] of list.entries()) scores.set(id, (scores.get(id) ?? 0) + 1 / (constant + index + 1));
	return [...scores].map(([id, score]) => ({ id, score })).sort(byScore);
}
