import { setMaxListeners } from "node:events";
import { join } from "node:path";
import type { Agent, Upstream, Web } from "#agents";
import type { Benchmark } from "#benchmarks";
import {
	attachCommand,
	type KnowledgeService,
	type RunManifest,
	type RunRecord,
	software,
	type Trajectory,
	type Usage,
	usageError,
	waitingIn,
	waitingWords,
} from "#domain";
import type { KnowledgeBase } from "#knowledge";
import type { ChatModel } from "#models";
import { type Appender, lockFolder, openAppender } from "#store";
import type { AnswerOptions } from "./answer-task.ts";
import { type BudgetName, createBudget, type Limits } from "./budget.ts";
import { createChannel } from "./channel.ts";
import { checkCombination } from "./check-combination.ts";
import { intervene } from "./interventions/intervene.ts";
import { mustBeOurs } from "./keep-imported.ts";
import { keepTexts } from "./keep-texts.ts";
import { type Job, outstanding, planned } from "./outstanding.ts";
import { inProcess, type OpenQueue } from "./queue/job-queue.ts";
import { eachAttemptOnce, type Recorded, readRecorded } from "./recorded.ts";
import type { RunEnding, RunEvent } from "./run-event.ts";
import { answersTo, settleManifest } from "./run-folder.ts";
import { watchModel } from "./watch-model.ts";

export interface ExecuteOptions extends Limits {
	/** The run's folder: made, or resumed where it holds a run. */
	dir: string;
	manifest: RunManifest;
	agent: Agent;
	model?: ChatModel | undefined;
	benchmark: Benchmark;
	knowledge: KnowledgeBase;
	/** The live web, for settings whose tools reach it. */
	web?: Web | undefined;
	/** Where the model is, for agents that are programs and ask it themselves. */
	upstream?: Upstream | undefined;
	/** What stands between every agent and its tools, below interventions too: a fault of the tools. */
	below?: AnswerOptions["below"];
	/** Who answers the tasks; this process by default. */
	queue?: OpenQueue | undefined;
	/** Tasks answered at the same time, 4 by default. */
	concurrency?: number;
	/** Aborted: no task is begun any more, those running are told and given two seconds. */
	signal?: AbortSignal | undefined;
	/** Milliseconds until one task is given up and recorded as an error, 10 minutes by default. */
	timeout?: number;
	/** Only these of the tasks that are planned, this time; the others stay outstanding. */
	only?: ReadonlySet<string> | undefined;
	/** What is recorded already, where it is known without reading every record; asked once nobody else can write. */
	recorded?: (() => ReturnType<typeof readRecorded>) | undefined;
}

/**
 * Answers every task of a run that is not answered yet and tells what happens. A record is on disk before its
 * `task-end` is told. A failing task becomes an error record and stops nothing, unless the model answers nobody any
 * more; what stops a run is thrown: a folder in use, a run begun with something else or that makes no sense (exit 2), a
 * disk that cannot be written. Leaving the loop early interrupts.
 */
export async function* executeRun(options: ExecuteOptions): AsyncGenerator<RunEvent> {
	const { dir, concurrency = 4, signal } = options;
	mustBeOurs(options.manifest);
	mustMatch(options);
	const { setting, intervention } = options.manifest;
	const doubts = checkCombination({ ...options, setting, intervention: intervention?.what });
	if (!Number.isInteger(concurrency) || concurrency < 1)
		throw usageError("bad-concurrency", `${concurrency} tasks at a time`, "Choose 1 or more.");
	const release = await lockFolder(dir);
	const stop = new AbortController();
	// one listener for each running task is no leak
	setMaxListeners(0, stop.signal);
	const interrupt = () => stop.abort(signal?.reason);
	if (signal?.aborted) interrupt();
	signal?.addEventListener("abort", interrupt, { once: true });
	const open: Appender[] = [];
	const opened = async (name: string, flush: boolean) => {
		const appender = await openAppender(join(dir, name), { flush });
		open.push(appender);
		return appender;
	};
	let working: Promise<void> | undefined;
	let texts: Awaited<ReturnType<typeof keepTexts>> | undefined;
	try {
		const manifest = await settleManifest(dir, options.manifest);
		const read = await (options.recorded?.() ?? readRecorded(dir));
		const { once: recorded, warnings: doubled } = eachAttemptOnce(read.recorded, join(dir, "records.jsonl"));
		const warnings = [...read.warnings, ...doubled];
		warnings.push(
			...softwareChanges(manifest),
			...doubts,
			...waits(options.benchmark),
			...mayChange(options.knowledge),
		);
		const log = await opened("events.jsonl", false);
		const keep = await opened("records.jsonl", true);
		texts = options.knowledge.manifest.service && (await keepTexts(dir, options.knowledge));
		const channel = createChannel<RunEvent>();
		const tell = (event: RunEvent) => {
			// of tasks that ended well the records tell more
			if (event.event.startsWith("run-") || "error" in event)
				void log.append({ ...event, at: new Date().toISOString() }).catch(() => undefined);
			channel.send(event);
		};
		const agent = inItsWorld(options);
		working = work({
			...options,
			agent,
			manifest,
			concurrency,
			signal: stop.signal,
			before: recorded,
			warnings,
			keep,
			keepTexts: texts?.keep,
			tell,
		}).then(
			() => channel.close(),
			(error) => channel.fail(error),
		);
		yield* channel.received();
	} finally {
		stop.abort();
		await working;
		for (const appender of open) await appender.close();
		await texts?.close();
		signal?.removeEventListener("abort", interrupt);
		await release();
	}
}

