import { gainsWithin, type JudgedRanking, rankingMetric } from "./judged-ranking.ts";

/**
 * Recall of one query, in [0, 1]: relevant documents within the first k over R, all documents judged relevant. Monotone
 * in k. R = 0: 0, as trec_eval has it. Source: trec_eval `recall`; the whole list: `set_recall`.
 */
export function recall(ranking: JudgedRanking, options: { k?: number | undefined } = {}): number {
	if (ranking.ideal.length === 0) return 0;
	return gainsWithin(ranking, options.k).filter((gain) => gain > 0).length / ranking.ideal.length;
}

export const recallMetric = rankingMetric(
	{
		name: "recall",
		describe: "Recall@k: share of the relevant documents that are within the first k.",
		formula: "relevant within k / R",
		edges: "R counts all documents judged above 0. R = 0: 0. An id twice: unscored. Without k: the whole list.",
		source: "trec_eval (recall, set_recall)",
		qrels: { a: 1, c: 1 },
		scores: { b: 0.9, a: 0.7 },
		k: 2,
	},
	recall,
);
