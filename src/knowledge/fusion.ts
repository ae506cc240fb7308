import type { IndexName } from "./query.ts";
import { byScore, type Ranked } from "./ranked.ts";

/** What one index answered. */
export interface AnswerList {
	index: IndexName;
	hits: Ranked[];
	/** How much its ranks count; 1 where nothing is said. */
	weight?: number;
}

export interface Fused extends Ranked {
	indexes: IndexName[];
}

/** Cormack, Clarke and Büttcher 2009: large enough that the first places of one list do not drown the other's. */
const constant = 60;

/**
 * Reciprocal rank fusion: an item scores the sum over lists of weight / (60 + rank), where its rank is one more than how many
 * score higher, so that equals count equally; lists that lack it give nothing. Best first, ties by id ascending. A single
 * list keeps its own scores.
 */
export function fuse(lists: AnswerList[]): Fused[] {
	const [only] = lists;
	if (only && lists.length === 1) return only.hits.map((hit) => ({ ...hit, indexes: [only.index] }));
	const fused = new Map<string, Fused>();
	for (const { index, hits, weight = 1 } of lists) {
		let rank = 1;
		for (const [place, hit] of hits.entries()) {
			if (hit.score !== hits[place - 1]?.score) rank = place + 1;
			const score = weight / (constant + rank);
			const known = fused.get(hit.id);
			if (known) {
				known.score += score;
				known.indexes.push(index);
			} else fused.set(hit.id, { ...hit, score, indexes: [index] });
		}
	}
	return [...fused.values()].sort(byScore);
}
