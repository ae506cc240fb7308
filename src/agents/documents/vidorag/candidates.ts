/** Hybrid dynamic retrieval: how many of two rankings' pages are looked at depends on how their scores fall apart. */
import type { Observation } from "../../tools/tools.ts";
import { mostCells } from "./grid.ts";
import { withTheBest } from "./mixture.ts";

type Results = Observation["results"];

/** Pages that a ranking keeps, at least. */
const fewest = 5;
/** The published numbers of pages in one picture. */
const sizes = [1, 2, 4, 6, 9, 12, 16, 20];

/**
 * The pages of a ranking whose scores belong with the best one's, `most` at most; where they are fewer than 5, the best
 * of the others too.
 */
export function keptOf(ranking: Results, { most }: { most: number }): Results {
	const scored = ranking.slice(0, 2 * most);
	const belonging = new Set(withTheBest(scored.map(({ score }) => score)));
	const others = scored.filter((_, place) => !belonging.has(place));
	const kept = scored.filter((_, place) => belonging.has(place)).slice(0, most);
	const missing = Math.max(0, Math.min(fewest, most) - kept.length);
	return [...kept, ...others.slice(0, missing)];
}

/**
 * The pages kept of either ranking, best first: by the sum of 1 / (60 + rank) over the rankings that kept them, ties in
 * the order of the visual one. No more than `most`, and than fit in one picture: Double-Bench gives every framework its five
 * best pages.
 */
export function rankedCandidates(
	{ seen, read }: { seen: Results; read: Results },
	{ most }: { most: number },
): Results {
	const fused = new Map<string, Results[number]>();
	for (const result of [...keptOf(seen, { most }), ...keptOf(read, { most })]) {
		const score = (fused.get(result.id)?.score ?? 0) + 1 / (60 + result.rank);
		fused.set(result.id, { ...(fused.get(result.id) ?? result), score });
	}
	return ranks([...fused.values()].sort((a, b) => b.score - a.score).slice(0, Math.min(most, mostCells)));
}

/**
 * As the published code does it: the union, filled up to the next number of pages that makes a full picture with pages
 * that both rankings hold and then with the visual one's, grouped by document in the order of their first page, within a
 * document by page, so that the order of relevance is lost; then cut to `most`.
 */
export function groupedCandidates(
	{ seen, read }: { seen: Results; read: Results },
	{ most }: { most: number },
): Results {
	const union = new Map([...keptOf(seen, { most }), ...keptOf(read, { most })].map((result) => [result.id, result]));
	const target = sizes.find((size) => size >= union.size) ?? mostCells;
	const inBoth = new Set(read.map(({ id }) => id));
	for (const result of [...seen.filter(({ id }) => inBoth.has(id)), ...seen])
		if (union.size < target && !union.has(result.id)) union.set(result.id, result);
	const documents = new Map<string, Results>();
	for (const page of union.values()) documents.set(page.document, [...(documents.get(page.document) ?? []), page]);
	const ordered = [...documents.values()].flatMap((pages) => pages.sort((a, b) => (a.page ?? 0) - (b.page ?? 0)));
	return ranks(ordered.slice(0, Math.min(most, mostCells)));
}

const ranks = (results: Results): Results => results.map((result, index) => ({ ...result, rank: index + 1 }));
