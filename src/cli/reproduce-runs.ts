import { Command } from "commander";
import { HopscopeError } from "#domain";
import { type PublishedTable, servesOthers } from "#reports";
import { openRun } from "#runs";
import type { Workspace } from "#store";
import { addJudge } from "./commands/judge.ts";
import { readConfiguration } from "./configuration.ts";
import { type Context, locate, next } from "./context.ts";
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
	const { output, signal } = context;
	if (table.rubric === undefined) {
		output.say(`${table.name} has no judge: --judge is passed over`);
		return 0;
	}
	const { agent: agents, judge, replay, cache, maxCalls, maxCost } = options;
	let worst = 0;
	for (const name of names) {
		const { manifest } = await openRun(await locate(workspace, "runs", name));
		if (servesOthers(manifest.agent.name, table, { agents })) continue;
		// what `hopscope judge` does, without its words about it
		const program = new Command();
		addJudge(program, { output: { ...output, write: () => {} }, signal }, (code) => {
			worst = Math.max(worst, code);
		});
		const flags = [
			...(replay ? ["--replay"] : []),
			...(cache === false ? ["--no-cache"] : []),
			// the judge has budgets of its own, as large as the runs', for each run
			...(maxCalls === undefined ? [] : ["--max-calls", String(maxCalls)]),
			...(maxCost === undefined ? [] : ["--max-cost", String(maxCost)]),
		];
		const asked = ["--model", judge, "--rubric", table.rubric, "--workspace", options.workspace, ...flags];
		await program.parseAsync(["judge", name, ...asked], { from: "user" }).catch((error: unknown) => {
			if (!(error instanceof HopscopeError) || error.code !== "judge-is-judged") throw error;
			output.say(`${error.message}: its cells stay unscored`);
		});
	}
	return worst;
}
