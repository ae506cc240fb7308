import { type Command, Option } from "commander";
import { benchmarkStatistics, openBenchmark, paperTables, type StatisticsTable } from "#benchmarks";
import type { View } from "#reports";
import { openWorkspace } from "#store";
import { knowledgeOf, locate, statisticsCell } from "#workbench";
import { type CommonOptions, type Context, withWorkspace } from "../context.ts";
import { type ViewFormat, viewFormats, writeViews } from "../write-views.ts";

interface StatsOptions extends CommonOptions {
	knowledge?: string;
	as?: string[];
	format: ViewFormat;
	out?: string;
}

/** `hopscope benchmark stats NAME`: the statistics tables that papers print of their benchmarks. */
export function addBenchmarkStats(benchmark: Command, { output }: Context): void {
	const papers = paperTables.map(({ paper }) => paper);
	withWorkspace(benchmark.command("stats"))
		.description("The statistics of a benchmark as tables: hops, topologies, lengths, answers, languages, evidence")
		.argument("<benchmark>", "its name in the workspace, or its folder")
		.option("-k, --knowledge <name>", "the knowledge base of its evidence (default: the one it names)")
		.addOption(new Option("--as <papers...>", "also the table that a paper prints of its own").choices(papers))
		.addOption(new Option("-f, --format <format>", "how the tables are written").choices(viewFormats).default("text"))
		.option("-o, --out <file>", "where they go (default: standard output; a page: reports/ in the workspace)")
		.addHelpText(
			"after",
			`
Examples:
  $ hopscope benchmark stats atlas
  $ hopscope benchmark stats atlas --as mc-search vistahop --format latex --out statistics.tex
  $ hopscope benchmark stats atlas --format csv --out statistics/`,
		)
		.action(async (name: string, options: StatsOptions) => {
			const workspace = openWorkspace(options.workspace);
			const { dir, manifest, tasks } = await openBenchmark(await locate(workspace, "benchmarks", name));
			const wanted = options.knowledge;
			const knowledge = await knowledgeOf(workspace, { dir, name: manifest.knowledge, wanted });
			if (!knowledge)
				output.say(`there is no knowledge base "${manifest.knowledge}": documents and pages are not counted`);
			let tables: StatisticsTable[];
			try {
				const evidence = knowledge && ((id: string) => knowledge.evidence(id));
				const counts = knowledge?.manifest.counts;
				tables = await benchmarkStatistics(tasks, { papers: options.as, evidence, counts });
			} finally {
				knowledge?.close();
			}
			const data = { benchmark: { name: manifest.name, hash: manifest.hash, tasks: tasks.length }, tables };
			await writeViews(tables.map(viewOf), { data, name: `${manifest.name}-statistics`, workspace, options, output });
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
