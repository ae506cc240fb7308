import { basename } from "node:path";
import { type Command, Option } from "commander";
import { exitCodes, HopscopeError, type ScoringMode } from "#domain";
import { type ReportRun, viewBuilders } from "#reports";
import { openWorkspace, sha256, type Workspace } from "#store";
import { type AddCommand, type CommonOptions, type Context, withWorkspace } from "../context.ts";
import { openEmbedder, withEmbedder } from "../encoders.ts";
import { openForReport } from "../open.ts";
import { chosenViews, viewsOf, whyEmpty } from "../report-views.ts";
import { withScoring } from "../run-options.ts";
import { scorersIn, withScorers } from "../scorer-files.ts";
import { show } from "../show.ts";
import { type ViewFormat, viewFormats, writeViews } from "../write-views.ts";

interface ReportOptions extends CommonOptions {
	format: ViewFormat;
	out?: string;
	views?: string;
	by?: string;
	embedder?: string;
	listViews?: true;
	scoring?: ScoringMode;
	scorer?: string[];
}

export const addReport: AddCommand = (command, context) =>
	withScorers(withScoring(withReportOptions(withWorkspace(command)), "as each run says"))
		.argument("[runs...]", "runs to show; without any, those that exist are listed")
		.addHelpText(
			"after",
			`
Without --views: the report, as text or as a page. With --views, or as md, latex or csv: tables.
Examples:
  $ hopscope report
  $ hopscope report RUN-A RUN-B --format html --out report.html
  $ hopscope report --list-views
  $ hopscope report RUN-A RUN-B --views by-topology,f1-by-length
  $ hopscope report RUN-A RUN-B --views by-topology --format latex --out table.tex
  $ hopscope report RUN-A RUN-B --scoring relative-10
  $ hopscope report RUN-A --scorer ./mine.mjs
  $ hopscope report RUN-A --views all --format csv --out tables`,
		)
		.action(async (names: string[], options: ReportOptions) => {
			const { output } = context;
			if (options.listViews) return listViews(options, context);
			const workspace = openWorkspace(options.workspace);
			if (names.length === 0) return listRuns(workspace, options, context);
			const { format } = options;
			const asReport = options.views === undefined && (format === "text" || format === "html");
			if (asReport && options.by !== undefined)
				throw new HopscopeError("by-without-views", "--by groups the tables of --views", "Add --views NAMES.", {
					exitCode: exitCodes.usage,
				});
			const builders = chosenViews(options.views ?? "all");
			const runs = [];
			try {
				// the terminal's table shows no verdict, so none are made for it
				const undiagnosed = asReport && format === "text" && !options.json;
				const { scoring } = options;
				const scorers = await scorersIn(options.scorer);
				const opening = { scoring, scorers, ...(undiagnosed ? { diagnosed: async () => undefined } : {}) };
				for (const name of names) runs.push(await openForReport(workspace, name, output.say, opening));
				const name = pageName(names);
				if (asReport) await show(runs, { name, options: { ...options, format }, output });
				else await showViews(runs, { builders, name, workspace, options, context });
			} finally {
				for (const run of runs) run.close();
			}
		});

function withReportOptions(command: Command): Command {
	const format = new Option("-f, --format <format>", "text, a self-contained page, or tables for a paper");
	return withEmbedder(command)
		.addOption(format.choices([...viewFormats]).default("text"))
		.option("-o, --out <path>", "where it goes; of tables, a path without an ending is a folder with a file for each")
		.option("--views <names>", "tables by name, separated by commas, or all (see --list-views)")
		.option("--by <property>", "group the tables' tasks by a slice (topology, hops, language …) or by a tag")
		.option("--list-views", "list the tables that there are");
}

async function showViews(
	runs: readonly ReportRun[],
	{
		builders,
		name,
		workspace,
		options,
		context: { output, signal },
	}: {
		builders: ReturnType<typeof chosenViews>;
		name: string;
		workspace: Workspace;
		options: ReportOptions;
		context: Context;
	},
): Promise<void> {
	const embedder = await openEmbedder(options.embedder, workspace);
	const { views, empty } = await viewsOf(runs, { builders, by: options.by, embedder, signal }).finally(() =>
		embedder?.close(),
	);
	for (const view of empty) output.say(whyEmpty(view));
	if (views.length === 0 && !options.json)
		throw new HopscopeError("no-views", "these runs have no data for any of these tables", "See the lines above.", {
			exitCode: exitCodes.failed,
		});
	const data = { empty: empty.map((view) => ({ name: view.name, reason: whyEmpty(view) })) };
	await writeViews(views, { data, name: `${name}-tables`, workspace, options, output });
}

function listViews({ json }: ReportOptions, { output }: Context): void {
	const views = viewBuilders.map(({ name, title, describe, source }) => ({ name, title, describe, source }));
	const widest = Math.max(...views.map(({ name }) => name.length));
	const lines = views.map(({ name, title, source }) => `${name.padEnd(widest)}  ${title} (${source})`);
	output.write(json ? JSON.stringify({ views }) : lines.join("\n"));
}

async function listRuns(workspace: Workspace, { json }: ReportOptions, { output }: Context): Promise<void> {
	const runs = await workspace.list("runs");
	if (json) return output.write(JSON.stringify({ runs }));
	if (runs.length === 0)
		throw new HopscopeError("no-runs", `there are no runs in ${workspace.dir}`, "Make one: hopscope run …", {
			exitCode: exitCodes.usage,
		});
	output.write(runs.join("\n"));
}

/** A folder name for the page of these runs: others of as many runs have another. */
function pageName(names: string[]): string {
	const [first = "runs", ...others] = names.map((name) => basename(name));
	return others.length === 0 ? first : `${first}+${others.length}-${sha256(others.join("\n")).slice(0, 6)}`;
}
