import { gainsWithin, type JudgedRanking, rankingMetric } from "./judged-ranking.ts";

/**
 * Average precision of one query, in [0, 1]: the sum of the precision at each rank <= k that holds a relevant document,
 * over R, the number of all documents judged relevant, retrieved or not and whatever k is. MAP is its mean over queries.
 *
 * R = 0: 0, as trec_eval has it. Source: trec_eval `map` and `map_cut`.
 */
export function averagePrecision(ranking: JudgedRanking, options: { k?: number | undefined } = {}): number {
	const relevant = ranking.ideal.length;
	if (relevant === 0) return 0;
	let found = 0;
	let sum = 0;
	for (const [index, gain] of gainsWithin(ranking, options.k).entries()) {
		if (gain === 0) continue;
		found += 1;
		sum += found / (index + 1);
	}
	return sum / relevant;
}

export const mapMetric = rankingMetric(
	{
		name: "map",
		describe: "Average precision of one query, cut at k; its mean over queries is MAP.",
		formula: "sum over ranks r <= k that hold a relevant document of (relevant within r / r), over R",
		edges:
			"R counts all documents judged above 0, retrieved or not. R = 0: 0. An id twice: unscored. Without k: the whole list.",
		source: "trec_eval (map, map_cut)",
		qrels: { a: 1, b: 1 },
		scores: { b: 0.9, x: 0.8, a: 0.7 },
	},
	averagePrecision,
);
