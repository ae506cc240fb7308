import { resolve } from "node:path";
import { type Command, Option } from "commander";
import { exitCodes, HopscopeError, type ScoringMode, usageError } from "#domain";
import { viewBuilders } from "#reports";
import { openWorkspace } from "#store";
import { type ViewOptions, whyEmpty } from "#workbench";
import { type AddCommand, type CommonOptions, type Context, sayNext, wholeNumber, withWorkspace } from "../context.ts";
import { withEmbedder } from "../encoders.ts";
import { withScorers, withScoring } from "../run-options.ts";
import { pageOf, show } from "../show.ts";
import { withTaskChoice } from "../task-choice.ts";
import { watch } from "../watch.ts";
import { type ViewFormat, viewFormats, writeViews } from "../write-views.ts";

interface ReportOptions extends CommonOptions, ViewOptions {
	format: ViewFormat;
	out?: string;
	sample?: number;
	listViews?: true;
	scoring?: ScoringMode;
	scorer?: string[];
	split?: string[];
	taskList?: string;
}

export const addReport: AddCommand = (command, context) =>
	withTaskChoice(withScorers(withScoring(withReportOptions(withWorkspace(command)), "as each run says")))
		.argument("[runs...]", "runs to show; without any, those that exist are listed")
		.addHelpText(
			"after",
			`
Without --views: the report, as text or as a page. With --views, or as md, latex or csv: tables.
Examples:
  $ hopscope report
  $ hopscope report RUN-A RUN-B --format html --out report
  $ hopscope report --list-views
  $ hopscope report RUN-A RUN-B --views by-topology,f1-by-length
  $ hopscope report RUN-A RUN-B --views by-topology --format latex --out table.tex
  $ hopscope report RUN-A RUN-B --scoring relative-10
  $ hopscope report RUN-A RUN-B --split test
  $ hopscope report RUN-A --scorer ./mine.mjs
  $ hopscope report RUN-A --views all --format csv --out tables`,
		)
		.action(async (names: string[], options: ReportOptions) => {
			const { output } = context;
			const { format, json } = options;
			if (options.listViews) return listViews(options, context);
			if (names.length === 0) {
				const runs = await openWorkspace(options.workspace).list("runs");
				if (runs.length === 0) throw noRuns(options);
				output.write(json ? JSON.stringify({ runs }) : runs.join("\n"));
				return sayNext(context, "runs", options);
			}
			if (options.views !== undefined || (format !== "text" && format !== "html"))
				return showViews(names, options, context);
			if (options.by !== undefined)
				throw usageError("by-without-views", "--by groups the tables of --views", "Add --views NAMES.");
			// the terminal's table shows no verdict, so none are made for it
			const diagnosed = format === "html" || json === true;
			const { scoring, scorer } = options;
			if (format === "html" && scoring !== undefined)
				throw usageError("usage", "the pages score as each run says", "Keep it: hopscope score RUN --scoring MODE.");
			const { sample, split, taskList } = options;
			if (format === "html" && (split ?? taskList) !== undefined)
				throw usageError(
					"usage",
					"the pages show whole runs",
					"Leave out --split and --task-list, or make a benchmark of these tasks: hopscope benchmark subset.",
				);
			const asked = { scoring, scorer, split, taskList, diagnosed, sample, page: pageOf({ ...options, format }) };
			const shown = await watch(context, options, (bench) => bench.report(names, asked));
			show(shown, { options, output });
			const [first, second] = shown.data.runs;
			sayNext(context, second ? `compare ${first?.id} ${second.id}` : `diagnose ${first?.id}`, options);
		});

function withReportOptions(command: Command): Command {
	const format = new Option("-f, --format <format>", "text, the studio's pages as a folder, or tables for a paper");
	return withEmbedder(command)
		.addOption(format.choices([...viewFormats]).default("text"))
		.option("-o, --out <path>", "where it goes; of tables, a path without an ending is a folder with a file for each")
		.option(
			"--sample <n>",
			"of the studio's pages: at most so many tasks of each run, evenly spread",
			wholeNumber(1, 1e6),
		)
		.option("--views <names>", "tables by name, separated by commas, or all (see --list-views)")
		.option("--by <property>", "group the tables' tasks by a slice (topology, hops, language …) or by a tag")
		.option("--list-views", "list the tables that there are");
}

const noRuns = ({ workspace }: CommonOptions) =>
	usageError("no-runs", `there are no runs in ${resolve(workspace)}`, "Make one: hopscope run …");

async function showViews(names: readonly string[], options: ReportOptions, context: Context): Promise<void> {
	const { output } = context;
	const { name, views, empty } = await watch(context, options, (bench) => bench.views(names, options));
	for (const view of empty) output.say(whyEmpty(view));
	if (views.length === 0 && !options.json)
		throw new HopscopeError("no-views", "these runs have no data for any of these tables", "See the lines above.", {
			exitCode: exitCodes.failed,
		});
	const data = { empty: empty.map((view) => ({ name: view.name, reason: whyEmpty(view) })) };
	await writeViews(views, { data, name, workspace: openWorkspace(options.workspace), options, output });
}

function listViews({ json }: ReportOptions, { output }: Context): void {
	const views = viewBuilders.map(({ name, title, describe, source }) => ({ name, title, describe, source }));
	const widest = Math.max(...views.map(({ name }) => name.length));
	const lines = views.map(({ name, title, source }) => `${name.padEnd(widest)}  ${title} (${source})`);
	output.write(json ? JSON.stringify({ views }) : lines.join("\n"));
}
