/** How far up its ladder an agent answers right, and the steps it takes, as AgenticRAGTracer's Table 2 has them. */
import { retrievalHops } from "#domain";
import { clusterOf, reachedDepth as depthsOf, type Interval, stepsByOutcome } from "#scoring";
import { gradeOf, gradeShare } from "../grade-measures.ts";
import { answersByTask, ladderTasks } from "../ladders.ts";
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
		"By level of the ladder (tasks that extend one another), or by gold hops where tasks stand on none: MaxD, the highest level of its ladder, its own included, that the agent answers right, 0 if none; and retrieval steps of the tasks answered right (C) and of the others (I).",
	source: "AgenticRAGTracer, Table 2",
	build(runs, options) {
		const by = options.by === undefined ? [] : [options.by];
		const asked = runs.filter(answers);
		const members = asked.map((run) => ({ run, items: gradedItems(run).items }));
		const rows = groupsOf(members, by).flatMap((group) =>
			group.members.flatMap(({ run, items }): ViewRow[] => {
				const depths = depthsOf(ladderTasks(items));
				return levelsOf(items).map(({ level, laddered, items: own }) => {
					const steps = stepsByOutcome(gradedSteps(own));
					const depth = laddered ? depths.get(level) : undefined;
					return {
						run: run.manifest.id,
						cells: {
							...groupCells(by, group, { run, options }),
							level: textCell(laddered ? `level ${level}` : `${level} hops`),
							tasks: countCell(taskCount({ items: own })),
							right: summaryCell(gradeShare(own, "right")),
							depth: depth ? depthCell(depth, own) : unscoredCell("these tasks stand on no ladder"),
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
				{ key: "level", title: "Level", unit: "text" },
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

interface Level {
	level: number;
	laddered: boolean;
	items: ViewItem[];
}

/** Items by level of their ladder, then those without one by their gold hops; tasks with neither have 0 hops. */
function levelsOf(items: readonly ViewItem[]): Level[] {
	const levels = new Map<string, Level>();
	for (const item of items) {
		const { ladder, chain } = item.task;
		const level = ladder?.level ?? (chain ? retrievalHops(chain).length : 0);
		const key = `${ladder ? "level" : "hops"} ${level}`;
		const known = levels.get(key) ?? { level, laddered: ladder !== undefined, items: [] };
		known.items.push(item);
		levels.set(key, known);
	}
	return [...levels.values()].sort((a, b) => Number(b.laddered) - Number(a.laddered) || a.level - b.level);
}

/** Of the records that were graded: what an error ended took fewer steps than it would have. */
export function gradedSteps(items: readonly ViewItem[]) {
	return items.flatMap((item) => {
		const steps = item.row?.scores.steps;
		const grade = gradeOf(item);
		if (steps?.is !== "scored" || grade === undefined) return [];
		return [{ steps: steps.value, right: grade === "right", cluster: clusterOf(item.task) }];
	});
}

const stepsCell = (run: ViewRun, found: Interval, none: string): Cell =>
	searches(run) ? intervalCell(found, { none }) : unscoredCell("it searches nothing by design");

function depthCell(found: Interval, items: readonly ViewItem[]): Cell {
	const expected = taskCount({ items });
	const known = answersByTask(items).size;
	return intervalCell(found, {
		expected,
		...(known < expected ? { missing: { "not graded": expected - known } } : {}),
	});
}
