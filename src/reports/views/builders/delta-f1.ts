/** What searching adds by how many steps too many or too few were made, as MC-Search's Figures 4 and 8 draw it. */
import { byDeltaStep, compareRuns, deltaStepOf, summarise } from "#scoring";
import { baselineOf } from "../baselines.ts";
import { differenceOf } from "../differences.ts";
import { tasksColumn } from "../metric-table.ts";
import { numberColumn, percentColumn, plotByRun, runColumn, tableOf } from "../table.ts";
import type { Cell, ViewBuilder, ViewItem } from "../view.ts";
import { summaryCell, unscoredCell } from "../view-cells.ts";
import { answers, type Member, membersOf, searches } from "../view-items.ts";

export const deltaF1: ViewBuilder = {
	name: "delta-f1",
	title: "ΔF1 by Δstep",
	describe:
		"Δstep is the retrieval steps that were made less the gold hops: below 0 the agent searched too rarely, above 0 too often. ΔF1 is the F1 less that of closed-book with the same model on the same tasks. k is how many results a search shows.",
	source: "MC-Search, Figures 4 and 8",
	build(runs, options) {
		const members = membersOf(runs.filter(answers));
		const told = members.filter(({ run }) => searches(run));
		const rows = told.flatMap(({ run, items }) =>
			byDeltaStep(items).map((group) => ({ run, ...group, label: options.label(run) })),
		);
		const table = tableOf(
			rows,
			[
				runColumn,
				numberColumn("k", "k", ({ run }) => run.manifest.setting.k),
				numberColumn("delta", "Δstep", ({ delta }) => delta, { signed: true }),
				tasksColumn,
				percentColumn("delta-f1", "ΔF1", (row) => deltaF1Cell(row, members), { signed: true }),
				percentColumn("f1", "F1", ({ items }) => summaryCell(summarise(items, { metric: "f1" }))),
			],
			({ run }) => ({ run: run.manifest.id }),
		);
		return {
			...table,
			plots: [
				...(table.rows.some(({ cells }) => cells["delta-f1"]?.is === "measured")
					? [{ form: "lines" as const, x: "delta", y: "delta-f1", series: "run", xTitle: "Δstep", yTitle: "ΔF1" }]
					: []),
				plotByRun("lines", "delta", "f1", "F1 %", "Δstep"),
			],
			notes: told.flatMap(({ run, items }) => leftOut(items, options.label(run))),
		};
	},
};

function deltaF1Cell(member: Member, members: readonly Member[]): Cell {
	const base = baselineOf(member.run, members, "closed-book");
	if ("reason" in base) return unscoredCell(base.reason);
	const tasks = new Set(member.items.map(({ task }) => task.id));
	const same = base.items.filter(({ task }) => tasks.has(task.id));
	return { is: "measured", measured: differenceOf(compareRuns(member.items, same, { metric: "f1" })) };
}

function leftOut(items: readonly ViewItem[], label: string): string[] {
	const without = items.filter((item) => deltaStepOf(item) === undefined).length;
	if (without === 0) return [];
	return [`${label}: ${without} of ${items.length} records have no Δstep (no gold chain, an error, or no record).`];
}
