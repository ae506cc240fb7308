/** How answers were graded, by properties of the task and beside the floor and the ceiling: Double-Bench's tables. */
import { noValue } from "#scoring";
import { roleColumn, roleOf } from "../baselines.ts";
import { gradeMeasures } from "../grade-measures.ts";
import { besideRun, graded, metricTable, scoreMeasure, searchMeasure } from "../metric-table.ts";
import { column, plotByRun } from "../table.ts";
import type { ViewBuilder } from "../view.ts";
import { textCell } from "../view-cells.ts";
import { answers, type Group, graderNotes, groupsOf, propertyName } from "../view-items.ts";

/** Retrieval hits, and how answers were graded, by properties of the task: Double-Bench's breakdowns. */
export const hitAtK: ViewBuilder = {
	name: "hit-at-k",
	title: "Retrieval hits and answers, by properties of the question",
	describe:
		"hit@k: every hop has acceptable evidence among the first k results of the agent's searches. Beside it how answers were graded, as shares of all that were.",
	source: "Double-Bench, Tables 3, 4, 6, 7 and 9 to 18",
	build(runs, options) {
		const members = graded(runs);
		const measures = [
			...["hit@1", "hit@3", "hit@5"].map((name) => searchMeasure(name, { group: "Retrieval" })),
			...(runs.some(answers) ? gradeMeasures(runs, { group: "Answer" }) : []),
		];
		const told = (groups: readonly Group[]) => groups.filter(({ values: [value] }) => value !== noValue).length > 1;
		const by =
			options.by === undefined
				? ["hops", "language", "modality"].filter((one) => told(groupsOf(members, [one])))
				: [options.by];
		const tables = by.map((property) => ({ property, ...metricTable(members, { by: [property], measures, options }) }));
		const whole = metricTable(members, { by: [], measures, options });
		const all = { property: textCell("all"), slice: textCell("all") };
		return {
			columns: [column("property", "By"), column("slice", "Value"), ...whole.columns],
			rows: [
				...whole.rows.map((row) => ({ ...row, cells: { ...all, ...row.cells } })),
				...tables.flatMap(({ property, rows }) =>
					rows.map((row) => ({ ...row, cells: { property: textCell(propertyName(property)), ...row.cells } })),
				),
			],
			plots: [
				{ form: "bars", x: "slice", y: "hit@5", series: "run", split: "property", xTitle: "", yTitle: "hit@5 %" },
			],
			notes: graderNotes(runs.filter(answers)),
		};
	},
};

const roles = ["closed-book", "fixed pipeline", "agent", "oracle", "reference"];

/** The floor and the ceiling beside the agents: what is known without searching, and what with the evidence in hand. */
export const bounds: ViewBuilder = {
	name: "bounds",
	title: "Closed book and oracle beside the agents",
	describe:
		"How answers were graded without any search (closed-book), by the agents, and with the gold evidence handed over (oracle): a benchmark that needs retrieval shows a wide gap between the first and the last.",
	source: "Double-Bench, Table 5",
	build(runs, options) {
		const shown = runs.filter(answers).sort((a, b) => roles.indexOf(roleOf(a)) - roles.indexOf(roleOf(b)));
		const measures = [...gradeMeasures(shown, { group: "Answers" }), scoreMeasure("f1", { group: "Overlap" })];
		const table = besideRun(
			metricTable(graded(shown), { by: [options.by ?? "hops"], measures, options, all: true }),
			shown,
			{ before: [roleColumn] },
		);
		const missing = ["closed-book", "oracle"].filter((one) => !shown.some((run) => roleOf(run) === one));
		return {
			columns: table.columns,
			rows: missing.length < 2 ? table.rows : [],
			plots: [plotByRun("rows", "slice", "right", "right %")],
			notes: [...missing.map((one) => `There is no run of ${one} among these.`), ...graderNotes(shown)],
		};
	},
};
