import { join } from "node:path";
import { agents, playsEpisodes, settingFor } from "#agents";
import type { Benchmark } from "#benchmarks";
import { addUsage, exitCodes, HopscopeError, noUsage, software, type Task, type Usage } from "#domain";
import { openWorkspace, replaceFolder, sha256File, type Workspace, writeJson, writeJsonl } from "#store";
import {
	type Collected,
	chainExamples,
	countedBy,
	createEnvironment,
	isClean,
	type Preflight,
	refusedFindings,
	type Trainer,
	tasksToTrainOn,
	trainingWriters,
	trajectoryExamples,
	type Verification,
	verificationOf,
	type Writing,
} from "#training";
import { agentCalled } from "./agent-called.ts";
import { readConfiguration } from "./configuration.ts";
import { type CommonOptions, type Context, counted, exists } from "./context.ts";
import { itemsBehind } from "./items-behind.ts";
import { createModels, type ModelOptions, type Models } from "./models.ts";
import { openForReport, openForRun } from "./open.ts";
import { createProgress } from "./progress.ts";
import { usageLine } from "./run-agent.ts";

export interface SftOptions extends Pick<CommonOptions, "workspace">, ModelOptions {
	to: string;
	format: Trainer;
	agent: string;
	setting?: string;
	evidence: "gold" | "retrieved";
	model?: string;
	concurrency: number;
	split?: string[];
	unverified?: boolean;
	perTask: number;
	allow?: string[];
	tasks?: number;
	knowledge?: string;
}

/** What a source gave. */
interface SourceReport {
	kind: "chains" | "trajectories";
	name: string;
	/** What its tasks are and under which terms. */
	about: Record<string, unknown>;
	tasks: number;
	/** Trajectories of a run that were looked at. */
	records?: number;
	examples: number;
	splits: Record<string, number>;
	dropped: Record<string, number>;
	noticed: Record<string, number>;
}

/** What was made, as it is told. */
export interface SftReport {
	examples: number;
	dropped: number;
	format: Trainer;
	files: string[];
	sources: SourceReport[];
	written: Pick<Writing, "rows" | "images" | "left" | "losses" | "longest">;
	preflight: Preflight;
	clean: boolean;
	usage: Usage;
}

interface Gathering {
	workspace: Workspace;
	models: Models;
	options: SftOptions;
	context: Context;
}

type Gathered = Collected & { report: SourceReport; usage: Usage };

const marker = "export.json";
/** In a folder of their own: trainers take every file of lines beside theirs for rows. */
const examplesFile = "source/examples.jsonl";
const droppedFile = "source/dropped.jsonl";

/** Gathers examples from every source, writes them for a trainer, and reads what was written as the trainer would. */
export async function exportSft(names: string[], options: SftOptions, context: Context): Promise<SftReport> {
	const workspace = openWorkspace(options.workspace);
	const configuration = await readConfiguration(workspace);
	const models = createModels(workspace, { configuration, options, say: context.output.say });
	const gathering = { workspace, models, options, context };
	const gathered: Gathered[] = [];
	for (const name of names)
		gathered.push(
			(await isRun(workspace, name)) ? await fromRun(name, gathering) : await fromBenchmark(name, gathering),
		);
	const examples = gathered.flatMap((one) => one.examples);
	const dropped = gathered.flatMap((one) => one.dropped);
	const usage = gathered.map((one) => one.usage).reduce(addUsage, noUsage);
	const { split, unverified = false, allow = [], evidence, model = null, perTask } = options;
	const writer = trainingWriters[options.format];
	return replaceFolder(options.to, marker, async (folder) => {
		const { signal } = context;
		const { files, ...written } = await writer.write(examples, folder, { signal });
		await writeJsonl(join(folder, examplesFile), examples);
		await writeJsonl(join(folder, droppedFile), dropped);
		const preflight = await writer.reread(folder, { signal });
		const made = {
			...{ examples: examples.length, dropped: dropped.length, format: options.format },
			...{ files: [...files, examplesFile, droppedFile], sources: gathered.map((one) => one.report) },
			...{ written, preflight, clean: isClean(preflight), usage },
		};
		const asked = { evidence, model, split: split ?? null, unverified, allow, perTask };
		const hash = await sha256File(join(folder, examplesFile));
		await writeJson(join(folder, marker), { ...made, asked, hash, software: software(), at: new Date().toISOString() });
		return made;
	});
}

