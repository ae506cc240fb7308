import type { KnowledgeBase, Query, SearchResult } from "#knowledge";
import { sha256 } from "#store";

/** Results that are held, about half a kilobyte each; a list counts as one more. */
const mostHeld = 80_000;

interface Held {
	found: Promise<SearchResult[]>;
	size: number;
}

/**
 * A knowledge base that remembers what it found: the rollouts of a group begin with the same image and ask much the same.
 * The same query while the first is at work waits for it; a failure is not kept.
 */
export function rememberSearches(knowledge: KnowledgeBase, { most = mostHeld } = {}): KnowledgeBase {
	const held = new Map<string, Held>();
	let size = 0;
	function forget(key: string): void {
		size -= held.get(key)?.size ?? 0;
		held.delete(key);
	}
	function keep(key: string, one: Held): void {
		held.set(key, one);
		size += one.size;
		for (const oldest of held.keys()) {
			if (size <= most) break;
			forget(oldest);
		}
	}
	function begin(key: string, query: Query): Held {
		const one: Held = { found: knowledge.search(query), size: 1 };
		one.found.then(
			({ length }) => {
				if (held.get(key) !== one) return;
				forget(key);
				keep(key, Object.assign(one, { size: 1 + length }));
			},
			() => held.get(key) === one && forget(key),
		);
		return one;
	}
	return {
		...knowledge,
		search(query) {
			const key = keyOf(query);
			const one = held.get(key) ?? begin(key, query);
			forget(key);
			keep(key, one);
			return one.found;
		},
	};
}

/** Pictures in memory by their content, files by their path: those of a benchmark do not change while it is played. */
function keyOf({ image, ...query }: Query): string {
	const picture = Buffer.isBuffer(image) ? { sha256: sha256(image) } : image;
	return JSON.stringify({ ...query, picture });
}
