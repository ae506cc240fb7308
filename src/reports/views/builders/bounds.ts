/** The floor and the ceiling beside the agents: what is known without searching, and what with the evidence in hand. */
import { gradeMeasures } from "../grade-measures.ts";
import { metricTable, scoreMeasure } from "../metric-table.ts";
import type { Column, ViewBuilder } from "../view.ts";
import { textCell } from "../view-cells.ts";
import { answers, gradedItems, graderNotes } from "../view-items.ts";
import { roleOf } from "./pipelines.ts";

const order = ["closed-book", "fixed pipeline", "agent", "oracle", "reference"];

export const bounds: ViewBuilder = {
	name: "bounds",
	title: "Closed book and oracle beside the agents",
	describe:
		"How answers were graded without any search (closed-book), by the agents, and with the gold evidence handed over (oracle): a benchmark that needs retrieval shows a wide gap between the first and the last.",
	source: "Double-Bench, Table 5",
	build(runs, options) {
		const shown = runs.filter(answers).sort((a, b) => order.indexOf(roleOf(a)) - order.indexOf(roleOf(b)));
		const members = shown.map((run) => ({ run, items: gradedItems(run).items }));
		const measures = [...gradeMeasures(shown, { group: "Answers" }), scoreMeasure("f1", { group: "Overlap" })];
		const table = metricTable(members, { by: [options.by ?? "hops"], measures, options, all: true });
		const role: Column = { key: "role", title: "Kind", unit: "text" };
		const roles = new Map(shown.map((run) => [run.manifest.id, roleOf(run)]));
		const missing = (["closed-book", "oracle"] as const).filter((one) => ![...roles.values()].includes(one));
		return {
			columns: table.columns.flatMap((column) => (column.key === "run" ? [role, column] : [column])),
			rows: (missing.length < 2 ? table.rows : []).map((row) => ({
				...row,
				cells: { ...row.cells, role: textCell(roles.get(row.run ?? "") ?? "") },
			})),
			plots: [{ form: "rows", x: "slice", y: "right", series: "run", xTitle: "", yTitle: "right %" }],
			notes: [...missing.map((one) => `There is no run of ${one} among these.`), ...graderNotes(shown)],
		};
	},
};
