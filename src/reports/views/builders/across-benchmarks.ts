/** The same agents on several benchmarks, as papers report their generalisation (MMhops, Tables 4 and 5). */
import { interventionName } from "#domain";
import { summarise } from "#scoring";
import { short } from "../../summaries.ts";
import { isIntervention } from "../baselines.ts";
import { agentOf, scoreMeasure } from "../metric-table.ts";
import { runColumn } from "../table.ts";
import type { Cell, Column, ViewBuilder, ViewRow, ViewRun } from "../view.ts";
import { summaryCell, textCell, unscoredCell } from "../view-cells.ts";
import { answers, viewItems } from "../view-items.ts";

export const acrossBenchmarks: ViewBuilder = {
	name: "across-benchmarks",
	title: "The same agents on several benchmarks",
	describe: "A row an agent with its model and setting, the benchmarks side by side.",
	source: "MMhops, Tables 4 and 5",
	build(runs) {
		const metrics = ["accuracy", "f1"];
		const shown = runs.filter(answers);
		const benchmarks = distinct(shown, benchmarkOf).map((run) => ({ key: benchmarkOf(run), run }));
		const names = new Map(
			benchmarks.map(({ key, run }) => [
				key,
				nameOf(
					run,
					benchmarks.map((one) => one.run),
				),
			]),
		);
		const columns: Column[] = benchmarks.flatMap(({ key }, place) =>
			metrics.map((metric) => ({
				...scoreMeasure(metric).column,
				key: `${place}-${metric}`,
				group: names.get(key) ?? "",
			})),
		);
		const agents = distinct(shown, contenderOf).map(contenderOf);
		const rows = agents.flatMap((agent): ViewRow[] => {
			const own = shown.filter((run) => contenderOf(run) === agent);
			const times = Math.max(...benchmarks.map(({ key }) => own.filter((run) => benchmarkOf(run) === key).length));
			return Array.from({ length: times }, (_, time) => {
				const runOn = new Map(benchmarks.map(({ key }) => [key, own.filter((run) => benchmarkOf(run) === key)[time]]));
				const cells = benchmarks.flatMap(({ key }, place) =>
					metrics.map((metric): [string, Cell] => {
						const run = runOn.get(key);
						if (!run) return [`${place}-${metric}`, unscoredCell("no run on this benchmark")];
						return [`${place}-${metric}`, summaryCell(summarise(viewItems(run), { metric }))];
					}),
				);
				return {
					cells: { run: textCell(short(labelOf(own[0], agent))), ...Object.fromEntries(cells) },
					...(own.some(isIntervention) ? { kind: "intervention" as const } : {}),
				};
			});
		});
		return {
			columns: [runColumn.column, ...columns],
			rows: benchmarks.length > 1 ? rows : [],
			plots: columns
				.filter(({ key }) => key.endsWith(`-${metrics[0]}`))
				.map(({ key, group = "", title }) => ({
					form: "rows",
					x: "run",
					y: key,
					xTitle: "",
					yTitle: `${title} on ${group}`,
				})),
			notes: benchmarks.length > 1 ? [] : ["These runs are all of one benchmark."],
		};
	},
};

const benchmarkOf = ({ manifest: { benchmark } }: ViewRun) => JSON.stringify([benchmark.name, benchmark.hash]);
/** What a row is of: an agent with its model and setting, an intervention apart from the plain runs. */
const contenderOf = (run: ViewRun) =>
	JSON.stringify([agentOf(run), run.manifest.setting, run.manifest.intervention?.what ?? null]);

function labelOf(run: ViewRun | undefined, agent: string): string {
	if (!run) return agent;
	const { intervention, setting } = run.manifest;
	return [agentOf(run), setting.name, ...(intervention ? [interventionName(intervention.what)] : [])].join(" · ");
}

/** A benchmark's name, with the beginning of its hash where another has the same. */
function nameOf({ manifest: { benchmark } }: ViewRun, all: readonly ViewRun[]): string {
	const twice = all.filter(({ manifest }) => manifest.benchmark.name === benchmark.name).length > 1;
	return short(twice ? `${benchmark.name} (${benchmark.hash.slice(0, 6)})` : benchmark.name);
}

/** The first run of each kind. */
function distinct(runs: readonly ViewRun[], keyOf: (run: ViewRun) => string): ViewRun[] {
	return [...new Map([...runs].reverse().map((run) => [keyOf(run), run])).values()].reverse();
}
