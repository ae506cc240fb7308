import { scored, unscored } from "#domain";
import { defineScorer } from "../record-metric.ts";
import { scoreAnswer } from "../scored-record.ts";
import { typedAccuracy } from "./typed-accuracy.ts";

export const accuracyScorer = defineScorer({
	name: "accuracy",
	group: "answers",
	heading: "Accuracy",
	meaning:
		"Share of answers that are right by the answer's type: text by normalised exact match, numbers within 10 % or the stated range, years within one. Abstaining counts 0.",
	formula: "typed accuracy of the answer that was given, in the run's mode",
	edges:
		"No answer at the protocol's own limit: 0. Abstaining: 0, or 1 where the gold answer is that there is none. An error, or a budget that ran out: unscored.",
	source: "MMhops-R1 (Evaluation Metrics); InfoSeek, MMLongBench-Doc and AgenticRAGTracer as released, by mode",
	needs: ["answer"],
	direction: "higher",
	unit: "percent",
	aggregation: "share",
	tables: ["terminal", "page", "compare"],
	example: 0,
	score: (record) =>
		scoreAnswer(record, (answer) => {
			const { task, mode } = record;
			const { language } = task.tags;
			const { value, reason, details } = typedAccuracy(answer, task.answer, {
				mode,
				language,
				question: task.question,
			});
			return value === null ? unscored(reason ?? "undefined") : scored(value, { ...details, mode });
		}),
});
