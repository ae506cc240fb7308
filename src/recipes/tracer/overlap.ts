import { wordsOf } from "#corpus";
import { Item, questionOf } from "#domain";
import { characterTrainer, createCharacterEncoder } from "#encoders";
import { asPiece, defineStage, type Stage } from "../engine/stage.ts";

/** Questions that are nearest by words, among which the nearest by vector is looked for. */
const nearest = 100;

/**
 * Notes on each item how near the nearest question of known benchmarks is: the cosine of TF-IDF vectors, and that of the
 * offline text encoder among the hundred nearest by words. Means and medians over a benchmark are for its card.
 * Source: AgenticRAGTracer, appendix on overlap (TF-IDF mean .134, median .123; embeddings mean .521).
 */
export function overlapWith(known: readonly string[]): Stage<Item, Item> {
	let index: ReturnType<typeof indexOf> | undefined;
	return defineStage("annotate", "overlap", 1, {
		params: { known: known.length },
		output: Item,
		run(item) {
			if (known.length === 0) return [asPiece(item)];
			index ??= indexOf(known);
			const overlap = index.nearestTo(questionOf(item));
			return [asPiece({ ...item, notes: { ...item.notes, overlap } })];
		},
	});
}

function indexOf(known: readonly string[]) {
	const trainer = characterTrainer();
	const counts = known.map((question) => {
		trainer.add(question);
		return countOf(question);
	});
	const holding = new Map<string, number>();
	for (const count of counts) for (const word of count.keys()) holding.set(word, (holding.get(word) ?? 0) + 1);
	const vectorOf = (count: ReadonlyMap<string, number>) => {
		const weights = [...count].map(([word, times]): [string, number] => {
			const rarity = Math.log((1 + known.length) / (1 + (holding.get(word) ?? 0))) + 1;
			return [word, times * rarity];
		});
		const length = Math.hypot(...weights.map(([, weight]) => weight));
		return weights.map(([word, weight]): [string, number] => [word, weight / length]);
	};
	const postings = new Map<string, [at: number, weight: number][]>();
	for (const [at, count] of counts.entries())
		for (const [word, weight] of vectorOf(count)) {
			const list = postings.get(word) ?? [];
			list.push([at, weight]);
			postings.set(word, list);
		}
	const encoder = createCharacterEncoder(trainer.weights());
	return {
		nearestTo(question: string): { tfidf: number; embedding: number; question: string } {
			const scores = new Map<number, number>();
			for (const [word, weight] of vectorOf(countOf(question)))
				for (const [at, other] of postings.get(word) ?? []) scores.set(at, (scores.get(at) ?? 0) + weight * other);
			const best = [...scores].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, nearest);
			const own = encoder.encode(question);
			const cosines = best.map(([at]) => {
				const other = encoder.encode(known[at] ?? "");
				return own.reduce((sum, value, place) => sum + value * (other[place] ?? 0), 0);
			});
			const share = (value: number) => Number(Math.min(1, Math.max(0, value)).toFixed(6));
			const [first] = best;
			return {
				tfidf: share(first?.[1] ?? 0),
				embedding: share(Math.max(0, ...cosines)),
				question: first ? (known[first[0]] ?? "") : "",
			};
		},
	};
}

function countOf(text: string): Map<string, number> {
	const count = new Map<string, number>();
	for (const word of wordsOf(text)) count.set(word, (count.get(word) ?? 0) + 1);
	return count;
}
