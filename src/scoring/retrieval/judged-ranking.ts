import { z } from "zod";
import { defineMetric, type Metric, type MetricResult, valuesByName } from "../metric.ts";
import { byBytes } from "./document-order.ts";

/**
 * How scores are compared: `trec_eval` as doubles (version 10), `trec_eval-float32` rounded to single precision, as
 * versions up to 9.0.8 store them, and with them pytrec_eval, BEIR and MTEB: more scores tie there.
 */
export const rankingModes = ["trec_eval", "trec_eval-float32"] as const;
export type RankingMode = (typeof rankingModes)[number];

/** What the ranking metrics measure: one query's results in order, and what was judged of it. */
export interface JudgedRanking {
	/** Grades of the results, best result first; null where a result was not judged. */
	grades: (number | null)[];
	/** Grades above 0 of all judged documents, retrieved or not, highest first. Their number is R. */
	ideal: number[];
	/** Documents judged 0: known not to be relevant. Grades below 0 say that a document was left unjudged. */
	nonRelevant: number;
}

const mostDocuments = 1_000_000;
const documentId = z.string().max(512);

/** The input of every ranking metric: grades of judged documents, and results with their scores in any order. */
export const rankingInput = z.strictObject({
	qrels: valuesByName(z.number().min(-1000).max(1000), { most: mostDocuments }),
	ranked: z.array(z.tuple([documentId, z.number()])).max(mostDocuments),
	k: z.int().positive().optional(),
	mode: z.enum(rankingModes).optional(),
});

/**
 * Puts results in trec_eval's order: by score, descending, then by document id, descending by its bytes ("doc9" before
 * "doc2" before "doc10"); the order they are given in does not count. O(n log n). Null when an id occurs twice, which
 * is an error there.
 */
export function judgedRanking(
	qrels: Readonly<Record<string, number>>,
	ranked: readonly (readonly [string, number])[],
	options: { mode?: RankingMode | undefined } = {},
): JudgedRanking | null {
	const grades = new Map(Object.entries(qrels));
	if (new Set(ranked.map(([id]) => id)).size < ranked.length) return null;
	const single = options.mode === "trec_eval-float32";
	const results = ranked.map(([id, score]) => ({ id, score: single ? Math.fround(score) : score }));
	// compared rather than subtracted: two scores beyond single precision are both infinite
	results.sort((a, b) => (a.score === b.score ? byBytes(b.id, a.id) : a.score > b.score ? -1 : 1));
	const judged = [...grades.values()];
	return {
		grades: results.map(({ id }) => grades.get(id) ?? null),
		ideal: judged.filter((grade) => grade > 0).sort((a, b) => b - a),
		nonRelevant: judged.filter((grade) => grade === 0).length,
	};
}

/** The first k grades, or all of them; results that are not relevant (not judged, or judged 0 or below) are 0. */
export function gainsWithin({ grades }: JudgedRanking, k: number | undefined): number[] {
	return grades.slice(0, k).map((grade) => Math.max(0, grade ?? 0));
}

/**
 * The result of a ranking metric. Beside the value: R as `relevant` (the value of a query without relevant documents
 * is 0, as trec_eval counts it, and `note` says so), and `judged`, the share of the results within k that were judged.
 */
export function measureRanking(
	{ qrels, ranked, k, mode = "trec_eval" }: Omit<z.infer<typeof rankingInput>, "k"> & { k?: number | undefined },
	measure: (ranking: JudgedRanking) => number,
): MetricResult {
	const ranking = judgedRanking(qrels, ranked, { mode });
	if (ranking === null) return { value: null, reason: "ranked: an id occurs twice", mode };
	const shown = ranking.grades.slice(0, k);
	const judged = shown.filter((grade) => grade !== null).length;
	const relevant = ranking.ideal.length;
	return {
		value: measure(ranking),
		mode,
		relevant,
		judged: shown.length === 0 ? null : judged / shown.length,
		...(relevant === 0 ? { note: "no document was judged relevant; trec_eval counts such a query as 0" } : {}),
	};
}

/** The words of a ranking metric's card, and its example: grades of documents, scores of results. */
interface RankingWords extends Record<"name" | "describe" | "formula" | "edges" | "source", string> {
	range?: string;
	qrels: Record<string, number>;
	scores: Record<string, number>;
	k?: number;
	/** False of a metric that knows no cut. */
	cut?: false;
}

/** A metric of one query's ranking. */
export function rankingMetric(
	{ name, describe, formula, range = "0 to 1", edges, source, qrels, scores, k, cut }: RankingWords,
	measure: (ranking: JudgedRanking, options: { k?: number | undefined }) => number,
): Metric {
	const input: z.ZodType<z.infer<typeof rankingInput>> = cut === false ? rankingInput.omit({ k: true }) : rankingInput;
	const example = { qrels, ranked: Object.entries(scores), ...(k === undefined ? {} : { k }) };
	const compute = (given: z.infer<typeof rankingInput>) => measureRanking(given, (ranking) => measure(ranking, given));
	return defineMetric({ name, group: "retrieval", describe, formula, range, edges, source, example, input, compute });
}
