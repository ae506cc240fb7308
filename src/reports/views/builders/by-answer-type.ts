/** Answers by type of the answer and of the question, as MMhops' Tables 3, 6 and 7 have them. */
import { type Measure, metricTable, scoreMeasure } from "../metric-table.ts";
import type { ViewBuilder } from "../view.ts";
import { answers, hasTag, membersOf } from "../view-items.ts";
import { questionType } from "./by-type-and-hops.ts";

export const byAnswerType: ViewBuilder = {
	name: "by-answer-type",
	title: "Accuracy by type of answer",
	describe:
		"Typed accuracy: text by exact match, years within one, numbers within a tenth; by the question's type (bridging, comparison) where tasks say it. The overall value weighs types by how many tasks have them.",
	source: "MMhops, Tables 3, 6 and 7",
	build(runs, options) {
		const members = membersOf(runs.filter(answers));
		const typed = hasTag(members, questionType);
		const type = options.by ?? (typed ? `tag:${questionType}` : undefined);
		const by = [...(type === undefined ? [] : [type]), ...(type === "answer-type" ? [] : ["answer-type"])];
		const measures: Measure[] = ["accuracy", "em", "f1"].map((name) => scoreMeasure(name));
		return {
			...metricTable(members, { by, measures, options, all: true }),
			plots: [
				{
					...{ form: "bars", x: by.length > 1 ? "slice-2" : "slice", y: measures[0]?.column.key ?? "accuracy" },
					...{ series: "run", xTitle: "", yTitle: "accuracy %" },
					...(by.length > 1 ? { split: "slice" } : {}),
				},
			],
			notes: type === undefined ? [`No task has the tag ${questionType}: name another with --by.`] : [],
		};
	},
};
