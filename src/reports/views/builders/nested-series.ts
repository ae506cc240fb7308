/** How far into nested question series, 2, 3, 4 hops, agents answer right, and where they start to fail. */
import { grouped } from "#domain";
import { clusterOf, failingLevels, type Interval, stepsByOutcome } from "#scoring";
import { gradeOf, gradeShare } from "../grade-measures.ts";
import { tasksColumn } from "../metric-table.ts";
import { depthCell, hopsOf, seriesTasks } from "../nested-series.ts";
import { groupColumns, numberColumn, percentColumn, plotByRun, plotInSlices, tableOf, textColumn } from "../table.ts";
import type { Cell, ViewBuilder, ViewItem, ViewRun } from "../view.ts";
import { countCell, intervalCell, summaryCell, unscoredCell } from "../view-cells.ts";
import { answers, gradedItems, graderNotes, groupedRows, searches } from "../view-items.ts";

/** As AgenticRAGTracer's Table 2 has them. */
export const reachedDepth: ViewBuilder = {
	name: "reached-depth",
	title: "Reached depth and steps",
	describe:
		"By gold hops: MaxD, the highest level of its nested question series (tasks that extend one another), its own included, that the agent answers right, 0 if none, where levels are hops and start at 2; and rounds of searching of the tasks answered right (C) and of the others (I).",
	source: "AgenticRAGTracer, Table 2",
	build(runs, options) {
		const asked = runs.filter(answers);
		const members = asked.map((run) => ({ run, items: gradedItems(run).items }));
		const wholeOf = new Map(members.map(({ run, items }) => [run, items]));
		const { by, groups } = groupedRows(members, options);
		const rows = groups.flat().flatMap((row) =>
			levelsOf(row.items).map(({ hops, items }) => ({
				...row,
				hops,
				items,
				steps: stepsByOutcome(gradedSteps(items)),
			})),
		);
		const table = tableOf(
			rows,
			[
				...groupColumns(by),
				textColumn("level", "Hops", ({ hops }) => `${hops} hop${hops === 1 ? "" : "s"}`),
				tasksColumn,
				percentColumn("right", "Right", ({ items }) => summaryCell(gradeShare(items, "right")), { better: "higher" }),
				numberColumn(
					"depth",
					"MaxD",
					({ run, items, hops }) =>
						items.some(({ task }) => task.ladder !== undefined)
							? depthCell(items, { hops, among: wholeOf.get(run) ?? items })
							: unscoredCell("these tasks are of no nested question series"),
					{ better: "higher" },
				),
				numberColumn(
					"steps-right",
					"C-steps",
					({ run, steps }) => stepsCell(run, steps.right, "no task was answered right"),
					{ group: "Steps" },
				),
				numberColumn(
					"steps-wrong",
					"I-steps",
					({ run, steps }) => stepsCell(run, steps.wrong, "no task was answered wrong"),
					{ group: "Steps" },
				),
			],
			({ run }) => ({ run: run.manifest.id }),
		);
		const repeats = asked.some(({ manifest }) => manifest.repeats > 1);
		const drawn = { depth: "reached depth", "steps-right": "steps when right", "steps-wrong": "steps when wrong" };
		return {
			...table,
			plots: Object.entries(drawn).map(([y, yTitle]) => plotInSlices(by, plotByRun("bars", "level", y, yTitle))),
			notes: [
				...graderNotes(asked),
				...(repeats ? ["A task counts as answered right where more than half of its scored repeats are."] : []),
			],
		};
	},
};

/** Items by their hops, ascending; tasks with neither a chain nor a series have 0. */
function levelsOf(items: readonly ViewItem[]): { hops: number; items: ViewItem[] }[] {
	return [...grouped(items, ({ task }) => hopsOf(task))]
		.sort(([a], [b]) => a - b)
		.map(([hops, own]) => ({ hops, items: own }));
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

/** As AgenticRAGTracer's section 4.3 counts. */
export const failingLevel: ViewBuilder = {
	name: "failing-level",
	title: "Where in a nested question series an agent starts to fail",
	describe:
		"Nested question series are followed from their lowest level. Right here: of the series followed to this level without a failure, those answered right at it. Starts to fail: of all series, those whose lowest wrong answer is at this level; with the series that never fail they sum to one.",
	source: "AgenticRAGTracer, section 4.3",
	build(runs, options) {
		const asked = runs.filter(answers);
		const { by, groups } = groupedRows(
			asked.map((run) => ({ run, items: gradedItems(run).items })),
			options,
		);
		const rows = groups.flat().flatMap((row) => {
			const { ladders, levels, whole } = failingLevels(seriesTasks(row.items));
			if (ladders === 0) return [];
			return [
				...levels.map(({ level, right, fails }) => ({
					...row,
					level: `level ${level}`,
					climbed: countCell(right.n, ladders),
					right,
					fails,
				})),
				{ ...row, level: "never", climbed: countCell(ladders), right: undefined, fails: whole },
			];
		});
		const table = tableOf(
			rows,
			[
				...groupColumns(by),
				textColumn("level", "Level", ({ level }) => level),
				numberColumn("climbed", "Series so far", ({ climbed }) => climbed),
				percentColumn(
					"right",
					"Right here",
					({ right }) => right && intervalCell(right, { none: "no series was followed so far" }),
					{ better: "higher" },
				),
				percentColumn("fails", "Starts to fail", ({ fails }) => intervalCell(fails)),
			],
			({ run }) => ({ run: run.manifest.id }),
		);
		return {
			over: "series",
			...table,
			plots: [plotInSlices(by, plotByRun("bars", "level", "fails", "starts to fail, series %"))],
			notes: rows.length > 0 ? graderNotes(asked) : ["No task of these runs is of a nested question series."],
		};
	},
};
