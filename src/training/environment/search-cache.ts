import type { KnowledgeBase, Query, SearchResult } from "#knowledge";
import { sha256 } from "#store";

/** Lists of results that are held: about 30 MB of three results each. */
const mostHeld = 20_000;

/**
 * A knowledge base that remembers what it found: the rollouts of a group begin with the same image and ask much the same.
 * The same query while the first is at work waits for it; a failure is not kept.
 */
export function rememberSearches(knowledge: KnowledgeBase): KnowledgeBase {
	const held = new Map<string, Promise<SearchResult[]>>();
	return {
		...knowledge,
		search(query) {
			const key = keyOf(query);
			const known = held.get(key);
			held.delete(key);
			const found = known ?? knowledge.search(query);
			held.set(key, found);
			if (!known) found.catch(() => held.delete(key));
			for (const oldest of held.keys()) {
				if (held.size <= mostHeld) break;
				held.delete(oldest);
			}
			return found;
		},
	};
}

/** Pictures in memory by their content, files by their path: those of a benchmark do not change while it is played. */
function keyOf({ image, ...query }: Query): string {
	const picture = Buffer.isBuffer(image) ? { sha256: sha256(image) } : image;
	return JSON.stringify({ ...query, picture });
}
