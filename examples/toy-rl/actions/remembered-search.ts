import type { KnowledgeBase, Query, SearchResult } from "#knowledge";

/** A knowledge base that searches each query once: the same query gives the same results anyway. */
export interface RememberedSearch extends KnowledgeBase {
	/** Searches asked for, and those of them that the knowledge base carried out. */
	readonly counts: { asked: number; real: number };
}

export function rememberSearches(knowledge: KnowledgeBase): RememberedSearch {
	const known = new Map<string, Promise<SearchResult[]>>();
	const counts = { asked: 0, real: 0 };
	return {
		...knowledge,
		counts,
		search(query: Query) {
			const { image, ...rest } = query;
			// pictures are asked for by their paths; bytes would make a key of megabytes
			if (image !== undefined && typeof image !== "string") return knowledge.search(query);
			const key = JSON.stringify([rest, image]);
			counts.asked += 1;
			const before = known.get(key);
			if (before) return before;
			counts.real += 1;
			const found = knowledge.search(query);
			known.set(key, found);
			// what failed is asked again
			found.catch(() => known.delete(key));
			return found;
		},
	};
}
