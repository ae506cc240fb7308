import { type Command, Option } from "commander";
import { paperTables, type StatisticsTable } from "#benchmarks";
import type { View } from "#reports";
import { openWorkspace } from "#store";
import { statisticsCell } from "#workbench";
import { type CommonOptions, type Context, sayNext, withWorkspace } from "../context.ts";
import { watch } from "../watch.ts";
import { type ViewFormat, withTables, writeViews } from "../write-views.ts";

interface StatsOptions extends CommonOptions {
	knowledge?: string;
	as?: string[];
	format: ViewFormat;
	out?: string;
}

/** `hopscope benchmark stats NAME`: the statistics tables that papers print of their benchmarks. */
export function addBenchmarkStats(benchmark: Command, context: Context): void {
	const papers = paperTables.map(({ paper }) => paper);
	withTables(withWorkspace(benchmark.command("stats")))
		.description("The statistics of a benchmark as tables: hops, topologies, lengths, answers, languages, evidence")
		.argument("<benchmark>", "its name in the workspace, or its folder")
		.option("-n, --knowledge <name>", "the knowledge base of its evidence (default: the one it names)")
		.addOption(new Option("--as <papers...>", "also the table that a paper prints of its own").choices(papers))
		.addHelpText(
			"after",
			`
Examples:
  $ hopscope benchmark stats atlas
  $ hopscope benchmark stats atlas --as mc-search vistahop --format latex --out statistics.tex
  $ hopscope benchmark stats atlas --format csv --out statistics/`,
		)
		.action(async (name: string, options: StatsOptions) => {
			const { knowledge, as: papers } = options;
			const data = await watch(context, options, (bench) => bench.statistics(name, { knowledge, papers }));
			await writeViews(data.tables.map(viewOf), {
				data,
				name: `${data.benchmark.name}-statistics`,
				workspace: openWorkspace(options.workspace),
				options,
				output: context.output,
			});
			sayNext(context, `run --benchmark ${name} --agent extractive`, options);
		});
}

/** The table as every format shows it. */
function viewOf({ rows, columns, ...table }: StatisticsTable): View {
	return {
		...table,
		columns,
		rows: rows.map((row) => ({
			cells: Object.fromEntries(Object.entries(row).map(([key, cell]) => [key, statisticsCell(cell)])),
		})),
		plots: [],
	};
}
