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
		const metrics = options.metrics ?? ["f1"];
		const members = membersOf(runs.filter(answers));
		const table = metricTable(members, { by: [by], measures: metrics.map((name) => scoreMeasure(name)), options });
		const [first] = metrics;
		const axis = by === "hops" ? "gold hops" : propertyName(by);
		return {
			...{ name: this.name, title: this.title, describe: this.describe, source: this.source },
			...table,
			plots:
				first === undefined
					? []
					: [{ form: "lines", x: "slice", y: first, series: "run", xTitle: axis, yTitle: titleOf(table, first) }],
			notes: [],
		};
	},
};

const titleOf = ({ columns }: ReturnType<typeof metricTable>, key: string) => {
	const column = columns.find((one) => one.key === key);
	return column?.unit === "percent" ? `${column.title} %` : (column?.title ?? key);
};
