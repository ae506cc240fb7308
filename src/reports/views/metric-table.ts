/** The commonest table: groups of tasks, in each of them the runs, a column a metric. */
import { compareRuns, isShare, summarise } from "#scoring";
import { metricWords } from "../wording.ts";
import { baselineOf, isIntervention } from "./baselines.ts";
import { differenceOf } from "./differences.ts";
import { marksOf } from "./marks.ts";
import type { Cell, Column, ViewOptions, ViewRow } from "./view.ts";
import { countCell, groupCells, groupColumns, summaryCell, textCell, unscoredCell } from "./view-cells.ts";
import { type Group, groupsOf, type Member, searches } from "./view-items.ts";

export interface Measure {
	column: Column;
	cell(member: Member, group: Group): Cell;
	/** The score by which runs of a group are tested against the first; absent: they are not. */
	tested?: string;
}

export const tasksColumn: Column = { key: "tasks", title: "Tasks", unit: "number" };

/** Distinct tasks among some items. */
export const taskCount = ({ items }: Pick<Member, "items">): number => new Set(items.map(({ task }) => task.id)).size;

/** A table of some members; `all` puts all tasks together before the groups, as papers give their averages. */
export function metricTable(
	members: readonly Member[],
	{
		by,
		measures,
		options,
		all = false,
	}: { by: readonly string[]; measures: readonly Measure[]; options: ViewOptions; all?: boolean },
): { columns: Column[]; rows: ViewRow[] } {
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
					...groupCells(by, group, { run, options }),
					...named,
					tasks: countCell(taskCount(member)),
					...Object.fromEntries(cells),
				},
			};
		});
	const together = Object.fromEntries(
		by.map((_, place): [string, Cell] => [place === 0 ? "slice" : `slice-${place + 1}`, textCell("all")]),
	);
	return {
		columns: [...groupColumns(by), tasksColumn, ...measures.map(({ column }) => column)],
		rows: [...whole.flatMap((group) => rowsOf(group, together)), ...groups.flatMap((group) => rowsOf(group, {}))],
	};
}

const titles: Record<string, string> = {
	...Object.fromEntries(Object.entries(metricWords).map(([name, { heading }]) => [name, heading])),
	judged: "Judge",
	"average-k": "Average k",
	calls: "Calls",
	"calls-written": "Calls written",
	"calls-rejected": "Calls rejected",
	"search-rounds": "Search rounds",
	rounds: "Rounds",
	utilisation: "Utilisation",
	order: "Order",
	"hps-coverage": "HPS (coverage)",
	"modality-coverage": "Modality coverage",
	"invalid-calls": "Invalid calls",
};
const better: Record<string, Column["better"]> = {
	...Object.fromEntries(
		["accuracy", "em", "f1", "judged", "hps", "hps-coverage", "order", "modality-coverage"].map((name) => [
			name,
			"higher",
		]),
	),
	...Object.fromEntries(["hit", "hit@1", "hit@3", "hit@5"].map((name) => [name, "higher"])),
	"rollout-deviation": "lower",
};

/** A score of the rows, as `summarise` gives it. */
export function scoreMeasure(metric: string, column: Partial<Column> = {}): Measure {
	const direction = Object.hasOwn(better, metric) ? better[metric] : undefined;
	return {
		column: {
			...{ key: metric, title: Object.hasOwn(titles, metric) ? (titles[metric] ?? metric) : metric },
			unit: metric === "utilisation" || isShare(metric) ? "percent" : "number",
			...(direction === undefined ? {} : { better: direction }),
			...column,
		},
		cell: ({ items }) => summaryCell(summarise(items, { metric })),
		...(direction !== undefined ? { tested: metric } : {}),
	};
}

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
