/** MC-Search's eight error types (Figure 5), and their change from one run to another (Figure 7). */
import { typeTable } from "../type-table.ts";
import type { ViewBuilder } from "../view.ts";

export const errorTypes: ViewBuilder = {
	name: "error-types",
	title: "Error types",
	describe:
		"Share of diagnosed records that show each type; a record may show several, and right answers can show some. The low end of an interval counts what is shown, the high end adds the records that neither show nor rule it out. With two runs of one benchmark, the change from the first to the second, paired by task.",
	source: "MC-Search, Figures 5 and 7",
	build(runs, options) {
		const { by, ...table } = typeTable(runs, { view: "mc-search", options });
		return {
			over: "record",
			...table,
			plots: [
				{
					...{ form: "rows", x: "type", y: "share", series: "run", xTitle: "", yTitle: "records %" },
					...(by.length > 0 ? { split: "slice" } : {}),
				},
			],
		};
	},
};
