/** Answers by the question's type and its hops, as AgenticRAGTracer's Table 1 has them. */
import { metricTable, scoreMeasure } from "../metric-table.ts";
import type { ViewBuilder } from "../view.ts";
import { answers, gradedItems, graderNotes, hasTag, membersOf } from "../view-items.ts";

/** The tag that importers and recipes keep a question's type in. */
export const questionType = "questionType";

export const byTypeAndHops: ViewBuilder = {
	name: "by-type-and-hops",
	title: "Answers by question type and hops",
	describe:
		"Exact match, F1 and, where a judge has graded, its score, by what kind of question it is and how many gold hops need retrieval.",
	source: "AgenticRAGTracer, Table 1",
	build(runs, options) {
		const asked = runs.filter(answers);
		const graded = asked.map((run) => ({ run, ...gradedItems(run) }));
		const judged = graded.some(({ judge }) => judge);
		const typed = hasTag(membersOf(asked), questionType);
		const type = options.by ?? (typed ? `tag:${questionType}` : undefined);
		const by = [...(type === undefined ? [] : [type]), ...(type === "hops" ? [] : ["hops"])];
		const metrics = ["em", "f1", ...(judged ? ["judged"] : ["accuracy"])];
		return {
			...metricTable(graded, { by, measures: metrics.map((name) => scoreMeasure(name)), options }),
			plots: [
				{
					...{ form: "lines", x: by.length > 1 ? "slice-2" : "slice", y: "em", series: "run" },
					...{ xTitle: "hops", yTitle: "" },
					...(by.length > 1 ? { split: "slice" } : {}),
				},
			],
			notes: [
				...(type === undefined ? [`No task has the tag ${questionType}: name another with --by.`] : []),
				...(judged ? graderNotes(asked) : ["No judge has graded these answers: accuracy is the typed metric's."]),
			],
		};
	},
};
