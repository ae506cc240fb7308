import { join } from "node:path";
import { type Agent, isSpec, type Upstream, type Web } from "#agents";
import type { Benchmark } from "#benchmarks";
import { type RunManifest, type ScoringMode, usageError } from "#domain";
import type { KnowledgeBase } from "#knowledge";
import type { ChatModel } from "#models";
import { checkCombination, mustBeOurs, planRun, readManifest } from "#runs";
import type { Workspace } from "#store";
import { agentGiven, recordedAgent } from "./agent-called.ts";
import { chosenIds, type TaskChoice } from "./chosen-tasks.ts";
import type { Configuration } from "./configuration.ts";
import { fittedTo } from "./fit-endpoint.ts";
import { exists, locate } from "./locate.ts";
import { type ModelOptions, type Models, openModels } from "./models.ts";
import { openForRun } from "./open.ts";
import { type PlannedRun, plannedRun } from "./planned-run.ts";
import { recordedIn } from "./recorded-in.ts";
import { runAgent } from "./run-agent.ts";
import { type BoundOptions, boundsFrom, type SettingOptions, settingFrom, withoutAbsent } from "./run-options.ts";
import { answeredBy, type JobQueueOptions } from "./run-queue.ts";
import { type ScorerOptions, scorersOf } from "./scorer-files.ts";
import { type PageOptions, type ShownRuns, showRuns } from "./shown-runs.ts";
import { usageLine } from "./usage-line.ts";
import { configuredWeb } from "./web.ts";
import type { Bench, RunEnded } from "./work.ts";

/** One run: an agent over a benchmark, or `resume` of one that was begun, which all its numbers depend on. */
export interface RunOptions
	extends SettingOptions,
		BoundOptions,
		ModelOptions,
		PageOptions,
		ScorerOptions,
		TaskChoice,
		JobQueueOptions {
	benchmark?: string | undefined;
	/** One of ours by its name, a program as `exec:COMMAND` and such, or an agent of your own. */
	agent?: string | Agent | undefined;
	model?: string | undefined;
	knowledge?: string | undefined;
	resume?: string | undefined;
	/** What the run is called in the workspace; without it by benchmark, agent and time. */
	name?: string | undefined;
	/** Only so many tasks, evenly spread. */
	tasks?: number | undefined;
	repeats?: number | undefined;
	seed?: number | undefined;
	scoring?: ScoringMode | undefined;
}

/** What became of a run, as its report has it. */
export interface RunOutcome extends ShownRuns {
	ended: RunEnded;
	manifest: RunManifest;
}

/** What a run would be; nothing is run. */
export async function planOneRun(options: RunOptions, bench: Bench): Promise<PlannedRun> {
	return prepared(options, bench, async ({ agent, model, dir, manifest, notes, knowledge, web }) => {
		const warnings = [...notes, ...checkCombination({ agent, setting: manifest.setting, knowledge, web })];
		const { recorded } = await recordedIn(dir);
		return plannedRun({ agent, model, manifest, warnings, recorded });
	});
}

/** Begins a run, or resumes one, and scores it. */
export async function runOne(options: RunOptions, bench: Bench): Promise<RunOutcome> {
	const scorers = await scorersOf(options);
	return prepared(options, bench, async ({ models, modelName, notes, ...run }) => {
		for (const note of notes) bench.say(note);
		const money = models.money(modelName);
		const { pace = models.pace, run: workers } = answeredBy(options, { bench, configuration: run.configuration });
		const { ended, shown } = await runAgent({ ...run, ...boundsFrom(options), ...workers }, bench, {
			pace,
			money,
			scorers,
		});
		const used = usageLine(ended.used, money);
		if (used) bench.say(used);
		const { manifest } = run;
		return { ended, manifest, ...(await showRuns([shown], { name: manifest.id, page: options.page }, bench)) };
	});
}

interface Prepared {
	dir: string;
	manifest: RunManifest;
	/** What is known of the model's server, and what was fitted to it. */
	notes: string[];
	agent: Agent;
	benchmark: Benchmark;
	knowledge: KnowledgeBase;
	web: Web | undefined;
	models: Models;
	configuration: Configuration;
	modelName: string | null | undefined;
	model: ChatModel | undefined;
	upstream: Upstream | undefined;
}

/** Opens everything that a run takes, and closes it when `use` is done. */
async function prepared<Result>(
	options: RunOptions,
	bench: Bench,
	use: (run: Prepared) => Promise<Result>,
): Promise<Result> {
	const { workspace } = bench;
	const { configuration, models } = await openModels(bench, { ...options, elsewhere: options.queue !== undefined });
	const needsPrice = options.maxCost !== undefined;
	const web = await configuredWeb(configuration, { bench, models, replay: options.replay, needsPrice });
	const price = options.model ? models.price(options.model) : undefined;
	const folder = options.resume ? await locate(workspace, "runs", options.resume) : undefined;
	const resumed = folder === undefined ? undefined : await readManifest(folder);
	if (resumed) mustBeOurs(resumed);
	const agent = resumed
		? recordedAgent(resumed.agent.name, options.agent, boundsFrom(options))
		: agentGiven(options.agent, boundsFrom(options));
	const modelName = resumed ? resumed.model : options.model;
	if (agent.needs.model === "none" && modelName)
		throw usageError("needless-model", `the agent "${agent.name}" asks no model`, "Leave out --model.");
	const model = modelName ? models.open(modelName, { needsPrice }) : undefined;
	const upstream = modelName && isSpec(agent.name) ? models.upstream(modelName) : undefined;
	const named = resumed?.benchmark.folder ?? options.benchmark;
	if (!named) throw usageError("no-benchmark", "no benchmark is named", "Name one: --benchmark NAME.");
	const base = resumed ? resumed.knowledge.folder : options.knowledge;
	const { benchmark, knowledge } = await openForRun(workspace, named, {
		knowledge: base,
		recorded: resumed !== undefined,
	});
	try {
		const { repeats, seed, scoring, tasks: limit } = options;
		const only = await chosenIds(benchmark, options);
		const said = { ...options, ...(resumed ? {} : await models.requestOptions(modelName, { ...options, agent })) };
		const fitted = resumed
			? undefined
			: await fittedTo(models, modelName, { agent, asked: said, only, benchmark, knowledge });
		const setting = resumed?.setting ?? settingFrom(agent, { ...said, ...fitted?.options });
		const planned = () =>
			planRun({
				agent,
				model,
				price,
				setting,
				endpoint: fitted?.endpoint,
				benchmark,
				knowledge,
				web,
				only,
				...withoutAbsent({ repeats, seed, scoring, limit }),
			});
		const manifest = resumed ?? (await called(options.name, planned(), workspace));
		const dir = folder ?? workspace.run(manifest.id);
		return await use({
			dir,
			manifest,
			notes: fitted?.notes ?? [],
			agent,
			benchmark,
			knowledge,
			web,
			models,
			configuration,
			modelName,
			model,
			upstream,
		});
	} finally {
		await knowledge.close();
	}
}

/** A new run under the name that it was given. */
async function called(name: string | undefined, planned: RunManifest, workspace: Workspace): Promise<RunManifest> {
	if (name === undefined) return planned;
	// a folder without it is what a process left that was killed as it began
	if (await exists(join(workspace.run(name), "run.json")))
		throw usageError(
			"run-exists",
			`there is a run called ${name} in ${workspace.dir}`,
			`Resume it with --resume ${name}, or choose another --name.`,
			{ facts: { name } },
		);
	return { ...planned, id: name };
}