async function isRun({ dir }: Workspace, name: string): Promise<boolean> {
	const run = (await exists(join(dir, "runs", name, "run.json"))) || (await exists(join(name, "run.json")));
	if (run && (await exists(join(dir, "benchmarks", name, "benchmark.json"))))
		throw new HopscopeError(
			"two-of-that-name",
			`"${name}" is a run and a benchmark`,
			"Give the folder of the one that is meant.",
			{ exitCode: exitCodes.usage },
		);
	return run;
}

/** The chains of a benchmark, walked. */
async function fromBenchmark(name: string, { workspace, models, options, context }: Gathering): Promise<Gathered> {
	const { output, signal } = context;
	const agent = agentCalled(options.agent);
	const setting = settingFor(agent, { name: options.setting });
	if (!playsEpisodes(agent) || setting.form === "continued") throw noTurns(agent.name);
	const { benchmark, knowledge } = await openForRun(workspace, name, options);
	const progress = createProgress(output, `${name} · chains`);
	try {
		const first = { ...benchmark, tasks: benchmark.tasks.slice(0, options.tasks) };
		const choice = guarded(first, options, output.say);
		const items = await itemsBehind(workspace, first);
		const verified = new Map<string, Verification>(
			items.map((item, at) => [first.tasks[at]?.id ?? item.id, verificationOf(item)]),
		);
		const isTaken = ({ id }: Task) => options.unverified === true || verified.get(id) === "have";
		const tasks = choice.tasks.filter(isTaken);
		const unverified = choice.tasks.filter((task) => !isTaken(task));
		if (unverified.length > 0)
			output.say(
				`${name}: ${counted(unverified.length, "chain")} left out, since no check has shown by a model's answers that every hop is needed; --unverified takes them`,
			);
		const model = options.model === undefined ? undefined : models.open(options.model);
		if (model)
			output.say(
				`${name}: ${model.id} writes the thoughts: at most ${counted(tasks.length, "call")}, and as many repairs`,
			);
		const made = await chainExamples({
			...{ benchmark, tasks, knowledge, agent, setting, signal },
			...{ evidence: options.evidence, concurrency: options.concurrency, model, allow: options.allow ?? [] },
			tags: ({ id }) => ({ verified: verified.get(id) ?? "none" }),
			onProgress: (done, of) => progress.update(done, of),
		});
		progress.end();
		if (model) output.say(`${name}: ${usageLine(made.usage, models.money(options.model)) || "no tokens"}`);
		const dropped = [
			...choice.heldOut.map(({ id, tags }) => ({ task: id, what: "held-out-split", detail: tags.split ?? "no split" })),
			...unverified.map(({ id }) => ({ task: id, what: "unverified" })),
			...made.dropped,
		];
		const noticed = { ...made.noticed, ...levels(made, verified) };
		const { manifest } = knowledge;
		return {
			...{ examples: made.examples, dropped, noticed, usage: made.usage },
			report: {
				...{ kind: "chains", name, tasks: first.tasks.length, examples: made.examples.length, splits: choice.taken },
				about: {
					...aboutOf(benchmark),
					agent: { name: agent.name, version: agent.version, promptHash: agent.promptHash ?? null },
					...{ setting, knowledge: { name: manifest.name, hash: manifest.hash } },
				},
				...{ dropped: countedBy(dropped), noticed },
			},
		};
	} finally {
		progress.end();
		knowledge.close();
	}
}

/** How many of the examples were verified how far. */
function levels({ examples }: Collected, verified: ReadonlyMap<string, Verification>): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const { task } of examples) {
		const level = `verified: ${verified.get(task) ?? "none"}`;
		counts[level] = (counts[level] ?? 0) + 1;
	}
	return counts;
}

