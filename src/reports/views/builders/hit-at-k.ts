/** Retrieval hits, and how answers were graded, by properties of the task: Double-Bench's breakdowns. */
import { noValue } from "#scoring";
import { gradeMeasures } from "../grade-measures.ts";
import { metricTable, searchMeasure } from "../metric-table.ts";
import type { Column, ViewBuilder } from "../view.ts";
import { textCell } from "../view-cells.ts";
import { answers, type Group, gradedItems, graderNotes, groupsOf, propertyName } from "../view-items.ts";

const properties = ["hops", "language", "modality"] as const;

export const hitAtK: ViewBuilder = {
	name: "hit-at-k",
	title: "Retrieval hits and answers, by properties of the question",
	describe:
		"hit@k: every hop has acceptable evidence among the first k results of the agent's searches. Beside it how answers were graded, as shares of all that were.",
	source: "Double-Bench, Tables 3, 4, 6, 7 and 9 to 18",
	build(runs, options) {
		const members = runs.map((run) => ({ run, items: gradedItems(run).items }));
		const measures = [
			...["hit@1", "hit@3", "hit@5"].map((name) => searchMeasure(name, { group: "Retrieval" })),
			...(runs.some(answers) ? gradeMeasures(runs, { group: "Answer" }) : []),
		];
		const told = (groups: readonly Group[]) => groups.filter(({ values: [value] }) => value !== noValue).length > 1;
		const by = options.by === undefined ? properties.filter((one) => told(groupsOf(members, [one]))) : [options.by];
		const tables = by.map((property) => ({ property, ...metricTable(members, { by: [property], measures, options }) }));
		const whole = metricTable(members, { by: [], measures, options });
		const property: Column = { key: "property", title: "By", unit: "text" };
		const slice: Column = { key: "slice", title: "Value", unit: "text" };
		const lead = (name: string) => textCell(name);
		return {
			columns: [property, slice, ...whole.columns],
			rows: [
				...whole.rows.map((row) => ({ ...row, cells: { property: lead("all"), slice: lead("all"), ...row.cells } })),
				...tables.flatMap(({ property: name, rows }) =>
					rows.map((row) => ({ ...row, cells: { property: lead(propertyName(name)), ...row.cells } })),
				),
			],
			plots: [
				{ form: "bars", x: "slice", y: "hit@5", series: "run", split: "property", xTitle: "", yTitle: "hit@5 %" },
			],
			notes: graderNotes(runs.filter(answers)),
		};
	},
};
