/** Two sets of tokens, by their places, and the share of tokens that they have in common (Jaccard). */
export interface SimilarPair {
	a: number;
	b: number;
	similarity: number;
}

/** A token that more sets share is followed to the last so many of them only: bounds the work, and is told. */
const mostFollowed = 400;

/**
 * All pairs of sets whose Jaccard similarity reaches the threshold, found without comparing all with all: sets are taken
 * in order of size, and two can reach threshold t only if they share one of their |x| - ceil(t |x|) + 1 rarest tokens
 * (prefix filtering: Chaudhuri et al. 2006; Bayardo et al. 2007). Exact while no such token is shared by more than 400
 * sets of like size; `bounded` counts the look-ups that were cut there, `compared` the pairs that were compared. Empty sets are like none.
 */
export function* similarSets(
	sets: Iterable<readonly string[]>,
	threshold: number,
	told: { bounded: number; compared?: number } = { bounded: 0 },
): Generator<SimilarPair> {
	const { ranked, alone } = rankedByRarity(sets);
	const order = [...ranked.keys()].sort((a, b) => sizeOf(ranked, a) - sizeOf(ranked, b) || a - b);
	const postings = new Map<number, number[]>();
	const stamp = new Int32Array(ranked.length).fill(-1);
	for (const at of order) {
		const tokens = ranked[at] ?? new Int32Array();
		if (tokens.length === 0) continue;
		const least = Math.ceil(threshold * tokens.length - 1e-9);
		const prefix = tokens.length - least + 1;
		for (let place = 0; place < prefix; place += 1) {
			const token = tokens[place] ?? -1;
			// most of the rarest stand in this set only, and lead to no other
			if (token < alone) continue;
			const list = postings.get(token);
			if (!list) {
				postings.set(token, [at]);
				continue;
			}
			let followed = 0;
			// the last are the largest: before the first that is too small, all are
			for (let index = list.length - 1; index >= 0; index -= 1) {
				const other = list[index] ?? -1;
				const otherTokens = ranked[other] ?? new Int32Array();
				if (otherTokens.length < least) break;
				if (followed === mostFollowed) {
					told.bounded += 1;
					break;
				}
				followed += 1;
				if (stamp[other] === at) continue;
				stamp[other] = at;
				told.compared = (told.compared ?? 0) + 1;
				const similarity = jaccard(tokens, otherTokens, threshold);
				if (similarity >= threshold - 1e-12) yield { a: Math.min(at, other), b: Math.max(at, other), similarity };
			}
			list.push(at);
		}
	}
}

const sizeOf = (sets: readonly Int32Array[], at: number) => sets[at]?.length ?? 0;

/**
 * Each set as numbers of tokens in ascending order, the rarest token being 0; ties by the token itself. Tokens below `alone`
 * occur once in all. The numbers stand in one array, and of the texts no more is held than each token once.
 */
function rankedByRarity(sets: Iterable<readonly string[]>): { ranked: Int32Array[]; alone: number } {
	const numbers = new Map<string, number>();
	const counts: number[] = [];
	/** The last set that each token was met in. */
	const last: number[] = [];
	const ends: number[] = [];
	let all = new Int32Array(1024);
	let size = 0;
	for (const set of sets) {
		for (const token of set) {
			const number = numbers.get(token) ?? numbers.size;
			if (number === numbers.size) numbers.set(token, number);
			counts[number] = (counts[number] ?? 0) + 1;
			if (last[number] === ends.length) continue;
			last[number] = ends.length;
			if (size === all.length) {
				const larger = new Int32Array(2 * size);
				larger.set(all);
				all = larger;
			}
			all[size] = number;
			size += 1;
		}
		ends.push(size);
	}
	const tokens = [...numbers.keys()];
	const byRarity = Int32Array.from(tokens.keys()).sort(
		(a, b) => (counts[a] ?? 0) - (counts[b] ?? 0) || ((tokens[a] ?? "") < (tokens[b] ?? "") ? -1 : 1),
	);
	const rank = new Int32Array(tokens.length);
	for (const [place, number] of byRarity.entries()) rank[number] = place;
	for (let at = 0; at < size; at += 1) all[at] = rank[all[at] ?? 0] ?? 0;
	return {
		ranked: ends.map((end, at) => all.subarray(at === 0 ? 0 : ends[at - 1], end).sort()),
		alone: counts.filter((count) => count === 1).length,
	};
}

/** 0 as soon as the threshold is out of reach. */
function jaccard(a: Int32Array, b: Int32Array, threshold: number): number {
	const needed = Math.ceil((threshold / (1 + threshold)) * (a.length + b.length) - 1e-9);
	let shared = 0;
	let i = 0;
	let j = 0;
	while (i < a.length && j < b.length) {
		if (shared + Math.min(a.length - i, b.length - j) < needed) return 0;
		const [x = 0, y = 0] = [a[i], b[j]];
		if (x === y) shared += 1;
		if (x <= y) i += 1;
		if (y <= x) j += 1;
	}
	return shared / (a.length + b.length - shared);
}
