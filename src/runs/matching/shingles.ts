/*
 * Which passages a text holds, by runs of five words: a chunk that was cut elsewhere shares them with the passages it was
 * cut from, wherever its edges are. Passages are indexed once and a text is looked up by its own runs, so that the time is
 * that of reading both.
 */

/** Words of a shingle. */
const width = 5;
/** So much of the shorter of two texts stands in the other where both say the same. */
const half = 0.5;
/** A shingle that more passages share is their common form, and says of none of them that it came back. */
const mostSharing = 20;
/** Of one index: what fits in memory (8 bytes each), and in the numbers that it is packed into. */
const mostShingles = 24_000_000;
const mostPassages = 2 ** 21;
const buckets = 2 ** 18;

/** Words in lower case, compatibility forms unified; of scripts without spaces each character. */
function wordsOf(text: string): string[] {
	const plain = text.normalize("NFKC").toLowerCase();
	return plain.match(unspaced.test(plain) ? characters : words) ?? [];
}

const words = /[\p{L}\p{N}\p{M}]+/gu;
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const characters =
	/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{N}\p{M}])+/gu;

/** The texts of words alone: what differs in case, punctuation, compatibility forms or white space is the same. */
export const normalised = (text: string): string => wordsOf(text).join(" ");

/** The hashes of a text's shingles, each once. A text of fewer words has none. */
export function shinglesOf(text: string): Set<number> {
	const hashes = wordsOf(text).map(hashOf);
	const shingles = new Set<number>();
	for (let at = 0; at + width <= hashes.length; at += 1) {
		let hash = 0;
		for (let next = at; next < at + width; next += 1)
			hash = Math.imul(hash ^ (hashes[next] ?? 0), 0x9e3779b1) ^ (hash >>> 15);
		shingles.add(hash >>> 0);
	}
	return shingles;
}

/** FNV-1a. */
function hashOf(word: string): number {
	let hash = 0x811c9dc5;
	for (let at = 0; at < word.length; at += 1) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
	return hash;
}

/** Whether one of two texts says half of the other, the shorter one's words counting; of a few words nothing can be told. */
export function areAlike(a: string, b: string): boolean {
	const [few, many] = [shinglesOf(a), shinglesOf(b)].sort((one, other) => one.size - other.size);
	if (!few || !many || few.size === 0) return true;
	let shared = 0;
	for (const shingle of few) if (many.has(shingle)) shared += 1;
	return shared >= half * few.size;
}

export interface Shared {
	id: string;
	/** The share of the passage's shingles that stand in the text, and of the text's that stand in the passage. */
	ofPassage: number;
	ofText: number;
}

export interface ShingleIndex {
	/** Adds a passage, where there is room; `gold` ones stay where there is not for all. */
	add(id: string, text: string, options: { gold: boolean }): boolean;
	/** Whether there was no room for passages that are not gold. */
	isCut(): boolean;
	/** The passages that share shingles with a text, what it holds most of first. No more can be added then. */
	sharing(text: string): Shared[];
}

export function createShingleIndex({ most = mostShingles }: { most?: number } = {}): ShingleIndex {
	const ids: string[] = [];
	let [gold, others] = [packed(), packed()];
	let isCut = false;
	let found: ReturnType<typeof sorted> | undefined;
	return {
		isCut: () => isCut,
		add(id, text, { gold: isGold }) {
			if (isCut && !isGold) return false;
			const shingles = shinglesOf(text);
			if (gold.length() + others.length() + shingles.size > most || ids.length >= mostPassages - 1) {
				isCut = true;
				others = packed();
				if (!isGold || gold.length() + shingles.size > most) return false;
			}
			const into = isGold ? gold : others;
			for (const shingle of shingles) into.push(shingle * mostPassages + ids.length);
			ids.push(id);
			return true;
		},
		sharing(text) {
			if (!found) {
				found = sorted([gold, others], ids.length);
				gold = others = packed();
			}
			const { of, sizes } = found;
			const counts = new Map<number, number>();
			const shingles = shinglesOf(text);
			for (const shingle of shingles) of(shingle, (passage) => counts.set(passage, (counts.get(passage) ?? 0) + 1));
			return [...counts]
				.sort(([a], [b]) => a - b)
				.map(([passage, shared]) => ({
					id: ids[passage] ?? "",
					ofPassage: shared / (sizes[passage] ?? 1),
					ofText: shared / shingles.size,
				}))
				.sort((a, b) => b.ofPassage - a.ofPassage);
		},
	};
}

/** Numbers in a row, without the cost of an object each. */
function packed() {
	let numbers = new Float64Array(1 << 16);
	let length = 0;
	return {
		length: () => length,
		push(number: number) {
			if (length === numbers.length) {
				const grown = new Float64Array(2 * length);
				grown.set(numbers);
				numbers = grown;
			}
			numbers[length] = number;
			length += 1;
		},
		all: () => numbers.subarray(0, length),
	};
}

/** Shingles with the passages that hold them, in the order of shingles, and how many each passage has. */
function sorted(parts: readonly ReturnType<typeof packed>[], passages: number) {
	const all = new Float64Array(parts.reduce((sum, part) => sum + part.length(), 0));
	let at = 0;
	for (const part of parts) {
		all.set(part.all(), at);
		at += part.length();
	}
	all.sort();
	const sizes = new Uint32Array(passages);
	const starts = new Uint32Array(buckets + 1);
	let kept = 0;
	for (let from = 0; from < all.length; ) {
		const shingle = shingleIn(all, from);
		let to = from + 1;
		while (to < all.length && shingleIn(all, to) === shingle) to += 1;
		if (to - from <= mostSharing)
			for (let one = from; one < to; one += 1) {
				const entry = all[one] ?? 0;
				const passage = entry % mostPassages;
				sizes[passage] = (sizes[passage] ?? 0) + 1;
				all[kept] = entry;
				kept += 1;
				starts[bucketOf(shingle) + 1] = kept;
			}
		from = to;
	}
	for (let bucket = 1; bucket <= buckets; bucket += 1)
		starts[bucket] = Math.max(starts[bucket] ?? 0, starts[bucket - 1] ?? 0);
	return {
		sizes,
		/** The passages that hold a shingle, one after another: a list of each would cost more than the search. */
		of(shingle: number, each: (passage: number) => void): void {
			const bucket = bucketOf(shingle);
			let [low, high] = [starts[bucket] ?? 0, starts[bucket + 1] ?? 0];
			const end = high;
			while (low < high) {
				const middle = (low + high) >>> 1;
				if (shingleIn(all, middle) < shingle) low = middle + 1;
				else high = middle;
			}
			for (; low < end && shingleIn(all, low) === shingle; low += 1) each((all[low] ?? 0) % mostPassages);
		},
	};
}

const shingleIn = (all: Float64Array, at: number) => Math.floor((all[at] ?? 0) / mostPassages);
const bucketOf = (shingle: number) => Math.floor(shingle / (2 ** 32 / buckets));
