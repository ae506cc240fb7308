/** The earliest dominant failure of each wrong answer, as VistaHop's Table 9 has it. */
import { typeTable } from "../type-table.ts";
import type { ViewBuilder } from "../view.ts";

export const firstFailure: ViewBuilder = {
	name: "first-failure",
	title: "Earliest dominant failure",
	describe:
		"Of the answers that are not right, the one of five types that came first and decided. The rest shows none of the five: the tool failed, no answer was given, the form was missed, or nothing shows what went wrong. The low end of an interval counts what is certain, the high end adds the answers that neither show nor rule it out.",
	source: "VistaHop, Table 9",
	build(runs, options) {
		const { by, ...table } = typeTable(runs, { view: "vistahop", options });
		return {
			over: "record",
			...table,
			plots: [
				{
					...{ form: "rows", x: "type", y: "share", series: "run", xTitle: "", yTitle: "answers not right %" },
					...(by.length > 0 ? { split: "slice" } : {}),
				},
			],
		};
	},
};
