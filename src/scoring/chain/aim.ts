import { type Hop, identifyingHops, type Step, type Task } from "#domain";

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
const leastSimilarity = 0.35;
/** Hops this near to the best are aimed at too: two sub-questions can differ in a name only. */
const nearBest = 0.95;

/**
 * Which gold hops of a task some words aim at, most alike first; empty where none does.
 *
 * Similarity is the cosine of counts of letter triples within words (case, accents and punctuation folded), each
 * weighted by how few of the task's sub-questions hold it, so that what tells the hops apart counts and what they share
 * does not. A search by a question image aims at the hop that the image identifies. Words of the whole question, which
 * lie between its hops, aim at the nearest.
 */
export function createAim(task: Task): {
	at(looking: Looking): Aimed[];
	similarity(words: string, hop: string): number;
} {
	const hops = task.chain?.hops ?? [];
	const identified = identifyingHops(task);
	const counts = new Map(hops.map((hop) => [hop.id, triples(hop.question)]));
	const holding = new Map<string, number>();
	for (const count of counts.values())
		for (const triple of count.keys()) holding.set(triple, (holding.get(triple) ?? 0) + 1);
	const weightOf = (triple: string) => Math.log(1 + (hops.length + 1) / (1 + (holding.get(triple) ?? 0)));
	const vectors = new Map([...counts].map(([id, count]) => [id, weighted(count, weightOf)]));

	function similarity(words: string, hop: string): number {
		const vector = vectors.get(hop);
		return vector ? cosine(weighted(triples(words), weightOf), vector) : 0;
	}
	return {
		similarity,
		at({ words, image }) {
			if (image !== undefined) {
				const hop = [...identified].find(([, index]) => index === image)?.[0];
				return hop === undefined ? [] : [{ hop, similarity: 1 }];
			}
			const asked = words.map((text) => weighted(triples(text), weightOf));
			const all = hops.map(({ id }) => {
				const vector = vectors.get(id);
				return { hop: id, similarity: vector ? Math.max(0, ...asked.map((one) => cosine(one, vector))) : 0 };
			});
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

interface Vector {
	weights: Map<string, number>;
	length: number;
}

function weighted(counts: ReadonlyMap<string, number>, weightOf: (triple: string) => number): Vector {
	const weights = new Map<string, number>();
	let squares = 0;
	for (const [triple, count] of counts) {
		const weight = count * weightOf(triple);
		weights.set(triple, weight);
		squares += weight * weight;
	}
	return { weights, length: Math.sqrt(squares) };
}

function cosine(a: Vector, b: Vector): number {
	if (a.length === 0 || b.length === 0) return 0;
	const [few, many] = a.weights.size < b.weights.size ? [a, b] : [b, a];
	let product = 0;
	for (const [triple, weight] of few.weights) product += weight * (many.weights.get(triple) ?? 0);
	return Math.min(1, product / (a.length * b.length));
}

const longest = 2000;

/** Letter triples of each word, with its start and end; a character of a script without spaces counts by itself. */
function triples(text: string): Map<string, number> {
	const counts = new Map<string, number>();
	const add = (triple: string) => counts.set(triple, (counts.get(triple) ?? 0) + 1);
	const folded = text.slice(0, longest).normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
	for (const [word] of folded.matchAll(/[\p{L}\p{N}]+/gu)) {
		if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(word)) {
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
