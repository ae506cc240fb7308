import { gainsWithin, type JudgedRanking, rankingMetric } from "./judged-ranking.ts";

/**
 * Reciprocal rank of one query, in [0, 1]: 1 / rank of the first relevant document within the first k, 0 if there is
 * none. MRR is its mean over queries. Source: trec_eval `recip_rank`, which has no cut; with one as MS MARCO's MRR@10.
 */
export function reciprocalRank(ranking: JudgedRanking, options: { k?: number | undefined } = {}): number {
	const first = gainsWithin(ranking, options.k).findIndex((gain) => gain > 0);
	return first < 0 ? 0 : 1 / (first + 1);
}

export const mrrMetric = rankingMetric(
	{
		name: "mrr",
		describe: "Reciprocal rank of the first relevant document, cut at k; its mean over queries is MRR.",
		formula: "1 / rank of the first relevant document, 0 if none is within k",
		edges: "No relevant document: 0. An id twice: unscored. Without k: the whole list.",
		source: "trec_eval (recip_rank)",
		qrels: { a: 1 },
		scores: { b: 0.9, a: 0.7 },
		k: 10,
	},
	reciprocalRank,
);
