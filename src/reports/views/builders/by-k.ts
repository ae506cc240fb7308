/** Runs that differ in how many results a search shows, as MC-Search's Table 14 has them. */
import { deltaF1Measure, type Measure, metricTable, scoreMeasure } from "../metric-table.ts";
import type { Column, ViewBuilder } from "../view.ts";
import { countCell, textCell } from "../view-cells.ts";
import { answers, membersOf } from "../view-items.ts";
import { agentOf } from "./difficulty.ts";

const k: Column = { key: "k", title: "k", unit: "number" };
const agent: Column = { key: "agent", title: "Agent", unit: "text" };

export const byK: ViewBuilder = {
	name: "by-k",
	title: "Answers and chains by results shown",
	describe:
		"One agent with k results a search: whether more results make up for fewer or worse steps, by the shape of the gold chain.",
	source: "MC-Search, Table 14",
	build(runs, options) {
		const shown = runs
			.filter((run) => answers(run) && run.manifest.agent.reference === undefined)
			.sort((a, b) => a.manifest.setting.k - b.manifest.setting.k);
		const measures: Measure[] = [
			...[scoreMeasure("f1"), deltaF1Measure, scoreMeasure("hps"), scoreMeasure("rollout-deviation")],
		];
		const closed = runs.filter(({ manifest }) => manifest.agent.name === "closed-book");
		const all = metricTable(membersOf([...shown, ...closed]), {
			...{ by: [options.by ?? "topology"], measures, options, all: true },
		});
		const byId = new Map(shown.map((run) => [run.manifest.id, run]));
		const sizes = new Set(shown.map(({ manifest }) => manifest.setting.k));
		return {
			columns: all.columns.flatMap((column) => (column.key === "run" ? [agent, column, k] : [column])),
			rows: all.rows.flatMap((row) => {
				const run = byId.get(row.run ?? "");
				if (!run || sizes.size < 2) return [];
				const cells = { ...row.cells, agent: textCell(agentOf(run)), k: countCell(run.manifest.setting.k) };
				return [{ ...row, cells }];
			}),
			plots: [{ form: "lines", x: "k", y: "f1", series: "agent", split: "slice", xTitle: "k", yTitle: "F1 %" }],
			notes: sizes.size > 1 ? [] : ["These runs do not differ in k."],
		};
	},
};
