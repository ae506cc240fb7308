import { type JudgedRanking, rankingMetric } from "./judged-ranking.ts";

/**
 * Binary preference of one query, in [0, 1]: how rarely a document known not to be relevant stands before a relevant
 * one. Only judged documents count, so that it holds where judgements are incomplete.
 *
 * bpref = 1/R * sum over retrieved relevant documents of 1 - min(n, R) / min(N, R), with n the documents judged 0
 * that stand before it, N all judged 0, R all relevant; n = 0 adds 1. R = 0: 0. Grades below 0 mean unjudged.
 * Source: Buckley and Voorhees 2004; trec_eval `bpref`.
 */
export function bpref(ranking: JudgedRanking): number {
	const relevant = ranking.ideal.length;
	if (relevant === 0) return 0;
	let before = 0;
	let sum = 0;
	for (const grade of ranking.grades) {
		if (grade === 0) before += 1;
		else if (grade !== null && grade > 0)
			sum += before === 0 ? 1 : 1 - Math.min(before, relevant) / Math.min(ranking.nonRelevant, relevant);
	}
	return sum / relevant;
}

export const bprefMetric = rankingMetric(
	{
		name: "bpref",
		describe:
			"How rarely documents judged not relevant stand before relevant ones; results without judgement are skipped.",
		formula: "1/R sum over retrieved relevant documents of 1 - min(judged 0 before it, R) / min(all judged 0, R)",
		edges: "Nothing judged 0 before a document adds 1. Grades below 0 mean unjudged. R = 0: 0. An id twice: unscored.",
		source: "trec_eval (bpref)",
		qrels: { a: 1, b: 0, c: 1 },
		scores: { b: 0.9, a: 0.7, c: 0.5 },
		cut: false,
	},
	bpref,
);
