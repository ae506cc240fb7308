/** Answer and chain metrics by the shape of the gold chain, as MC-Search's Table 3 has them. */
import {
	deltaF1Measure,
	goldenF1Measure,
	type Measure,
	metricTable,
	scoreMeasure,
	searchMeasure,
} from "../metric-table.ts";
import type { ViewBuilder } from "../view.ts";
import { gradedItems, graderNotes } from "../view-items.ts";

export const byTopology: ViewBuilder = {
	name: "by-topology",
	title: "Answers and chains by reasoning topology",
	describe:
		"F1 and accuracy of the answers, hits per step (HPS) and rollout deviation (RD) of the chains, by the shape of the gold chain. ΔF1 is what searching adds to the same model without it; golden F1 is the same model's with the gold evidence handed to it.",
	source: "MC-Search, Table 3",
	build(runs, options) {
		const graded = runs.map((run) => ({ run, ...gradedItems(run) }));
		const judged = graded.some(({ judge }) => judge);
		const has = (agent: string) => runs.some(({ manifest }) => manifest.agent.name === agent);
		const measures: Measure[] = [
			scoreMeasure("f1", { group: "Answer" }),
			...(has("closed-book") ? [under("Answer", deltaF1Measure)] : []),
			scoreMeasure("accuracy", { group: "Answer" }),
			...(judged ? [scoreMeasure("judged", { group: "Answer" })] : []),
			...(has("oracle") ? [under("Answer", goldenF1Measure)] : []),
			searchMeasure("hps", { group: "Chain" }),
			searchMeasure("rollout-deviation", { group: "Chain" }),
		];
		const by = [options.by ?? "topology"];
		return {
			...metricTable(graded, { by, measures, options, all: true }),
			plots: [{ form: "rows", x: "slice", y: "f1", series: "run", xTitle: "", yTitle: "F1 %" }],
			notes: [
				...(has("closed-book") ? [] : ["ΔF1 needs a run of closed-book with the same model on the same tasks."]),
				...(has("oracle") ? [] : ["Golden F1 needs a run of oracle with the same model on the same tasks."]),
				...(judged ? graderNotes(runs) : []),
			],
		};
	},
};

const under = (group: string, { column, ...measure }: Measure): Measure => ({
	...measure,
	column: { ...column, group },
});
