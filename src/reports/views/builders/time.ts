/** What a question costs in time, calls and tokens, as Double-Bench's Figure 6 normalises it. */
import { grouped, type RunRecord, type Score, scored, unscored } from "#domain";
import { type ByAgent, relativeTimes, summarise } from "#scoring";
import { isIntervention } from "../baselines.ts";
import { taskCount, tasksColumn } from "../metric-table.ts";
import { column, runColumn } from "../table.ts";
import type { Cell, Column, ViewBuilder, ViewItem, ViewRow, ViewRun } from "../view.ts";
import { countCell, intervalCell, summaryCell, textCell, unscoredCell } from "../view-cells.ts";
import { viewItems } from "../view-items.ts";

interface Amount {
	column: Column;
	of(record: RunRecord): number | undefined;
}

const amounts: Amount[] = [
	{ column: column("ms", "Time", "milliseconds", { better: "lower" }), of: ({ trajectory }) => trajectory.ms },
	{
		column: column("steps", "Tool calls", "number"),
		of: ({ trajectory }) => (trajectory.answerOnly ? undefined : trajectory.steps.filter(({ call }) => call).length),
	},
	{ column: column("calls", "Model calls", "number"), of: ({ trajectory }) => trajectory.usage.calls },
	{ column: column("input", "Tokens in", "number"), of: ({ trajectory }) => trajectory.usage.inputTokens },
	{ column: column("output", "Tokens out", "number"), of: ({ trajectory }) => trajectory.usage.outputTokens },
	{ column: column("cost", "Cost", "number"), of: ({ trajectory }) => trajectory.usage.cost },
];

export const time: ViewBuilder = {
	name: "time",
	title: "Time and calls a question",
	describe:
		"Means over questions: wall time as it was measured, calls of tools and of models, tokens, and cost in the price's currency where one was configured. Relative: time over that of the benchmark's fastest agent, those to compare with aside, on the questions that all of them answered.",
	source: "Double-Bench, Figure 6",
	build(runs, options) {
		const benchmarkOf = ({ manifest: { benchmark } }: ViewRun) => JSON.stringify([benchmark.name, benchmark.hash]);
		const contenders = runs.filter((run) => run.manifest.agent.reference === undefined && !isIntervention(run));
		const relative = new Map(
			[...grouped(contenders, benchmarkOf).values()].flatMap((same) => [...relativeCells(same)]),
		);
		const shown = amounts.filter(({ of }) => runs.some(({ records }) => records.some((one) => (of(one) ?? 0) > 0)));
		const rows = runs.map((run): ViewRow => {
			const items = viewItems(run);
			const cells = shown.map(({ column: { key }, of }): [string, Cell] => [
				key,
				summaryCell(
					summarise(items, { metric: key, share: false, scoreOf: (item) => amountOf(item, of, isKnown(run, key)) }),
				),
			]);
			return {
				run: run.manifest.id,
				cells: {
					run: textCell(options.label(run)),
					tasks: countCell(taskCount({ items })),
					relative:
						relative.get(run.manifest.id) ??
						unscoredCell(contenders.includes(run) ? "no question that all runs answered" : whyApart(run)),
					...Object.fromEntries(cells),
				},
			};
		});
		const [first, ...others] = shown.map((amount) => amount.column);
		const kept = runs.flatMap((run) => {
			const count = run.records.reduce((sum, { trajectory }) => sum + (trajectory.usage.kept ?? 0), 0);
			return count > 0
				? [`${options.label(run)}: ${count} model calls were answered from cached replies and took no time.`]
				: [];
		});
		return {
			rows,
			columns: [
				runColumn.column,
				tasksColumn.column,
				...(first ? [first] : []),
				column("relative", "Relative", "number", { better: "lower" }),
				...others,
			],
			plots: [
				{ form: "rows", x: "run", y: "relative", xTitle: "", yTitle: "time over the fastest" },
				...(shown.some((amount) => amount.column.key === "steps")
					? [{ form: "rows" as const, x: "run", y: "steps", xTitle: "", yTitle: "tool calls a question" }]
					: []),
			],
			notes: kept,
		};
	},
};

/** Whether an amount of 0 was measured; steps are counted here, whoever made them. */
const isKnown = (run: ViewRun, key: string) => run.manifest.imported === undefined || key === "steps";

const whyApart = (run: ViewRun) =>
	isIntervention(run) ? "a re-run with a part of the world changed" : "an agent to compare with";

/**
 * What a record used; what ended by an error used less than the question takes. Where a run was made elsewhere 0 is not
 * known, but what stands for an amount that the file did not tell.
 */
function amountOf({ record, row }: ViewItem, of: Amount["of"], isKnown: boolean): Score {
	if (!record) return unscored("no record");
	if (record.trajectory.stop === "error" || row?.outcome === "error") return unscored("an error ended the attempt");
	const amount = of(record);
	return amount === undefined || (!isKnown && amount === 0) ? unscored("not recorded") : scored(amount);
}

/** Each run's time over the fastest one's, on the questions that all of them answered, repeats averaged. */
function relativeCells(runs: readonly ViewRun[]): Map<string, Cell> {
	const times = runs.map((run) => {
		const byTask = new Map<string, number[]>();
		for (const item of viewItems(run)) {
			const ms = amountOf(item, ({ trajectory }) => trajectory.ms, isKnown(run, "ms"));
			if (ms.is === "scored") byTask.set(item.task.id, [...(byTask.get(item.task.id) ?? []), ms.value]);
		}
		return { id: run.manifest.id, byTask };
	});
	const [first, ...rest] = times;
	const tasks = [...(first?.byTask.keys() ?? [])].filter((task) => rest.every(({ byTask }) => byTask.has(task)));
	if (tasks.length === 0) return new Map();
	const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
	const byAgent: ByAgent = Object.fromEntries(
		times.map(({ id, byTask }) => [id, tasks.map((task) => mean(byTask.get(task) ?? []))]),
	);
	return new Map(
		[...(relativeTimes(byAgent) ?? [])].map(([id, { value, low, high }]) => {
			const about = { n: tasks.length, groups: tasks.length };
			// 1 by definition: there is nothing to be unsure of
			if (value === 1)
				return [id, intervalCell({ ...about, value, low: null, high: null, method: "none", reason: "the fastest" })];
			const method = low === null ? "none" : "cluster-bootstrap";
			return [id, intervalCell({ value, low, high, method, ...about })];
		}),
	);
}
