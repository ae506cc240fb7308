import { z } from "zod";
import { type Score, scored } from "#domain";
import { acceptedAnswers, type MetricResult, noPrediction, prediction } from "../metric.ts";
import { type ScoredRecord, scoreAnswer } from "../scored-record.ts";
import { acceptedIn } from "../typed/gold-answer.ts";
import { matchingOf } from "./match-options.ts";
import { type MatchOptions, matchModes } from "./normalise.ts";

const matching = z.strictObject({
	prediction,
	accepted: acceptedAnswers,
	mode: z.enum(matchModes).optional(),
	nfkc: z.boolean().optional(),
	unicodePunctuation: z.boolean().optional(),
	cjkCharacters: z.boolean().optional(),
	arabicForms: z.boolean().optional(),
});

/** What metrics have in common that compare a prediction with accepted answers by their words. */
export const byWords = (
	compare: (prediction: string, accepted: readonly string[], options: MatchOptions) => number,
) => ({
	input: matching,
	compute: ({ prediction, accepted, ...options }: z.output<typeof matching>): MetricResult =>
		prediction === null
			? noPrediction
			: { value: compare(prediction, accepted, options), mode: options.mode ?? "hopscope" },
	score: (record: ScoredRecord): Score =>
		scoreAnswer(record, (answer) => {
			const { options, details } = matchingOf(record);
			return scored(compare(answer, acceptedIn(record.task.answer, record.mode), options), details);
		}),
});