/** The agent as the run has it: in a world with a part changed where the run is an intervention. */
export function inItsWorld({
	agent,
	manifest: { intervention, seed },
	benchmark: { tasks },
}: Pick<ExecuteOptions, "agent" | "manifest" | "benchmark">): Agent {
	return intervention ? intervene(agent, intervention.what, { tasks, seed }) : agent;
}

interface Work extends ExecuteOptions {
	concurrency: number;
	signal: AbortSignal;
	before: readonly Recorded[];
	warnings: string[];
	keep: Appender;
	keepTexts: ((trajectory: Trajectory) => Promise<void>) | undefined;
	tell(event: RunEvent): void;
}

async function work(options: Work): Promise<void> {
	const { manifest, benchmark, concurrency, signal, before, warnings, keep, tell, timeout = 600_000 } = options;
	const { setting, seed } = manifest;
	const tasks = new Map(benchmark.tasks.map((task) => [task.id, task]));
	const { only } = options;
	const now = only ? { ...manifest, tasks: manifest.tasks.filter((task) => only.has(task)) } : manifest;
	const jobs = outstanding(now, before);
	const total = planned(now).length;
	const budget = createBudget(options);
	for (const { usage } of before) budget.add(usage);
	const reports = options.agent.reportsUsage && !options.model;
	const watched = watchModel(options.model);
	let done = total - jobs.length;
	let errors = 0;
	let begun = 0;
	let broken = false;
	let unseen: BudgetName | undefined;
	const queue = await (options.queue?.(options) ??
		inProcess({ ...options, model: watched.model, setting, seed, timeout }));
	tell({ event: "run-start", total, done, warnings, used: budget.used() });
	const stopped = () => begun >= jobs.length || signal.aborted || broken || !!unseen || !!watched.hopeless();

	async function next(): Promise<void> {
		while (!stopped()) {
			const place = await budget.begin();
			if (!place) return;
			const trajectory = await answerNext().finally(() => place.end());
			if (!trajectory) return;
		}
	}

	async function answerNext(): Promise<Trajectory | undefined> {
		const job = jobs[begun];
		const task = job && tasks.get(job.task);
		if (!task || stopped()) return undefined;
		begun += 1;
		tell({ event: "task-start", ...job });
		const trajectory = await queue.answer(job, task);
		if (!trajectory) return undefined;
		// before its record: a run that was killed between lacks no text of what it recorded
		await options.keepTexts?.(trajectory);
		await keep.append(recordOf(job, trajectory));
		budget.add(trajectory.usage);
		watched.taskEnded(trajectory);
		if (trajectory.stop === "error") errors += 1;
		else done += 1;
		if (reports && trajectory.stop !== "error") unseen ??= budget.unseen(trajectory.usage);
		tell(taskEnd(job, trajectory, budget.used()));
		return trajectory;
	}
	const workers = Array.from({ length: Math.min(concurrency, jobs.length) }, () =>
		next()
			.catch((error) => {
				// the disk failed: the others end with what they are doing
				broken = true;
				throw error;
			})
			.finally(() => {
				if (begun < jobs.length) queue.withdraw?.();
			}),
	);
	const ended = await Promise.allSettled(workers);
	await queue.close?.({ complete: !only && done + errors === total });
	for (const result of ended) if (result.status === "rejected") throw result.reason;
	const left = total - done - errors;
	tell({ event: "run-end", done, errors, left, used: budget.used(), ...why() });

	function why(): RunEnding {
		if (left === 0) return { reason: errors > 0 ? "errors" : "complete" };
		if (signal.aborted) return { reason: "interrupted" };
		if (unseen) return { reason: "unseen", budget: unseen };
		const cause = watched.hopeless();
		if (cause !== undefined) return { reason: "refused", cause };
		return { reason: "budget", budget: budget.reached() ?? "time" };
	}
}

