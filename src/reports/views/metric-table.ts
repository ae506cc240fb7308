/** The commonest table: groups of tasks, in each of them the runs, a column a metric. */
import { compareRuns, type Scorer, scorerOf, summarise } from "#scoring";
import { baselineOf, isIntervention } from "./baselines.ts";
import { differenceOf } from "./differences.ts";
import { marksOf } from "./marks.ts";
import { cellsOf, groupColumns, numberColumn, type TableColumn } from "./table.ts";
import type { Cell, Column, ViewBody, ViewOptions, ViewRow, ViewRun } from "./view.ts";
import { summaryCell, textCell, unscoredCell } from "./view-cells.ts";
import { type Group, gradedItems, groupsOf, type Member, searches } from "./view-items.ts";

export interface Measure {
	column: Column;
	cell(member: Member, group: Group): Cell;
	/** The score by which runs of a group are tested against the first; absent: they are not. */
	tested?: string;
}

/** Distinct tasks among some items. */
export function taskCount({ items }: Pick<Member, "items">): number {
	return new Set(items.map(({ task }) => task.id)).size;
}

export const tasksColumn: TableColumn<Pick<Member, "items">> = numberColumn("tasks", "Tasks", taskCount);

/** A table of some members; `all` puts all tasks together before the groups, as papers give their averages. */
export function metricTable(
	members: readonly Member[],
	{
		by,
		measures: chosen,
		options,
		all = false,
	}: { by: readonly string[]; measures: readonly Measure[]; options: ViewOptions; all?: boolean },
): { columns: Column[]; rows: ViewRow[] } {
	const measures = [...chosen, ...addedMeasures(members)];
	const groups = groupsOf(members, by);
	const whole = all && groups.length > 1 ? groupsOf(members, []) : [];
	const marks = marksOf(
		[...whole, ...groups].flatMap((group) =>
			measures.flatMap(({ tested: metric, column: { key, better } }) => {
				if (metric === undefined || better === undefined) return [];
				const runs = group.members
					.filter(({ run }) => run.manifest.agent.reference === undefined && !isIntervention(run))
					.map(({ run, items }) => ({ id: run.manifest.id, label: options.label(run), items }));
				return [{ key: JSON.stringify([group.values, key]), metric, better, runs }];
			}),
		),
	);
	const rowsOf = (group: Group, named: Record<string, Cell>) =>
		group.members.map((member): ViewRow => {
			const { run } = member;
			const cells = measures.map(({ column: { key }, ...measure }): [string, Cell] => {
				const cell = measure.cell(member, group);
				const found = marks.get(JSON.stringify([group.values, key]))?.get(run.manifest.id);
				return [key, cell.is === "measured" && found ? { ...cell, marks: found } : cell];
			});
			return {
				run: run.manifest.id,
				cells: {
					...cellsOf({ ...member, values: group.values, label: options.label(run) }, [
						...groupColumns(by),
						tasksColumn,
					]),
					...named,
					...Object.fromEntries(cells),
				},
			};
		});
	const together = Object.fromEntries(
		by.map((_, place): [string, Cell] => [place === 0 ? "slice" : `slice-${place + 1}`, textCell("all")]),
	);
	return {
		columns: [...groupColumns(by), tasksColumn, ...measures].map(({ column }) => column),
		rows: [...whole.flatMap((group) => rowsOf(group, together)), ...groups.flatMap((group) => rowsOf(group, {}))],
	};
}

/** A score of the rows, as `summarise` gives it; of a registered score, runs are tested against one another by it. */
export function scoreMeasure(metric: string | Scorer, column: Partial<Column> = {}): Measure {
	const scorer = typeof metric === "string" ? scorerOf(metric) : metric;
	if (!scorer) throw new Error(`no score is called ${metric}`);
	const { name, heading, unit, direction } = scorer;
	return {
		column: {
			key: name,
			title: heading,
			unit,
			...(direction === "neither" ? {} : { better: direction }),
			...column,
		},
		cell: ({ items }) => summaryCell(summarise(items, { metric: scorer })),
		...(direction !== "neither" && typeof metric === "string" ? { tested: name } : {}),
	};
}

/** Scorers that were added to the registered ones have a column in every table. */
const addedMeasures = (members: readonly Member[]): Measure[] =>
	[...new Set(members.flatMap(({ run }) => run.scorers ?? []))].map((scorer) => scoreMeasure(scorer));

/** A score of what was searched: an agent that is handed its evidence, or asks only itself, has not missed anything by it. */
export function searchMeasure(metric: string, column: Partial<Column> = {}): Measure {
	const measure = scoreMeasure(metric, column);
	return {
		...measure,
		cell: (member, group) =>
			searches(member.run) ? measure.cell(member, group) : unscoredCell("it searches nothing by design"),
	};
}

/** What searching adds: the F1 less that of closed-book with the same model on the same tasks. */
export const deltaF1Measure: Measure = {
	column: { key: "delta-f1", title: "ΔF1", unit: "percent", signed: true, better: "higher" },
	cell({ run, items }, { members }) {
		const base = baselineOf(run, members, "closed-book");
		if ("reason" in base) return unscoredCell(base.reason);
		return { is: "measured", measured: differenceOf(compareRuns(items, base.items, { metric: "f1" })) };
	},
};

/** The F1 of the same model with the gold evidence handed to it. */
export const goldenF1Measure: Measure = {
	column: { key: "golden-f1", title: "Golden F1", unit: "percent" },
	cell({ run }, { members }) {
		const oracle = baselineOf(run, members, "oracle");
		return "reason" in oracle ? unscoredCell(oracle.reason) : summaryCell(summarise(oracle.items, { metric: "f1" }));
	},
};

/** Runs with their records as their first grading judge has them. */
export const graded = (runs: readonly ViewRun[]) => runs.map((run) => ({ run, ...gradedItems(run) }));

/** A measure under a heading. */
export const under = (group: string, { column: own, ...measure }: Measure): Measure => ({
	...measure,
	column: { ...own, group },
});

/** What stays the same while a setting varies: the agent with its model. */
export const agentOf = ({ manifest: { agent, model } }: ViewRun): string =>
	model === null ? agent.name : `${agent.name} · ${model}`;

/** The table with columns of what a row's run is, before and after the one that names it. */
export function besideRun(
	{ columns, rows }: Pick<ViewBody, "columns" | "rows">,
	runs: readonly ViewRun[],
	{ before = [], after = [] }: Partial<Record<"before" | "after", TableColumn<ViewRun>[]>>,
): Pick<ViewBody, "columns" | "rows"> {
	const byId = new Map(runs.map((run) => [run.manifest.id, run]));
	const columnsOf = (some: TableColumn<ViewRun>[]) => some.map((one) => one.column);
	return {
		columns: columns.flatMap((own) => (own.key === "run" ? [...columnsOf(before), own, ...columnsOf(after)] : [own])),
		rows: rows.flatMap((row) => {
			const run = byId.get(row.run ?? "");
			return run ? [{ ...row, cells: { ...row.cells, ...cellsOf(run, [...before, ...after]) } }] : [];
		}),
	};
}
