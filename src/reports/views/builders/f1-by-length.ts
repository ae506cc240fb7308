/** F1 by the length of the gold chain, as MC-Search's Figure 3 draws it. */
import { metricTable, scoreMeasure } from "../metric-table.ts";
import type { ViewBuilder } from "../view.ts";
import { answers, membersOf, propertyName } from "../view-items.ts";

export const f1ByLength: ViewBuilder = {
	name: "f1-by-length",
	title: "F1 by gold chain length",
	describe: "How answers fare as chains grow. Length is the number of gold hops that need retrieval.",
	source: "MC-Search, Figure 3",
	build(runs, options) {
		const by = options.by ?? "hops";
		const members = membersOf(runs.filter(answers));
		const axis = by === "hops" ? "gold hops" : propertyName(by);
		return {
			...metricTable(members, { by: [by], measures: [scoreMeasure("f1")], options }),
			plots: [{ form: "lines", x: "slice", y: "f1", series: "run", xTitle: axis, yTitle: "F1 %" }],
			notes: [],
		};
	},
};
