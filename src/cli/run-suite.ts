import { join } from "node:path";
import type { Web } from "#agents";
import { addUsage, exitCodes, noUsage, type RunManifest, type Usage } from "#domain";
import { openRun, openSuiteFolder, readSuite, type Suite, type SuiteFolder } from "#runs";
import type { Workspace } from "#store";
import { type CommonOptions, type Context, counted, exists, next } from "./context.ts";
import type { Models } from "./models.ts";
import { createOpener, openForReport } from "./open.ts";
import { planSuite, type SuiteRun } from "./plan-suite.ts";
import { showPlan } from "./plan-table.ts";
import { type Ending, runAgent, usageLine } from "./run-agent.ts";
import { endingLines, exitCodeOf } from "./run-one.ts";
import { type BoundOptions, boundsFrom, boundsLeft, type RunOptions, withoutAbsent } from "./run-options.ts";
import { scorersIn } from "./scorer-files.ts";
import { show } from "./show.ts";

interface Parts {
	workspace: Workspace;
	models: Models;
	web: Web | undefined;
	context: Context;
}

/** What is asked of a suite beside its runs. */
export type SuiteOptions = BoundOptions & CommonOptions & { dryRun?: boolean; scorer?: string[] };

/** What became of a run of the suite in this sitting. */
export interface Ended {
	run: string;
	reason: Ending["reason"];
	code: number;
}

/**
 * Runs what a suite file says, one run after the other, and shows them in one table; given again, it goes on with those
 * that are not finished. Budgets are those of the whole suite. Returns the exit code.
 */
export async function runSuite(file: string, options: RunOptions, parts: Parts): Promise<number> {
	const suite = await readSuite(file);
	const done = await runLines(suite, options, { ...parts, again: next(`run ${file}`, options) });
	if (!done) return exitCodes.done;
	await showAll(done.ended, { name: suite.name, used: done.used, options, ...parts });
	return Math.max(...done.ended.map(({ code }) => code));
}

/** Runs the lines of a suite, shown or not; `again` is the command that goes on. Undefined where they were only planned. */
export async function runLines(
	suite: Suite,
	options: SuiteOptions,
	{ again, ...parts }: Parts & { again: string },
): Promise<{ ended: Ended[]; used: Usage } | undefined> {
	const { workspace, models, web, context } = parts;
	const { output } = context;
	const folder = await openSuiteFolder(workspace.suite(suite.name), suite);
	const opener = createOpener(workspace);
	try {
		const how = { needsPrice: options.maxCost !== undefined, timeout: options.timeout * 1000 };
		const runs = await planSuite(suite, { workspace, folder, models, web, opener, ...how });
		if (options.dryRun) {
			showPlan(runs, { output, json: options.json, suite: suite.name });
			return undefined;
		}
		const { ended, used } = await runAll(runs, { ...parts, folder, opener, options, again });
		const unpriced = runs.filter(({ manifest: { model } }) => model !== null && !models.money(model).priced).length;
		const { currency } = models.money(undefined);
		const total = usageLine(used, { currency, priced: unpriced < runs.length });
		const but =
			unpriced > 0 && currency !== undefined ? `; no price is written down for ${counted(unpriced, "run")}` : "";
		if (total) output.say(`the whole suite: ${total}${but}`);
		return { ended, used };
	} finally {
		opener.close();
	}
}

async function runAll(
	runs: SuiteRun[],
	{
		workspace,
		models,
		web,
		context,
		folder,
		opener,
		options,
		again,
	}: Parts & { folder: SuiteFolder; opener: ReturnType<typeof createOpener>; options: SuiteOptions; again: string },
): Promise<{ ended: Ended[]; used: Usage }> {
	const started = performance.now();
	const scorers = await scorersIn(options.scorer);
	const used = new Map<string, Usage>();
	for (const { manifest } of runs) used.set(manifest.id, await usedBefore(workspace.run(manifest.id)));
	const usedBut = (run: string) => sumOf([...used].flatMap(([id, usage]) => (id === run ? [] : [usage])));
	const ended: Ended[] = [];
	for (const [index, run] of runs.entries()) {
		const { manifest, agent, model, upstream } = run;
		const dir = workspace.run(manifest.id);
		context.output.say(`${index + 1} of ${runs.length}: ${described(manifest)}`);
		await folder.keep(manifest);
		const opened = await opener.open(run.benchmark, withoutAbsent({ knowledge: run.knowledge }));
		const bounds = boundsLeft(boundsFrom(options), {
			elsewhere: usedBut(manifest.id),
			ms: performance.now() - started,
		});
		const ending = await runAgent({ dir, manifest, agent, model, upstream, web, ...opened, ...bounds }, context, {
			pace: models.pace,
			money: models.money(manifest.model),
			scorers,
		});
		used.set(manifest.id, ending.used);
		for (const line of endingLines(ending, { again })) context.output.say(line);
		const { reason } = ending;
		ended.push({ run: manifest.id, reason, code: exitCodeOf(ending) });
		// a model that answers nobody says nothing of the next run's
		if (reason === "interrupted" || reason === "budget") break;
	}
	return { ended, used: sumOf([...used.values()]) };
}

const sumOf = (parts: Usage[]): Usage => parts.reduce(addUsage, noUsage);

async function showAll(
	ended: Ended[],
	{ name, used, options, workspace, context: { output } }: Parts & { name: string; used: Usage; options: RunOptions },
): Promise<void> {
	const shown = [];
	try {
		const scorers = await scorersIn(options.scorer);
		for (const { run } of ended) shown.push(await openForReport(workspace, run, output.say, { scorers }));
		await show(shown, {
			...{ name, options, output },
			json: (data, report) => ({
				suite: name,
				ended: ended.map(({ run, reason }) => ({ run, reason })),
				used,
				...data,
				...(report ? { report } : {}),
			}),
		});
	} finally {
		for (const run of shown) run.close();
	}
}

async function usedBefore(dir: string): Promise<Usage> {
	return (await exists(join(dir, "run.json"))) ? (await openRun(dir)).used : noUsage;
}

function described({ agent, model, setting, benchmark }: RunManifest): string {
	return [benchmark.name, agent.name, model, setting.name].filter(Boolean).join(" · ");
}
