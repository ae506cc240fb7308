/** Pass@1 by difficulty and by budget beside what the agent did for it, as VistaHop's Tables 4 and 5 have them. */
import { levelOf } from "#scoring";
import { agentOf, besideRun, graded, type Measure, metricTable, scoreMeasure, tasksColumn } from "../metric-table.ts";
import { column, numberColumn, plotByRun, textColumn } from "../table.ts";
import type { ViewBody, ViewBuilder, ViewOptions, ViewPlot, ViewRun } from "../view.ts";
import { textCell, unscoredCell } from "../view-cells.ts";
import { answers, gradedItems, graderNotes, gradingJudge } from "../view-items.ts";

const levels = ["L1", "L2", "L3"] as const;

function difficultyMeasures(judged: boolean): Measure[] {
	const passed = scoreMeasure(judged ? "judged" : "accuracy", { key: "pass", title: "Pass@1", group: "Answer" });
	return [
		passed,
		...levels.map(
			(level): Measure => ({
				column: { ...passed.column, key: `level-${level.slice(1)}`, title: level },
				cell({ run, items }, group) {
					const within = items.filter((item) => levelOf(item.task) === level);
					if (within.length === 0) return unscoredCell("no task of this level");
					return passed.cell({ run, items: within }, group);
				},
			}),
		),
		...["calls", "rounds", "utilisation"].map((name) => scoreMeasure(name, { group: "Process" })),
	];
}

function difficultyTable(runs: readonly ViewRun[], plots: ViewPlot[], options: ViewOptions): ViewBody {
	const shown = runs.filter(answers);
	const judged = shown.length > 0 && shown.every(gradingJudge);
	const by = options.by === undefined ? [] : [options.by];
	const members = judged
		? graded(shown)
		: shown.map((run) => ({ run, items: gradedItems({ ...run, verdicts: [] }).items }));
	const { columns, rows } = besideRun(
		metricTable(members, { by, measures: difficultyMeasures(judged), options }),
		shown,
		{
			after: [
				textColumn("setting", "Setting", ({ manifest }) => manifest.setting.name),
				numberColumn(
					"limit",
					"Budget",
					({ manifest: { setting } }) => setting.limit ?? unscoredCell("the setting names no limit"),
				),
			],
		},
	);
	const without = members.flatMap(({ items }) => items.filter(({ task }) => levelOf(task) === undefined)).length;
	return {
		columns: columns
			.filter(({ key }) => key !== "tasks")
			.flatMap((own) => (own.key === "limit" ? [own, tasksColumn.column] : [own])),
		rows,
		plots,
		notes: [
			...(judged ? graderNotes(shown) : ["Pass@1 is the typed accuracy: not all of these runs have a grading judge."]),
			...(without > 0
				? [`${without} records of tasks without a gold chain are of no level, and count in Pass@1.`]
				: []),
		],
	};
}

/** Beside what the agent did for it, as VistaHop's Table 4 has it. */
export const difficulty: ViewBuilder = {
	name: "difficulty",
	title: "Pass@1 by difficulty and setting",
	describe:
		"Share of answers right, over all tasks and by level: L1 below 5 reasoning hops, L2 from 5, L3 from 10; recognising what the question's image shows is none. Beside it tool calls carried out, rounds of the conversation, and calls over those that the setting allows.",
	source: "VistaHop, Table 4",
	build: (runs, options) =>
		difficultyTable(runs, [{ form: "rows", x: "run", y: "pass", xTitle: "", yTitle: "Pass@1 %" }], options),
};

export const byBudget: ViewBuilder = {
	name: "by-budget",
	title: "Pass@1 by budget of rounds",
	describe:
		"Runs of one agent that differ in how many rounds, turns or searches their setting allows: what a larger budget buys, and what the agent makes of it.",
	source: "VistaHop, Table 5; MMhops, Table 7",
	build(runs, options) {
		const limited = runs.filter(({ manifest }) => manifest.setting.limit !== undefined);
		const ascending = [...limited].sort((a, b) => (a.manifest.setting.limit ?? 0) - (b.manifest.setting.limit ?? 0));
		const agents = new Map(ascending.map((run) => [run.manifest.id, agentOf(run)]));
		const budgets = new Set(ascending.map(({ manifest }) => manifest.setting.limit));
		const drawn = { pass: "Pass@1 %", utilisation: "utilisation %" };
		const plots = Object.entries(drawn).map(([y, yTitle]) => ({
			...plotByRun("lines", "limit", y, yTitle, "budget"),
			series: "agent",
		}));
		const view = difficultyTable(ascending, plots, options);
		return {
			...view,
			columns: [column("agent", "Agent"), ...view.columns],
			rows: (budgets.size > 1 ? view.rows : []).map((row) => ({
				...row,
				cells: { agent: textCell(agents.get(row.run ?? "") ?? ""), ...row.cells },
			})),
			notes: [
				...(budgets.size > 1 ? [] : ["These runs do not differ in their budget."]),
				...(limited.length < runs.length
					? [`${runs.length - limited.length} runs name no budget and are left out.`]
					: []),
				...view.notes,
			],
		};
	},
};
