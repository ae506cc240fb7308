import { gainsWithin, type JudgedRanking, rankingMetric } from "./judged-ranking.ts";

/** Success at k, 0 or 1: whether a relevant document is within the first k. Source: trec_eval `success`. */
export function success(ranking: JudgedRanking, options: { k?: number | undefined } = {}): 0 | 1 {
	return gainsWithin(ranking, options.k).some((gain) => gain > 0) ? 1 : 0;
}

export const successMetric = rankingMetric(
	{
		name: "success",
		describe: "Success@k: whether any relevant document is within the first k.",
		formula: "1 if a relevant document is within k, else 0",
		range: "0 or 1",
		edges: "No relevant document: 0. An id twice: unscored. Without k: the whole list.",
		source: "trec_eval (success)",
		qrels: { a: 1, c: 1 },
		scores: { b: 0.9, a: 0.7 },
		k: 1,
	},
	success,
);
