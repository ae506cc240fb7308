import { addUsage, counted, noUsage, type RunManifest, type Usage, usageError } from "#domain";
import { openSuiteFolder, readSuite, type Suite, type SuiteFolder } from "#runs";
import type { Configuration } from "./configuration.ts";
import { type ModelOptions, type Models, openModels } from "./models.ts";
import { createOpener } from "./open.ts";
import { planSuite, type SuiteRun } from "./plan-suite.ts";
import type { PlannedRun } from "./planned-run.ts";
import { recordedIn } from "./recorded-in.ts";
import { runAgent } from "./run-agent.ts";
import { type BoundOptions, boundsFrom, boundsLeft } from "./run-options.ts";
import { answeredBy, type JobQueueOptions } from "./run-queue.ts";
import { type ScorerOptions, scorersOf } from "./scorer-files.ts";
import { type PageOptions, type ShownRuns, showRuns } from "./shown-runs.ts";
import { openReported } from "./summarised-run.ts";
import { usageLine } from "./usage-line.ts";
import { configuredWeb } from "./web.ts";
import type { Bench, RunEnded } from "./work.ts";

/** What is asked of a suite beside its runs; budgets are those of the whole suite. */
export type SuiteOptions = BoundOptions & ModelOptions & ScorerOptions & JobQueueOptions;

/** What became of a suite's runs, the last of which may have been stopped. */
export interface SuiteOutcome {
	suite: string;
	ended: RunEnded[];
	used: Usage;
}

/** Says what the runs of a suite file would be; nothing is run. */
export async function planRuns(
	file: string,
	options: SuiteOptions,
	bench: Bench,
): Promise<{ suite: string; runs: PlannedRun[] }> {
	const suite = mustBePlain(await readSuite(file), file);
	return { suite: suite.name, runs: await planLines(suite, options, bench) };
}

/** Runs what a suite file says, one run after the other; given again, it resumes those that are not finished. */
export async function runSuite(
	file: string,
	options: SuiteOptions & PageOptions,
	bench: Bench,
): Promise<SuiteOutcome & ShownRuns> {
	const suite = mustBePlain(await readSuite(file), file);
	const outcome = await runLines(suite, options, bench);
	const shown = [];
	try {
		const scorers = await scorersOf(options);
		for (const { run } of outcome.ended) shown.push(await openReported(run, { scorers, diagnosed: true }, bench));
		return { ...outcome, ...(await showRuns(shown, { name: suite.name, page: options.page }, bench)) };
	} finally {
		for (const run of shown) await run.close();
	}
}

function mustBePlain(suite: Suite, file: string): Suite {
	if (!suite.race && suite.lines.every(({ chunk }) => chunk === undefined)) return suite;
	throw usageError("a-sweep", `${file} says how a sweep goes`, `Run it with: hopscope sweep ${file}`);
}

/** Says what the runs of a suite would be. */
export async function planLines(suite: Suite, options: SuiteOptions, bench: Bench): Promise<PlannedRun[]> {
	return withPlanned(suite, options, bench, async ({ runs }) => runs);
}

/** Runs the runs of a suite. */
export async function runLines(suite: Suite, options: SuiteOptions, bench: Bench): Promise<SuiteOutcome> {
	return withPlanned(suite, options, bench, async (parts) => {
		const { ended, used } = await runAll(parts, options, bench);
		const { runs, models } = parts;
		const unpriced = runs.filter(({ manifest: { model } }) => model !== null && !models.money(model).priced).length;
		const { currency } = models.money(undefined);
		const total = usageLine(used, { currency, priced: unpriced < runs.length });
		const but =
			unpriced > 0 && currency !== undefined ? `; no price is written down for ${counted(unpriced, "run")}` : "";
		if (total) bench.say(`the whole suite: ${total}${but}`);
		return { suite: suite.name, ended, used };
	});
}

export interface PlannedSuite {
	runs: SuiteRun[];
	folder: SuiteFolder;
	models: Models;
	configuration: Configuration;
	web: Awaited<ReturnType<typeof configuredWeb>>;
	opener: ReturnType<typeof createOpener>;
}

/** Plans all the runs, and lets go of what was opened for them when `use` is done. */
export async function withPlanned<Result>(
	suite: Suite,
	options: SuiteOptions,
	bench: Bench,
	use: (planned: PlannedSuite) => Promise<Result>,
): Promise<Result> {
	const { workspace } = bench;
	const { configuration, models } = await openModels(bench, { ...options, elsewhere: options.queue !== undefined });
	const needsPrice = options.maxCost !== undefined;
	const web = await configuredWeb(configuration, { bench, models, replay: options.replay, needsPrice });
	const folder = await openSuiteFolder(workspace.suite(suite.name), suite);
	const opener = createOpener(workspace);
	try {
		const { timeout } = boundsFrom(options);
		const runs = await planSuite(suite, { workspace, folder, models, web, opener, needsPrice, timeout });
		return await use({ runs, folder, models, configuration, web, opener });
	} finally {
		await opener.close();
	}
}

async function runAll(
	{ runs, folder, models, configuration, web, opener }: PlannedSuite,
	options: SuiteOptions,
	bench: Bench,
): Promise<{ ended: RunEnded[]; used: Usage }> {
	const { workspace } = bench;
	const started = performance.now();
	const scorers = await scorersOf(options);
	const used = new Map<string, Usage>();
	for (const { manifest } of runs) used.set(manifest.id, await usedBefore(workspace.run(manifest.id)));
	const usedBut = (run: string) => sumOf([...used].flatMap(([id, usage]) => (id === run ? [] : [usage])));
	const all: RunEnded[] = [];
	for (const [index, run] of runs.entries()) {
		const { manifest, agent, model, upstream } = run;
		const dir = workspace.run(manifest.id);
		bench.say(`${index + 1} of ${runs.length}: ${described(manifest)}`);
		for (const note of run.notes) bench.say(note);
		await folder.keep(manifest);
		const opened = await opener.open(run.benchmark, { knowledge: run.knowledge });
		const bounds = boundsLeft(boundsFrom(options), {
			elsewhere: usedBut(manifest.id),
			ms: performance.now() - started,
		});
		const { pace = models.pace, run: workers } = answeredBy(options, { bench, configuration });
		const parts = { dir, manifest, agent, model, upstream, web, ...opened, ...bounds, ...workers };
		const { ended } = await runAgent(parts, bench, {
			pace,
			money: models.money(manifest.model),
			scorers,
		});
		used.set(manifest.id, ended.used);
		all.push(ended);
		// a model that answers nobody says nothing of the next run's
		if (ended.reason === "interrupted" || ended.reason === "budget") break;
	}
	return { ended: all, used: sumOf([...used.values()]) };
}

export const sumOf = (parts: Usage[]): Usage => parts.reduce(addUsage, noUsage);

export async function usedBefore(dir: string): Promise<Usage> {
	return (await recordedIn(dir)).recorded.map(({ usage }) => usage).reduce(addUsage, noUsage);
}

export function described({ agent, model, setting, benchmark }: RunManifest): string {
	return [benchmark.name, agent.name, model, setting.name].filter(Boolean).join(" · ");
}
