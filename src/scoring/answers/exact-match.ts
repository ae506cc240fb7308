import { defineMetric } from "../metric.ts";
import { byWords } from "./matching-input.ts";
import { type MatchOptions, normalise } from "./normalise.ts";

/**
 * Exact match: 1 if the normalised prediction equals any normalised accepted answer, else 0.
 *
 * Two strings that both normalise to nothing are equal ("" and "", "the" and "a"), in every mode.
 * Source: SQuAD, HotpotQA and MuSiQue evaluation scripts, which agree here.
 */
export function exactMatch(prediction: string, accepted: readonly string[], options: MatchOptions = {}): 0 | 1 {
	const normalised = normalise(prediction, options);
	return accepted.some((answer) => normalise(answer, options) === normalised) ? 1 : 0;
}

const words = byWords(exactMatch);

export const emMetric = defineMetric({
	name: "em",
	group: "answers",
	describe: "Exact match of a prediction with any accepted answer, after normalisation.",
	formula: "1 if normalise(prediction) = normalise(a) for some a in accepted, else 0",
	range: "0 or 1",
	edges: "Two texts that both normalise to nothing are equal. No prediction (null): unscored.",
	source: "SQuAD 1.1, HotpotQA and MuSiQue evaluation scripts; the bare letters A to E: AgenticRAGTracer",
	example: { prediction: "The Beatles!", accepted: ["Beatles"] },
	input: words.input,
	compute: words.compute,
	record: {
		heading: "EM",
		meaning:
			"Exact match: share of answers equal to an accepted answer after normalising case, punctuation and articles.",
		needs: ["answer"],
		direction: "higher",
		unit: "percent",
		aggregation: "share",
		tables: ["page"],
		example: 0,
		score: words.score,
	},
});
