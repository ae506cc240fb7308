/** Answers and chains as papers break them down: a metric a column, the runs of each group of tasks one below the other. */
import { roleColumn, roleOf } from "../baselines.ts";
import {
	agentOf,
	besideRun,
	deltaF1Measure,
	goldenF1Measure,
	graded,
	type Measure,
	metricTable,
	scoreMeasure,
	searchMeasure,
	under,
} from "../metric-table.ts";
import { column, numberColumn, plotByRun, textColumn } from "../table.ts";
import type { ViewBuilder, ViewPlot } from "../view.ts";
import { countCell } from "../view-cells.ts";
import { answers, graderNotes, hasTag, membersOf, propertyName, searchingRuns } from "../view-items.ts";

/** The tag that importers and recipes keep a question's type in. */
const questionType = "questionType";

/** As MC-Search's Table 3 has them. */
export const byTopology: ViewBuilder = {
	name: "by-topology",
	title: "Answers and chains by reasoning topology",
	describe:
		"F1 and accuracy of the answers, hits per step (HPS) and rollout deviation (RD) of the chains, by the shape of the gold chain. ΔF1 is what searching adds to the same model without it; golden F1 is the same model's with the gold evidence handed to it.",
	source: "MC-Search, Table 3",
	build(runs, options) {
		const members = graded(runs);
		const judged = members.some(({ judge }) => judge);
		const has = (agent: string) => runs.some(({ manifest }) => manifest.agent.name === agent);
		const measures = [
			...[
				scoreMeasure("f1"),
				...(has("closed-book") ? [deltaF1Measure] : []),
				scoreMeasure("accuracy"),
				...(judged ? [scoreMeasure("judged")] : []),
				...(has("oracle") ? [goldenF1Measure] : []),
			].map((measure) => under("Answer", measure)),
			searchMeasure("hps", { group: "Chain" }),
			searchMeasure("rollout-deviation", { group: "Chain" }),
		];
		return {
			...metricTable(members, { by: [options.by ?? "topology"], measures, options, all: true }),
			plots: [plotByRun("rows", "slice", "f1", "F1 %")],
			notes: [
				...(has("closed-book") ? [] : ["ΔF1 needs a run of closed-book with the same model on the same tasks."]),
				...(has("oracle") ? [] : ["Golden F1 needs a run of oracle with the same model on the same tasks."]),
				...(judged ? graderNotes(runs) : []),
			],
		};
	},
};

/** As MC-Search's Figure 3 draws it. */
export const f1ByLength: ViewBuilder = {
	name: "f1-by-length",
	title: "F1 by gold chain length",
	describe: "How answers fare as chains grow. Length is the number of gold hops that need retrieval.",
	source: "MC-Search, Figure 3",
	build(runs, options) {
		const by = options.by ?? "hops";
		const members = membersOf(runs.filter(answers));
		return {
			...metricTable(members, { by: [by], measures: [scoreMeasure("f1")], options }),
			plots: [plotByRun("lines", "slice", "f1", "F1 %", by === "hops" ? "gold hops" : propertyName(by))],
			notes: [],
		};
	},
};

/** Fixed pipelines beside agents, as MC-Search's Tables 5 and 6 set them against its Table 3. */
export const pipelines: ViewBuilder = {
	name: "pipelines",
	title: "Fixed pipelines beside agents",
	describe:
		"Answers and chains of pipelines whose steps are fixed, and of agents that decide for themselves what to search next, by the shape of the gold chain.",
	source: "MC-Search, Tables 3, 5 and 6",
	build(runs, options) {
		const members = graded(runs);
		const judged = members.some(({ judge }) => judge);
		const shown = members.filter(({ run }) => answers(run));
		const measures = [
			...[
				scoreMeasure("f1"),
				deltaF1Measure,
				...(judged ? [scoreMeasure("judged")] : []),
				scoreMeasure("accuracy"),
			].map((measure) => under("Answer", measure)),
			...[searchMeasure("hps"), searchMeasure("rollout-deviation")].map((measure) => under("Chain", measure)),
			under("Bound", goldenF1Measure),
		];
		const asked = shown.map(({ run }) => run);
		const kinds = new Set(asked.map(roleOf));
		const table = besideRun(
			metricTable(shown, { by: [options.by ?? "topology"], measures, options, all: true }),
			asked,
			{ before: [roleColumn] },
		);
		return {
			columns: table.columns,
			rows: kinds.has("fixed pipeline") ? table.rows : [],
			plots: [plotByRun("rows", "slice", "f1", "F1 %")],
			notes: [
				...(kinds.has("fixed pipeline")
					? []
					: ["None of these runs is of a fixed pipeline (single-step, two-step, …)."]),
				...(kinds.has("agent") ? [] : ["None of these runs is of an agent that decides its own steps."]),
				...(judged ? graderNotes(asked) : []),
			],
		};
	},
};