/** The successful trajectories of a run. */
async function fromRun(name: string, { workspace, options, context }: Gathering): Promise<Gathered> {
	const { output } = context;
	const run = await openForReport(workspace, name, output.say);
	try {
		const { manifest, records, rows, diagnoses = [], evidence, file, benchmarkDir } = run;
		mustBeItsOwn(run);
		const asked = new Set(manifest.tasks);
		const planned = run.tasks.filter(({ id }) => asked.has(id));
		const benchmark = { dir: benchmarkDir, manifest: { name: manifest.benchmark.name }, tasks: planned };
		const choice = guarded(benchmark, options, output.say);
		await run.knowledge();
		const made = await trajectoryExamples(
			{ manifest, tasks: choice.tasks, records, rows, diagnoses, dir: benchmarkDir, knowledge: { evidence, file } },
			{
				...{ perTask: options.perTask, allow: options.allow ?? [] },
				tools: await declaredTools(run, benchmark),
			},
		);
		const held = new Set(choice.heldOut.map(({ id }) => id));
		const dropped = [
			...records
				.filter(({ task }) => held.has(task))
				.map(({ task, repeat }) => ({ task, run: manifest.id, repeat, what: "held-out-split" })),
			...made.dropped,
		];
		const { examples, noticed } = made;
		const { agent, model, setting, knowledge, benchmark: of } = manifest;
		return {
			...{ examples, dropped, noticed, usage: noUsage },
			report: {
				...{ kind: "trajectories", name: manifest.id, tasks: planned.length, records: records.length },
				...{ examples: examples.length, splits: choice.taken, dropped: countedBy(dropped), noticed },
				about: {
					benchmark: of.name,
					hash: of.hash,
					agent,
					model,
					setting,
					knowledge: { name: knowledge.name, hash: knowledge.hash },
				},
			},
		};
	} finally {
		run.close();
	}
}

type OpenedRun = Awaited<ReturnType<typeof openForReport>>;

/** What an agent did that was shown the gold, or in a world that was changed for it, is no example of what it can do. */
function mustBeItsOwn({ manifest }: Pick<OpenedRun, "manifest">): void {
	const { intervention, agent, setting } = manifest;
	const known = Object.hasOwn(agents, agent.name) ? agents[agent.name as keyof typeof agents] : undefined;
	const why = intervention
		? "was made under an intervention"
		: agent.reference !== undefined || known?.needs.gold
			? "is of an agent that is shown the gold"
			: setting.form === "continued"
				? "holds what was found within the assistant's own messages, which a trainer would train on"
				: undefined;
	if (why === undefined) return;
	throw new HopscopeError("no-example", `${manifest.id} ${why}`, "Give a run of an agent's own, in turns.", {
		exitCode: exitCodes.usage,
	});
}

/** The functions that were declared: of a protocol, what an episode of it declares now. */
async function declaredTools(
	run: OpenedRun,
	benchmark: Pick<Benchmark, "dir" | "tasks"> & { manifest: { name: string } },
) {
	const { agent: ran, setting } = run.manifest;
	const agent = Object.hasOwn(agents, ran.name) ? agents[ran.name as keyof typeof agents] : undefined;
	if (!agent || !playsEpisodes(agent) || agent.version !== ran.version) return async () => [];
	const knowledge = await run.knowledge();
	const environment = createEnvironment({
		...{ benchmark: benchmark as Benchmark, knowledge, agent, setting },
	});
	return async ({ id }: Task) => {
		const episode = await environment.open(id);
		episode.abort();
		return episode.tools;
	};
}

/** Training on the tasks that one is tested on is the classic mistake: what is not of a training split needs a word. */
function guarded(
	{ tasks, manifest }: { tasks: readonly Task[]; manifest: { name: string } },
	{ split }: SftOptions,
	say: (warning: string) => void,
) {
	const choice = tasksToTrainOn(tasks, split);
	const { name } = manifest;
	if (!choice.declared && split === undefined)
		say(
			`WARNING: ${name} declares no split, so all its tasks are taken. Whatever is trained on them cannot be tested on them: hopscope benchmark split ${name} makes a split without leaks`,
		);
	if (choice.declared && split?.some((one) => one !== "train"))
		say(`WARNING: ${name}: taking ${split.join(", ")}, as asked: results on these tasks will mean nothing`);
	return choice;
}

const aboutOf = ({ manifest }: Benchmark) => {
	const { name, hash, licence, sources, recipe } = manifest;
	return { benchmark: name, hash, licence, sources, ...(recipe ? { recipe } : {}) };
};

const noTurns = (agent: string) =>
	new HopscopeError(
		"no-turns",
		`${agent} is no protocol that speaks in turns`,
		"Choose one with --agent, e.g. stepwise, tagged, search-r1 or function-calling.",
		{ exitCode: exitCodes.usage },
	);

/** Everything that --allow takes. */
export const allowable = (rules: readonly string[]): string[] => [
	...refusedFindings,
	...rules,
	...["malformed", "not-judged", "skipped-known"],
];
