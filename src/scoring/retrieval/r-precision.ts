import { type JudgedRanking, rankingMetric } from "./judged-ranking.ts";
import { recall } from "./recall.ts";

/**
 * R-precision of one query, in [0, 1]: relevant documents within the first R results over R, the number of documents
 * judged relevant; there precision and recall are the same. R = 0: 0. Source: trec_eval `Rprec`.
 */
export function rPrecision(ranking: JudgedRanking): number {
	return recall(ranking, { k: ranking.ideal.length });
}

export const rPrecisionMetric = rankingMetric(
	{
		name: "r-precision",
		describe: "Precision at R, the number of relevant documents.",
		formula: "relevant within the first R / R",
		edges: "R = 0: 0. An id twice: unscored. It takes no k.",
		source: "trec_eval (Rprec)",
		qrels: { a: 1, c: 1 },
		scores: { b: 0.9, a: 0.7, c: 0.5 },
		cut: false,
	},
	rPrecision,
);
