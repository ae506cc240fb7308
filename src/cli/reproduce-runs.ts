import { exitCodes, HopscopeError } from "#domain";
import { type PublishedTable, servesOthers } from "#reports";
import { openRun } from "#runs";
import type { Workspace } from "#store";
import { readConfiguration } from "./configuration.ts";
import { type Context, locate, next } from "./context.ts";
import { judgeRun } from "./judge-run.ts";
import { createModels, type ModelOptions } from "./models.ts";
import { type ReproduceChoice, reproduceSuite } from "./reproduce-suite.ts";
import { runLines, type SuiteOptions } from "./run-suite.ts";
import { configuredWeb } from "./web.ts";

interface Parts {
	workspace: Workspace;
	context: Context;
}

/**
 * Runs what a table asks for, going on where it was left; the runs' names and the exit code, or undefined where they
 * were only planned.
 */
export async function runTable(
	table: PublishedTable,
	options: SuiteOptions & ModelOptions & ReproduceChoice,
	{ workspace, context }: Parts,
): Promise<{ names: string[]; code: number } | undefined> {
	const suite = reproduceSuite(table, options);
	const configuration = await readConfiguration(workspace);
	const models = createModels(workspace, { configuration, options, say: context.output.say });
	const { replay, maxCost } = options;
	const needsPrice = maxCost !== undefined;
	const web = await configuredWeb(configuration, { models, file: workspace.configuration, replay, needsPrice });
	const again = next(`reproduce ${table.name} …`, options);
	const done = await runLines(suite, options, { workspace, models, web, context, again });
	return done && { names: done.ended.map(({ run }) => run), code: Math.max(...done.ended.map(({ code }) => code)) };
}

/** Lets a judge judge the runs that have a row of their own, by the table's rubric; the worst exit code. */
export async function judgeRuns(
	table: PublishedTable,
	names: readonly string[],
	{
		options,
		workspace,
		context,
	}: Parts & { options: SuiteOptions & ModelOptions & { judge: string; agent?: string[] } },
): Promise<number> {
	if (table.rubric === undefined) {
		context.output.say(`${table.name} has no judge: --judge is passed over`);
		return 0;
	}
	const { agent: agents, judge: model } = options;
	let worst = 0;
	for (const name of names) {
		const { manifest } = await openRun(await locate(workspace, "runs", name));
		if (servesOthers(manifest.agent.name, table, { agents })) continue;
		// the judge has budgets of its own, as large as the runs', for each run
		const asked = { ...options, model, rubric: table.rubric, seed: 0, concurrency: 8 };
		try {
			const { failed } = await judgeRun(name, asked, context);
			if (failed) worst = exitCodes.failed;
		} catch (error) {
			if (!(error instanceof HopscopeError) || error.code !== "judge-is-judged") throw error;
			context.output.say(`${error.message}: its cells stay unscored`);
		}
	}
	return worst;
}
