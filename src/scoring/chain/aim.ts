import { type Hop, identifyingHops, remembering, type Step, type Task } from "#domain";

/** A hop that some words aim at, and how alike they are to its sub-question, in [0, 1]. */
export interface Aimed {
	hop: string;
	similarity: number;
}

/** What a step looks for: its words, or a question image. */
export interface Looking {
	/** Sub-question and query; the one more alike counts. */
	words: readonly string[];
	/** Index of the question image that is searched with. */
	image?: number | undefined;
}

/** Fixed before anything was measured: below this, words aim at no hop. */
export const leastSimilarity = 0.35;
/** Hops this near to the best are aimed at too: two sub-questions can differ in a name only. */
const nearBest = 0.95;
/** Texts whose likenesses are kept. */
const mostKept = 100;

/**
 * Which gold hops of a task some words aim at, most alike first; empty where none does.
 *
 * Similarity is the cosine of counts of letter triples within words (case, accents and punctuation folded), each
 * weighted by how few of the task's sub-questions hold it, so that what tells the hops apart counts and what they share
 * does not. A search by a question image aims at the hop that the image identifies, whatever its words; by an image that
 * identifies none (a crop), at what its words say. Words of the whole question, which lie between its hops, aim at the
 * nearest. Nothing is to be found for a hop that only computes, so it is aimed at with `computing` alone.
 */
export function createAim(task: Task): {
	at(looking: Looking, options?: { computing?: boolean }): Aimed[];
	similarity(words: string, hop: string): number;
} {
	const hops = task.chain?.hops ?? [];
	const sought = hops.filter(({ evidence }) => evidence.length > 0);
	const identified = identifyingHops(task);
	const index = indexed(hops.map((hop) => triples(hop.question)));
	const places = new Map(hops.map(({ id }, place) => [id, place]));
	// an agent says the same words of several steps, and in several attempts at a task
	const likeness = remembering((text: string): number[] => cosines(triples(text), index), { most: mostKept });
	const similarity = (words: string, hop: string) => likeness(words)[places.get(hop) ?? -1] ?? 0;
	return {
		similarity,
		at({ words, image }, { computing = false } = {}) {
			const shown = image === undefined ? undefined : [...identified].find(([, index]) => index === image)?.[0];
			if (shown !== undefined) return [{ hop: shown, similarity: 1 }];
			const all = (computing ? hops : sought).map(({ id }) => ({
				hop: id,
				similarity: Math.max(0, ...words.map((text) => similarity(text, id))),
			}));
			const best = Math.max(0, ...all.map((one) => one.similarity));
			return all
				.filter((one) => one.similarity >= leastSimilarity && one.similarity >= nearBest * best)
				.sort((a, b) => b.similarity - a.similarity);
		},
	};
}

/** What a recorded step looks for. */
export function lookingOf({ subQuestion, call }: Pick<Step, "subQuestion" | "call">): Looking {
	const { query, image } = call?.arguments ?? {};
	const words = [subQuestion, query].filter((text): text is string => typeof text === "string" && text.trim() !== "");
	return typeof image === "number" ? { words, image } : { words };
}

/** The sub-questions as vectors, by triple. */
interface TripleIndex {
	/** The weight of a triple, and its part of each sub-question's vector. */
	triples: Map<string, { weight: number; parts: number[] }>;
	lengths: readonly number[];
	/** The weight of a triple that no sub-question holds. */
	foreign: number;
}

function indexed(questions: readonly ReadonlyMap<string, number>[]): TripleIndex {
	const found: TripleIndex["triples"] = new Map();
	for (const [place, counts] of questions.entries())
		counts.forEach((count, triple) => {
			const entry = found.get(triple) ?? { weight: 0, parts: Array<number>(questions.length).fill(0) };
			entry.parts[place] = count;
			found.set(triple, entry);
		});
	const weightOf = (holding: number) => Math.log(1 + (questions.length + 1) / (1 + holding));
	const lengths = Array<number>(questions.length).fill(0);
	for (const entry of found.values()) {
		entry.weight = weightOf(entry.parts.reduce((sum, count) => sum + (count > 0 ? 1 : 0), 0));
		for (const [place, count] of entry.parts.entries()) {
			if (count === 0) continue;
			const part = count * entry.weight;
			entry.parts[place] = part;
			lengths[place] = (lengths[place] ?? 0) + part * part;
		}
	}
	return { triples: found, lengths: lengths.map(Math.sqrt), foreign: weightOf(0) };
}

/** The cosine of a text's vector with that of each sub-question. */
function cosines(counts: ReadonlyMap<string, number>, { triples, lengths, foreign }: TripleIndex): number[] {
	const products = Array<number>(lengths.length).fill(0);
	let squares = 0;
	// forEach, since entries of a map are arrays, and these are many
	counts.forEach((count, triple) => {
		const entry = triples.get(triple);
		const weight = count * (entry?.weight ?? foreign);
		squares += weight * weight;
		if (!entry) return;
		for (let place = 0; place < products.length; place++)
			products[place] = (products[place] ?? 0) + weight * (entry.parts[place] ?? 0);
	});
	const length = Math.sqrt(squares);
	return products.map((product, place) => {
		const both = length * (lengths[place] ?? 0);
		return both === 0 ? 0 : Math.min(1, product / both);
	});
}

const longest = 2000;

/** Letter triples of each word, with its start and end; a character of a script without spaces counts by itself. */
function triples(text: string): Map<string, number> {
	const counts = new Map<string, number>();
	const add = (triple: string) => counts.set(triple, (counts.get(triple) ?? 0) + 1);
	const cut = text.slice(0, longest);
	const plain = !/[^\0-\x7f]/.test(cut);
	const folded = (plain ? cut : cut.normalize("NFKD").replace(/\p{M}/gu, "")).toLowerCase();
	for (const word of folded.match(plain ? /[a-z0-9]+/g : /[\p{L}\p{N}]+/gu) ?? []) {
		if (!plain && /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(word)) {
			for (const character of word) add(character);
			continue;
		}
		const marked = `^${word}$`;
		for (let at = 0; at + 3 <= marked.length; at++) add(marked.slice(at, at + 3));
	}
	return counts;
}

/** Whether a hop is one of those aimed at. */
export const aimsAt = (aimed: readonly Aimed[], hop: Pick<Hop, "id">): boolean =>
	aimed.some((one) => one.hop === hop.id);