/** Runs that differ in how many results a search shows, as MC-Search's Table 14 has them. */
export const byK: ViewBuilder = {
	name: "by-k",
	title: "Answers and chains by results shown",
	describe:
		"One agent with k results a search: whether more results make up for fewer or worse steps, by the shape of the gold chain.",
	source: "MC-Search, Table 14",
	build(runs, options) {
		const shown = runs
			.filter((run) => answers(run) && run.manifest.agent.reference === undefined)
			.sort((a, b) => a.manifest.setting.k - b.manifest.setting.k);
		const measures = [scoreMeasure("f1"), deltaF1Measure, scoreMeasure("hps"), scoreMeasure("rollout-deviation")];
		const closed = runs.filter(({ manifest }) => manifest.agent.name === "closed-book");
		const by = [options.by ?? "topology"];
		const sizes = new Set(shown.map(({ manifest }) => manifest.setting.k));
		const table = besideRun(
			metricTable(membersOf([...shown, ...closed]), { by, measures, options, all: true }),
			shown,
			{
				before: [textColumn("agent", "Agent", agentOf)],
				after: [numberColumn("k", "k", ({ manifest }) => manifest.setting.k)],
			},
		);
		return {
			columns: table.columns,
			rows: sizes.size < 2 ? [] : table.rows,
			plots: [{ form: "lines", x: "k", y: "f1", series: "agent", split: "slice", xTitle: "k", yTitle: "F1 %" }],
			notes: sizes.size > 1 ? [] : ["These runs do not differ in k."],
		};
	},
};

/** By the question's type and its hops, as AgenticRAGTracer's Table 1 has them. */
export const byTypeAndHops: ViewBuilder = {
	name: "by-type-and-hops",
	title: "Answers by question type and hops",
	describe:
		"Exact match, F1 and, where a judge has graded, its score, by what kind of question it is and how many gold hops need retrieval.",
	source: "AgenticRAGTracer, Table 1",
	build(runs, options) {
		const asked = runs.filter(answers);
		const members = graded(asked);
		const judged = members.some(({ judge }) => judge);
		const type = options.by ?? (hasTag(members, questionType) ? `tag:${questionType}` : undefined);
		const by = [...(type === undefined ? [] : [type]), ...(type === "hops" ? [] : ["hops"])];
		const metrics = ["em", "f1", ...(judged ? ["judged"] : ["accuracy"])];
		return {
			...metricTable(members, { by, measures: metrics.map((name) => scoreMeasure(name)), options }),
			plots: [typed(by, plotByRun("lines", "", "em", "", "hops"))],
			notes: [
				...(type === undefined ? [`No task has the tag ${questionType}: name another with --by.`] : []),
				...(judged ? graderNotes(asked) : ["No judge has graded these answers: accuracy is the typed metric's."]),
			],
		};
	},
};

/** A plot over the last property, one for each value of the first where there are two. */
const typed = (by: readonly string[], plot: ViewPlot): ViewPlot => ({
	...plot,
	x: by.length > 1 ? "slice-2" : "slice",
	...(by.length > 1 ? { split: "slice" } : {}),
});

/** By type of the answer and of the question, as MMhops' Tables 3, 6 and 7 have them. */
export const byAnswerType: ViewBuilder = {
	name: "by-answer-type",
	title: "Accuracy by type of answer",
	describe:
		"Typed accuracy: text by exact match, years within one, numbers within a tenth; by the question's type (bridging, comparison) where tasks say it. The overall value weighs types by how many tasks have them.",
	source: "MMhops, Tables 3, 6 and 7",
	build(runs, options) {
		const members = membersOf(runs.filter(answers));
		const type = options.by ?? (hasTag(members, questionType) ? `tag:${questionType}` : undefined);
		const by = [...(type === undefined ? [] : [type]), ...(type === "answer-type" ? [] : ["answer-type"])];
		const measures = ["accuracy", "em", "f1"].map((name) => scoreMeasure(name));
		return {
			...metricTable(members, { by, measures, options, all: true }),
			plots: [typed(by, plotByRun("bars", "", "accuracy", "accuracy %"))],
			notes: type === undefined ? [`No task has the tag ${questionType}: name another with --by.`] : [],
		};
	},
};

/** How many results a round asked for, as AgenticRAGTracer's Figure 3 draws it. */
export const averageK: ViewBuilder = {
	name: "average-k",
	title: "Average k a step",
	describe:
		"Results that an agent asked for in a round of searching, averaged over a task's rounds and then over tasks: searches of one reply are added up, and what was asked counts, not what came back. Where the model chooses k this is its choice; k set is what the setting gives where it does not. Tasks without a search have no average.",
	source: "AgenticRAGTracer, Figure 3",
	build(runs, options) {
		const set: Measure = {
			column: column("k", "k set", "number"),
			cell: ({ run }) => countCell(run.manifest.setting.k),
		};
		const measures = [set, ...["average-k", "search-rounds", "steps"].map((name) => scoreMeasure(name))];
		const by = options.by === undefined ? [] : [options.by];
		const { searching, notes } = searchingRuns(runs, options);
		return {
			...metricTable(membersOf(searching), { by, measures, options }),
			plots: [
				by.length > 0
					? plotByRun("bars", "slice", "average-k", "results a round")
					: { form: "rows", x: "run", y: "average-k", xTitle: "", yTitle: "results a round" },
			],
			notes,
		};
	},
};
