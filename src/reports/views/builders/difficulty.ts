/** Pass@1 by difficulty beside what the agent did for it, as VistaHop's Tables 4 and 5 have them. */
import { levelOf } from "#scoring";
import { type Measure, metricTable, scoreMeasure, tasksColumn } from "../metric-table.ts";
import type { Column, View, ViewBody, ViewBuilder, ViewOptions, ViewRun } from "../view.ts";
import { countCell, textCell, unscoredCell } from "../view-cells.ts";
import { answers, gradedItems, graderNotes, gradingJudge } from "../view-items.ts";

const levels = ["L1", "L2", "L3"] as const;

function measuresFor(judged: boolean): Measure[] {
	const passed = scoreMeasure(judged ? "judged" : "accuracy", { key: "pass", title: "Pass@1", group: "Answer" });
	return [
		passed,
		...levels.map((level): Measure => {
			const { tested: _, ...untested } = passed;
			return {
				...untested,
				column: { ...passed.column, key: `level-${level.slice(1)}`, title: level },
				cell({ run, items }, group) {
					const within = items.filter((item) => levelOf(item.task) === level);
					if (within.length === 0) return unscoredCell("no task of this level");
					return passed.cell({ run, items: within }, group);
				},
			};
		}),
		...["calls", "rounds", "utilisation"].map((name) => scoreMeasure(name, { group: "Process" })),
	];
}

const setting: Column = { key: "setting", title: "Setting", unit: "text" };
const limit: Column = { key: "limit", title: "Budget", unit: "number" };

function build(runs: readonly ViewRun[], { options, plots }: { options: ViewOptions; plots: View["plots"] }): ViewBody {
	const shown = runs.filter(answers);
	const graded = shown.map((run) => ({ run, ...gradedItems(run) }));
	const judged = shown.length > 0 && shown.every(gradingJudge);
	const by = options.by === undefined ? [] : [options.by];
	const members = judged ? graded : shown.map((run) => ({ run, items: gradedItems({ ...run, verdicts: [] }).items }));
	const table = metricTable(members, { by, measures: measuresFor(judged), options });
	const byId = new Map(shown.map((run) => [run.manifest.id, run.manifest.setting]));
	const without = graded.flatMap(({ items }) => items.filter(({ task }) => levelOf(task) === undefined)).length;
	return {
		columns: table.columns.flatMap((column) =>
			column.key === "run" ? [column, setting, limit, tasksColumn] : column.key === "tasks" ? [] : [column],
		),
		rows: table.rows.map((row) => {
			const used = byId.get(row.run ?? "");
			return {
				...row,
				cells: {
					...row.cells,
					setting: textCell(used?.name ?? ""),
					limit: used?.limit === undefined ? unscoredCell("the setting names no limit") : countCell(used.limit),
				},
			};
		}),
		plots,
		notes: [
			...(judged ? graderNotes(shown) : ["Pass@1 is the typed accuracy: not all of these runs have a grading judge."]),
			...(without > 0
				? [`${without} records of tasks without a gold chain are of no level, and count in Pass@1.`]
				: []),
		],
	};
}

export const difficulty: ViewBuilder = {
	name: "difficulty",
	title: "Pass@1 by difficulty and setting",
	describe:
		"Share of answers right, over all tasks and by level: L1 below 5 reasoning hops, L2 from 5, L3 from 10; recognising what the question's image shows is none. Beside it tool calls carried out, rounds of the conversation, and calls over those that the setting allows.",
	source: "VistaHop, Table 4",
	build(runs, options) {
		const plots: View["plots"] = [{ form: "rows", x: "run", y: "pass", xTitle: "", yTitle: "Pass@1 %" }];
		return build(runs, { options, plots });
	},
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
		const view = build(ascending, {
			options,
			plots: [
				{ form: "lines", x: "limit", y: "pass", series: "agent", xTitle: "budget", yTitle: "Pass@1 %" },
				{ form: "lines", x: "limit", y: "utilisation", series: "agent", xTitle: "budget", yTitle: "utilisation %" },
			],
		});
		const agent: Column = { key: "agent", title: "Agent", unit: "text" };
		const budgets = new Set(ascending.map(({ manifest }) => manifest.setting.limit));
		return {
			...view,
			columns: [agent, ...view.columns],
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

/** What stays the same while a setting varies: the agent with its model. */
export const agentOf = ({ manifest: { agent, model } }: ViewRun): string =>
	model === null ? agent.name : `${agent.name} · ${model}`;
