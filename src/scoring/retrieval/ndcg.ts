import { z } from "zod";
import { defineMetric } from "../metric.ts";
import { gainsWithin, type JudgedRanking, measureRanking, rankingInput } from "./judged-ranking.ts";

/** What a grade above 0 is worth: itself (trec_eval), 2^grade - 1 (Burges), or 1. */
const gains = {
	linear: (grade: number) => grade,
	exponential: (grade: number) => 2 ** grade - 1,
	binary: (grade: number) => (grade > 0 ? 1 : 0),
} as const;
type Gain = keyof typeof gains;

/**
 * Normalised discounted cumulative gain of one query, in [0, 1]: DCG@k over the DCG@k of the best order there is.
 *
 * DCG@k = sum over the first k ranks r of gain(grade_r) / log2(r + 1). The best order is of all judged documents,
 * retrieved or not. Grades of 0 and below gain nothing. No relevant document: 0, as trec_eval has it.
 * Worked: grades a 3, b 2, c 1, e 2, results c, a, x, b: ndcg@1 0.3333, @3 0.5498, @5 0.6595.
 * Source: Järvelin and Kekäläinen 2002; trec_eval `ndcg` and `ndcg_cut`.
 */
export function ndcg(
	ranking: JudgedRanking,
	options: { k?: number | undefined; gain?: Gain | undefined } = {},
): number {
	const { k, gain = "linear" } = options;
	const gained = gains[gain];
	const best = discounted(ranking.ideal.slice(0, k).map(gained));
	if (best === 0) return 0;
	// a perfect ranking is 1, whatever rounding says
	return Math.min(1, discounted(gainsWithin(ranking, k).map(gained)) / best);
}

function discounted(gains: readonly number[]): number {
	return gains.reduce((sum, gain, index) => sum + gain / Math.log2(index + 2), 0);
}

export const ndcgMetric = defineMetric({
	name: "ndcg",
	group: "retrieval",
	describe: "Normalised discounted cumulative gain of a ranking with graded relevance, cut at k.",
	formula: "DCG@k / DCG@k of the best order, DCG@k = sum over ranks r <= k of gain(grade) / log2(r + 1)",
	range: "0 to 1",
	edges:
		"Ties by id, descending by bytes. Grades of 0 and below gain nothing. No relevant document: 0. An id twice: unscored. Without k: the whole list. gain is linear (the grade), exponential (2^grade - 1) or binary (1).",
	source: "trec_eval (ndcg, ndcg_cut)",
	example: {
		qrels: { a: 3, b: 2 },
		ranked: [
			["b", 0.9],
			["x", 0.8],
			["a", 0.7],
		],
		k: 3,
	},
	input: rankingInput.extend({ gain: z.enum(["linear", "exponential", "binary"]).optional() }),
	compute: ({ gain, ...input }) => {
		const { k } = input;
		return { ...measureRanking(input, (ranking) => ndcg(ranking, { k, gain })), gain: gain ?? "linear" };
	},
});
