/** How many results a round asked for, as AgenticRAGTracer's Figure 3 draws it. */
import { type Measure, metricTable, scoreMeasure } from "../metric-table.ts";
import type { ViewBuilder } from "../view.ts";
import { countCell } from "../view-cells.ts";
import { membersOf, searchingRuns } from "../view-items.ts";

const shown: Measure = {
	column: { key: "k", title: "k set", unit: "number" },
	cell: ({ run }) => countCell(run.manifest.setting.k),
};

export const averageK: ViewBuilder = {
	name: "average-k",
	title: "Average k a step",
	describe:
		"Results that an agent asked for in a round of searching, averaged over a task's rounds and then over tasks: searches of one reply are added up, and what was asked counts, not what came back. Where the model chooses k this is its choice; k set is what the setting gives where it does not. Tasks without a search have no average.",
	source: "AgenticRAGTracer, Figure 3",
	build(runs, options) {
		const measures = [shown, scoreMeasure("average-k"), scoreMeasure("search-rounds"), scoreMeasure("steps")];
		const by = options.by === undefined ? [] : [options.by];
		const { searching, notes } = searchingRuns(runs, options);
		return {
			...metricTable(membersOf(searching), { by, measures, options }),
			plots: [
				by.length > 0
					? { form: "bars", x: "slice", y: "average-k", series: "run", xTitle: "", yTitle: "results a round" }
					: { form: "rows", x: "run", y: "average-k", xTitle: "", yTitle: "results a round" },
			],
			notes,
		};
	},
};
