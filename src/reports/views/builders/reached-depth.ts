/** How far up its ladder an agent answers right, and the steps it takes, as AgenticRAGTracer's Table 2 has them. */
import { clusterOf, type Interval, stepsByOutcome } from "#scoring";
import { gradeOf, gradeShare } from "../grade-measures.ts";
import { depthCell, hopsOf } from "../ladders.ts";
import { taskCount, tasksColumn } from "../metric-table.ts";
import type { Cell, ViewBuilder, ViewItem, ViewRow, ViewRun } from "../view.ts";
import {
	countCell,
	groupCells,
	groupColumns,
	intervalCell,
	summaryCell,
	textCell,
	unscoredCell,
} from "../view-cells.ts";
import { answers, gradedItems, graderNotes, groupsOf, searches } from "../view-items.ts";

export const reachedDepth: ViewBuilder = {
	name: "reached-depth",
	title: "Reached depth and steps",
	describe:
		"By gold hops: MaxD, the highest level of its ladder (tasks that extend one another), its own included, that the agent answers right, 0 if none, where levels are hops and start at 2; and rounds of searching of the tasks answered right (C) and of the others (I).",
	source: "AgenticRAGTracer, Table 2",
	build(runs, options) {
		const by = options.by === undefined ? [] : [options.by];
		const asked = runs.filter(answers);
		const members = asked.map((run) => ({ run, items: gradedItems(run).items }));
		const wholeOf = new Map(members.map(({ run, items }) => [run, items]));
		const rows = groupsOf(members, by).flatMap((group) =>
			group.members.flatMap(({ run, items }): ViewRow[] => {
				return levelsOf(items).map(({ hops, items: own }) => {
					const steps = stepsByOutcome(gradedSteps(own));
					const laddered = own.some(({ task }) => task.ladder !== undefined);
					return {
						run: run.manifest.id,
						cells: {
							...groupCells(by, group, { run, options }),
							level: textCell(`${hops} hop${hops === 1 ? "" : "s"}`),
							tasks: countCell(taskCount({ items: own })),
							right: summaryCell(gradeShare(own, "right")),
							depth: laddered
								? depthCell(own, { hops, among: wholeOf.get(run) ?? items })
								: unscoredCell("these tasks stand on no ladder"),
							"steps-right": stepsCell(run, steps.right, "no task was answered right"),
							"steps-wrong": stepsCell(run, steps.wrong, "no task was answered wrong"),
						},
					};
				});
			}),
		);
		const repeats = asked.some(({ manifest }) => manifest.repeats > 1);
		return {
			rows,
			columns: [
				...groupColumns(by),
				{ key: "level", title: "Hops", unit: "text" },
				tasksColumn,
				{ key: "right", title: "Right", unit: "percent", better: "higher" },
				{ key: "depth", title: "MaxD", unit: "number", better: "higher" },
				{ key: "steps-right", title: "C-steps", unit: "number", group: "Steps" },
				{ key: "steps-wrong", title: "I-steps", unit: "number", group: "Steps" },
			],
			plots: [
				{ form: "bars", x: "level", y: "depth", series: "run", xTitle: "", yTitle: "reached depth" },
				{ form: "bars", x: "level", y: "steps-right", series: "run", xTitle: "", yTitle: "steps when right" },
				{ form: "bars", x: "level", y: "steps-wrong", series: "run", xTitle: "", yTitle: "steps when wrong" },
			].map((plot) => ({ ...plot, form: "bars", ...(by.length > 0 ? { split: "slice" } : {}) })),
			notes: [
				...graderNotes(asked),
				...(repeats ? ["A task counts as answered right where more than half of its scored repeats are."] : []),
			],
		};
	},
};

/** Items by their hops, ascending; tasks with neither a chain nor a ladder have 0. */
function levelsOf(items: readonly ViewItem[]): { hops: number; items: ViewItem[] }[] {
	const levels = new Map<number, ViewItem[]>();
	for (const item of items) levels.set(hopsOf(item.task), [...(levels.get(hopsOf(item.task)) ?? []), item]);
	return [...levels].sort(([a], [b]) => a - b).map(([hops, own]) => ({ hops, items: own }));
}

/**
 * Of the records that were graded: what an error ended took fewer steps than it would have. A step is a reply that
 * searched, as the paper's script counts.
 */
export function gradedSteps(items: readonly ViewItem[]) {
	return items.flatMap((item) => {
		const steps = item.row?.scores["search-rounds"];
		const grade = gradeOf(item);
		if (steps?.is !== "scored" || grade === undefined) return [];
		return [{ steps: steps.value, right: grade === "right", cluster: clusterOf(item.task) }];
	});
}

const stepsCell = (run: ViewRun, found: Interval, none: string): Cell =>
	searches(run) ? intervalCell(found, { none }) : unscoredCell("it searches nothing by design");
