import { exitCodes, HopscopeError } from "#domain";
import { fileName, type PublishedTable } from "#reports";
import { openWorkspace } from "#store";
import type { Missing, ReproduceOptions as Reproducing } from "#workbench";
import {
	type AddCommand,
	type CommonOptions,
	type Context,
	next,
	sayNext,
	wholeNumber,
	withWorkspace,
} from "../context.ts";
import { withEmbedder } from "../encoders.ts";
import { exitCodeOfAll, sayEndings } from "../ending-words.ts";
import { withModels } from "../models.ts";
import { showPlan } from "../plan-table.ts";
import { listPublished } from "../reproduce-list.ts";
import { withBounds, withScoring } from "../run-options.ts";
import { watch } from "../watch.ts";
import { type ViewFormat, withTables, writeViews } from "../write-views.ts";

interface ReproduceOptions extends CommonOptions, Reproducing {
	dryRun?: boolean;
	list?: boolean;
	format: ViewFormat;
	out?: string;
}

/** `hopscope reproduce NAME`: a published table, and beside it what was run here for it. */
export const addReproduce: AddCommand = (command, context, exit) => {
	withTables(withWorkspace(command))
		.argument("[table]", "PAPER:N of a table, PAPER:figure-N of a figure; without one, those there are are listed")
		.option("-b, --benchmark <names...>", "run over this benchmark (two of the same questions where the table has two)")
		.option("-m, --model <models...>", "with these models, one run each")
		.option("-a, --agent <agents...>", "with these agents instead of the table's")
		.option("-s, --setting <names...>", "in these settings instead of the table's")
		.option("-n, --knowledge <name>", "knowledge base (default: the benchmark's own)")
		.option("--judge <model>", "lets this model judge the answers, where the table has a judge")
		.option("--runs <runs...>", "takes runs that were made before, and runs nothing")
		.option("--tasks <n>", "only so many tasks, evenly spread", wholeNumber(1, 1e7))
		.option("--repeats <n>", "runs of each task", wholeNumber(1, 1000))
		.option("--seed <n>", "another seed asks for other samples", wholeNumber(0, 2 ** 31));
	return withEmbedder(
		withModels(withBounds(withScoring(command, "as the table's paper does, else as the benchmark says"))),
	)
		.option("--list", "every table and figure of the papers, with why some cannot be reproduced")
		.option("--dry-run", "say what would run, and run nothing")
		.addHelpText("after", help)
		.action(async (name: string | undefined, options: ReproduceOptions) => {
			mustFit(name, options);
			if (name === undefined) return listPublished(options, context.output);
			exit(await reproduce(name, options, context));
		});
};

const help = `
Published rows are never run here and carry no intervals but those that were printed. Ours are over the benchmark that you
name, which may be any; the table says so. The same command again resumes runs that are not finished.

Examples:
  $ hopscope reproduce
  $ hopscope reproduce --list
  $ hopscope reproduce mc-search:3
  $ hopscope reproduce mc-search:3 --benchmark atlas --agent extractive
  $ hopscope reproduce vistahop:4 -b atlas -m openai:NAME --judge openai:OTHER --tasks 50 --dry-run
  $ hopscope reproduce mc-search:7 --benchmark atlas
  $ hopscope reproduce mc-search:figure-5 --runs RUN-A RUN-B --format latex --out figure-5.tex`;

const refuse = (what: string, remedy: string) =>
	new HopscopeError("usage", what, remedy, { exitCode: exitCodes.usage });

function mustFit(
	name: string | undefined,
	{ benchmark, runs, judge, dryRun, model, agent, list }: ReproduceOptions,
): void {
	if (name !== undefined && list) throw refuse("--list is of all tables", "Leave out the name, or --list.");
	if (name === undefined && (benchmark || runs))
		throw refuse("no table is named", "Name one: hopscope reproduce lists them.");
	if (runs && (benchmark || model || agent || dryRun))
		throw refuse(
			"--runs takes runs as they are",
			"Leave out what would make others: --benchmark, --model, --agent, --dry-run.",
		);
	if (!benchmark && !runs && (model || agent || dryRun || judge))
		throw refuse("nothing says over which tasks to run", "Name a benchmark: --benchmark NAME, or runs: --runs RUN….");
}

async function reproduce(name: string, options: ReproduceOptions, context: Context): Promise<number> {
	const { output } = context;
	if (options.dryRun) {
		const runs = await watch(context, options, (bench) => bench.planTable(name, options));
		showPlan(runs, { output, json: options.json, suite: "reproduce" });
		return exitCodes.done;
	}
	const made = await watch(context, options, (bench) => bench.reproduce(name, options));
	const { table, views, runs, benchmarks, missing, ended, judgeFailed } = made;
	await writeViews(views, {
		workspace: openWorkspace(options.workspace),
		options,
		output,
		name: `reproduce-${fileName(table)}`,
		data: { table: table.name, runs, ...(benchmarks ? { benchmarks } : {}), missing },
	});
	for (const line of missingWords(table, missing, options)) output.say(line);
	sayEndings(context, ended, () => next(`reproduce ${name} …`, options));
	if (runs.length > 0) sayNext(context, `compare ${runs.join(" ")}`, options);
	const code = exitCodeOfAll(ended);
	return judgeFailed && code !== exitCodes.interrupted ? exitCodes.failed : code;
}

/** What a table lacks for rows of our own, a line each. */
function missingWords(table: PublishedTable, missing: Missing, options: CommonOptions): string[] {
	const { benchmark, model, judge, commands } = missing;
	if (commands.length === 0) return [];
	const there = benchmark?.there.slice(0, 10).join(", ") || "none; hopscope make atlas makes the sample";
	return [
		benchmark ? `${table.name} has no rows of ours yet. For them it takes` : "What is missing:",
		...(benchmark ? [`- ${benchmark.needs}; in the workspace: ${there}`] : []),
		...(model ? [`- ${model}`] : []),
		...(judge ? [`- a judge by the rubric ${judge}; without it those cells stay unscored`] : []),
		"Type one of:",
		...commands.map((command) => `$ ${next(command, options)}`),
	];
}