function recordOf({ task, repeat, attempt }: Job, trajectory: Trajectory): RunRecord {
	return { version: 1, task, repeat, attempt, at: new Date().toISOString(), trajectory };
}

function taskEnd(job: Job, { stop, ms, usage, error }: Trajectory, used: Usage): RunEvent {
	return { event: "task-end", ...job, stop, ms, usage, used, ...(error ? { error: error.message } : {}) };
}

/** The manifest must speak of the very agent, model, benchmark and knowledge base that are handed over. */
export function mustMatch({
	manifest,
	agent,
	model,
	benchmark,
	knowledge,
}: Pick<ExecuteOptions, "manifest" | "agent" | "model" | "benchmark" | "knowledge">): void {
	const refuse = (what: string, planned: string | null, given: string) =>
		usageError(
			"run-differs",
			`run ${manifest.id} is planned with ${what} ${planned ?? "none"}, not ${given}`,
			"Give what it was planned with, or plan a new run.",
			{ facts: { run: manifest.id } },
		);
	const agentOf = ({ name, version, promptHash }: RunManifest["agent"]) =>
		`${name} ${version} ${promptHash ?? ""}`.trim();
	if (agentOf(manifest.agent) !== agentOf(agent)) throw refuse("agent", agentOf(manifest.agent), agentOf(agent));
	if (manifest.model !== (model?.id ?? null)) throw refuse("model", manifest.model, model?.id ?? "none");
	const hashes = [
		["benchmark", manifest.benchmark, benchmark.manifest],
		["knowledge base", manifest.knowledge, knowledge.manifest],
	] as const;
	for (const [what, wanted, given] of hashes) {
		const shown = (one: { name: string; hash: string; service?: KnowledgeService | undefined }) => {
			const said = Object.entries(one.service?.said ?? {}).map(([what, value]) => `, ${what} ${value}`);
			return `${one.name} (${one.hash.slice(0, 12)}…${said.join("")})`;
		};
		if (!answersTo(wanted.hash, given)) throw refuse(what, shown(wanted), shown(given));
	}
	const known = new Set(benchmark.tasks.map((task) => task.id));
	const missing = manifest.tasks.find((id) => !known.has(id));
	if (missing !== undefined) throw refuse("task", missing, "among those of the benchmark");
}

/** What was searched elsewhere is known by what it told of itself, and no hash of it says that it stayed the same. */
function mayChange({ manifest: { name, service } }: KnowledgeBase): string[] {
	if (!service || service.kind === "hopscope") return [];
	const said = Object.entries(service.said).map(([what, value]) => `${what} ${value}`);
	return [
		`${name} is a search engine elsewhere (${service.kind}), and what it searches may change${said.length > 0 ? `: now it tells of ${said.join(", ")}` : " without a sign: it tells nothing of itself"}`,
	];
}

/** What tasks still wait for: neither is it asked for nor scored. */
function waits({ manifest: { name }, tasks }: Benchmark): string[] {
	const waiting = waitingIn(tasks);
	if (waiting.tasks === 0) return [];
	return [
		`${waiting.tasks} of ${tasks.length} tasks wait for ${waitingWords(waiting)}; without it they are not asked or their hops not scored: hopscope ${attachCommand(name, waiting)}`,
	];
}

/** A run may go on with another version, but whoever reads its numbers should know. */
function softwareChanges(manifest: RunManifest): string[] {
	const now = software();
	return (["hopscope", "node"] as const).flatMap((program) =>
		manifest.software[program] === now[program]
			? []
			: [`begun with ${program} ${manifest.software[program]}, resumed with ${now[program]}`],
	);
}
