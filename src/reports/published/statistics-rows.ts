/** Our rows of a published table of statistics: what is counted of benchmarks, with no run. */
import { ownField, type Task } from "#domain";
import { slices } from "#scoring";
import type { Cell, ViewRow } from "../views/view.ts";
import { intervalCell, textCell, unscoredCell } from "../views/view-cells.ts";
import { fits } from "./own-rows.ts";
import { type Block, keyOf } from "./published-rows.ts";
import type { PublishedTable, ValueColumn } from "./published-table.ts";

/** A benchmark whose tasks are counted. */
export interface CountedBenchmark {
	name: string;
	tasks: readonly Task[];
	/** The statistics of some of its tasks by their names, as cells. */
	count(tasks: readonly Task[]): Promise<ReadonlyMap<string, Cell>>;
}

/** One row a benchmark for the tasks and statistics that the labels name. */
export async function statisticsRows(
	labels: Block["labels"],
	{ table, counted }: { table: PublishedTable; counted: readonly CountedBenchmark[] },
): Promise<ViewRow[]> {
	const rows: ViewRow[] = [];
	for (const one of counted) {
		const found = await one.count(withinLabels(one.tasks, labels, table));
		const names = table.labels.map((label): [string, Cell] => [
			keyOf(label, table),
			textCell("groups" in label ? (ownField(labels, label.key) ?? "") : one.name),
		]);
		const values = table.values.map((column): [string, Cell] => [
			column.key,
			statisticCell(found, namesOf(labels, { table, column }), column),
		]);
		rows.push({ cells: Object.fromEntries([...names, ...values]) });
	}
	return rows;
}

/** Names of the statistic that a cell is of: the column's own, or what the row stands for. */
function namesOf(
	labels: Block["labels"],
	{ table, column }: { table: PublishedTable; column: ValueColumn },
): readonly string[] {
	if (column.statistic !== undefined) return [column.statistic];
	return table.labels.flatMap((label) =>
		label.is === "category" ? (ownField(label.groups, ownField(labels, label.key) ?? "") ?? []) : [],
	);
}

function withinLabels(tasks: readonly Task[], labels: Block["labels"], table: PublishedTable): readonly Task[] {
	return table.labels.reduce((some: readonly Task[], label) => {
		if (label.is !== "slice") return some;
		const wanted = ownField(label.groups, ownField(labels, label.key) ?? "") ?? [];
		const items = some.map((task) => ({ task }));
		return slices(items, label.by).flatMap(({ name, items: group }) =>
			wanted.some((value) => fits(name, value)) ? group.map(({ task }) => task) : [],
		);
	}, tasks);
}

/** The first of the names that the benchmark has; a statistic that says why it is none says it here. */
function statisticCell(found: ReadonlyMap<string, Cell>, names: readonly string[], { measure }: ValueColumn): Cell {
	const cell = names.flatMap((name) => found.get(name) ?? [])[0];
	if (!cell) return unscoredCell("the benchmark has no such task");
	if (cell.is !== "count") return cell;
	if (measure !== "statistic-share") return { is: "count", value: cell.value };
	if (cell.of === undefined) return unscoredCell("a share of nothing: it is counted by itself");
	const counted = { n: cell.of, groups: cell.of, method: "none" as const, reason: "a count of the whole benchmark" };
	return intervalCell({ value: cell.value / cell.of, low: null, high: null, ...counted });
}
