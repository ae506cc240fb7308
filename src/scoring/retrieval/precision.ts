import { gainsWithin, type JudgedRanking, rankingMetric } from "./judged-ranking.ts";

/**
 * Precision of one query, in [0, 1]: relevant documents within the first k over k, even when fewer were retrieved.
 * Without k, over the results there are; no result: 0. Source: trec_eval `P`; the whole list: `set_P`.
 */
export function precision(ranking: JudgedRanking, options: { k?: number | undefined } = {}): number {
	const { k = ranking.grades.length } = options;
	if (k === 0) return 0;
	return gainsWithin(ranking, k).filter((gain) => gain > 0).length / k;
}

export const precisionMetric = rankingMetric(
	{
		name: "precision",
		describe: "Precision@k: share of the first k results that are relevant.",
		formula: "relevant within k / k",
		edges:
			"Divides by k even when fewer were retrieved. Without k: by the results there are; no result: 0. An id twice: unscored.",
		source: "trec_eval (P, set_P)",
		qrels: { a: 1, c: 1 },
		scores: { b: 0.9, a: 0.7 },
		k: 5,
	},
	precision,
);
