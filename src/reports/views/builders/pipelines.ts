/** Fixed pipelines beside agents, as MC-Search's Tables 5 and 6 set them against its Table 3. */
import {
	deltaF1Measure,
	goldenF1Measure,
	type Measure,
	metricTable,
	scoreMeasure,
	searchMeasure,
} from "../metric-table.ts";
import type { Column, ViewBuilder, ViewRun } from "../view.ts";
import { textCell } from "../view-cells.ts";
import { answers, gradedItems, graderNotes } from "../view-items.ts";

/** Agents whose steps are fixed beforehand, by name: the model decides only what it asks and answers. */
const fixed = new Set([
	...["single-step", "two-step", "vanilla-mrag", "echosight", "page-gen", "m3docrag", "mdocagent", "vidorag"],
	...["retrieve"],
]);

/** What an agent stands for in a table: those to compare with, fixed pipelines, and agents that decide for themselves. */
export const roleOf = ({ manifest: { agent } }: ViewRun): string => {
	if (agent.name === "closed-book" || agent.name === "oracle") return agent.name;
	if (fixed.has(agent.name)) return "fixed pipeline";
	return agent.reference === undefined ? "agent" : "reference";
};

export const pipelines: ViewBuilder = {
	name: "pipelines",
	title: "Fixed pipelines beside agents",
	describe:
		"Answers and chains of pipelines whose steps are fixed, and of agents that decide for themselves what to search next, by the shape of the gold chain.",
	source: "MC-Search, Tables 3, 5 and 6",
	build(runs, options) {
		const graded = runs.map((run) => ({ run, ...gradedItems(run) }));
		const judged = graded.some(({ judge }) => judge);
		const shown = graded.filter(({ run }) => answers(run));
		const group = (measure: Measure, name: string): Measure => ({
			...measure,
			column: { ...measure.column, group: name },
		});
		const measures = [
			...[
				scoreMeasure("f1"),
				deltaF1Measure,
				...(judged ? [scoreMeasure("judged")] : []),
				scoreMeasure("accuracy"),
			].map((measure) => group(measure, "Answer")),
			...[searchMeasure("hps"), searchMeasure("rollout-deviation")].map((measure) => group(measure, "Chain")),
			group(goldenF1Measure, "Bound"),
		];
		const { columns, rows } = metricTable(shown, { by: [options.by ?? "topology"], measures, options, all: true });
		const role: Column = { key: "role", title: "Kind", unit: "text" };
		const roles = new Map(shown.map(({ run }) => [run.manifest.id, textCell(roleOf(run))]));
		const kinds = new Set(shown.map(({ run }) => roleOf(run)));
		return {
			columns: columns.flatMap((column) => (column.key === "run" ? [role, column] : [column])),
			rows: (kinds.has("fixed pipeline") ? rows : []).map((row) => ({
				...row,
				cells: { ...row.cells, role: roles.get(row.run ?? "") ?? textCell("") },
			})),
			plots: [{ form: "rows", x: "slice", y: "f1", series: "run", xTitle: "", yTitle: "F1 %" }],
			notes: [
				...(kinds.has("fixed pipeline")
					? []
					: ["None of these runs is of a fixed pipeline (single-step, two-step, …)."]),
				...(kinds.has("agent") ? [] : ["None of these runs is of an agent that decides its own steps."]),
				...(judged ? graderNotes(shown.map(({ run }) => run)) : []),
			],
		};
	},
};
