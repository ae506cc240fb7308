import { isSpec } from "#agents";
import type { Benchmark } from "#benchmarks";
import { counted, HopscopeError, software, usageError } from "#domain";
import type { KnowledgeBase } from "#knowledge";
import {
	type AnnouncedRun,
	type OpenedRun,
	openJobs,
	type QueueAddress,
	runKind,
	type SharedLimits,
	type WorkCounts,
	workerDiffers,
	workFor,
} from "#runs";
import { isAddress } from "#store";
import { isWithin } from "./addresses.ts";
import { recordedAgent } from "./agent-called.ts";
import { readingKind } from "./index-queue.ts";
import { judgingKind } from "./judge-queue.ts";
import { exists } from "./locate.ts";
import { openModels } from "./models.ts";
import { openForRun } from "./open.ts";
import { webOf } from "./run-queue.ts";
import { configuredWeb } from "./web.ts";
import type { Bench } from "./work.ts";

export interface WorkerOptions extends QueueAddress {
	/** Jobs at the same time; 8 where nothing is said. */
	concurrency?: number | undefined;
	/** A program that may be executed where a run names it as its agent: `exec:COMMAND` and such. */
	agent?: string | undefined;
	/** Folders whose documents may be read where an index names them. */
	sources?: readonly string[] | undefined;
	/** Where this worker has the knowledge base; an address that a run names is opened where it is this one. */
	knowledge?: string | undefined;
}

/** Does jobs of whatever work is in a queue, until it is stopped. */
export async function workForQueue(options: WorkerOptions, bench: Bench): Promise<WorkCounts> {
	const { queue, queueCredentials, concurrency = 8, sources = [] } = options;
	const progress = bench.progress("worker");
	try {
		return await workFor({
			queue,
			queueCredentials,
			concurrency,
			signal: bench.signal,
			say: bench.say,
			onCount: ({ answered, running, refused }) =>
				progress.update(
					answered,
					undefined,
					[`${running} running`, refused > 0 ? `${counted(refused, "answer")} too late` : ""]
						.filter(Boolean)
						.join(", "),
				),
			kinds: [
				runKind((announced, limits) => openAnnounced(announced, { ...options, limits }, bench)),
				readingKind({ folders: sources }, bench),
				judgingKind(bench),
			],
		});
	} finally {
		progress.end();
	}
}

/** Opens what a run was announced with, as `run --resume` opens it, and refuses what is not the very same. */
async function openAnnounced(
	{ manifest, manner }: AnnouncedRun,
	{ agent: allowed, knowledge: own, limits }: WorkerOptions & { limits: SharedLimits },
	bench: Bench,
): Promise<OpenedRun> {
	const { needsPrice = false, timeout } = manner;
	const { configuration, models } = await openModels(bench, {
		...manner,
		shared: { of: manner.limits ?? {}, by: limits },
	});
	const web = await configuredWeb(configuration, { bench, models, replay: manner.replay, needsPrice });
	if (manner.web !== undefined && manner.web !== webOf(configuration))
		throw usageError(
			"worker-lacks",
			`${bench.workspace.configuration} says otherwise than the run's how the web is reached`,
			'Give this worker the "web" of the run\'s hopscope.json.',
		);
	// a command is executed only where this worker's user named it: what the queue says is somebody else's word
	const isProgram = /^(?:exec|observe):/i.test(manifest.agent.name);
	const agent = recordedAgent(manifest.agent.name, isProgram ? allowed : undefined, { timeout });
	const model = manifest.model ? models.open(manifest.model, { needsPrice }) : undefined;
	const upstream = manifest.model && isSpec(agent.name) ? models.upstream(manifest.model) : undefined;
	const opened = await openMatching(bench, (parts) => workerDiffers({ manifest, agent, model, ...parts }), {
		...manifest,
		own,
	});
	const { hopscope } = software();
	if (hopscope !== manifest.software.hopscope)
		bench.say(`${manifest.id} was begun with hopscope ${manifest.software.hopscope}; this worker is ${hopscope}`);
	bench.say(`working for ${manifest.id}`);
	return openJobs({ manifest, agent, model, web, upstream, timeout, ...opened });
}

/**
 * Benchmark and knowledge base where the run says they are, else by their names in this worker's workspace, else where its
 * user says. An address that the run names is somebody else's word, and opened where this user named it.
 */
async function openMatching(
	{ workspace }: Bench,
	check: (parts: { benchmark: Benchmark; knowledge: KnowledgeBase }) => void,
	{ benchmark, knowledge, own }: AnnouncedRun["manifest"] & { own: string | undefined },
): Promise<{ benchmark: Benchmark; knowledge: KnowledgeBase }> {
	const problems: HopscopeError[] = [];
	for (const name of [benchmark.folder, benchmark.name])
		for (const base of [knowledge.folder, knowledge.name, ...(own === undefined ? [] : [own])]) {
			try {
				const isOwn = own !== undefined && (base === own || (isAddress(base) && isWithin(base, own)));
				const opened = await openForRun(workspace, name, { knowledge: base, recorded: !isOwn });
				try {
					check(opened);
					return opened;
				} catch (error) {
					await opened.knowledge.close();
					throw error;
				}
			} catch (error) {
				if (!(error instanceof HopscopeError)) throw error;
				problems.push(error);
			}
		}
	const isThere = await exists(benchmark.folder);
	// that a folder differs says more than that the other one is missing
	const unnamed = problems.find(({ code }) => code === "address-not-named");
	if (unnamed)
		throw usageError(
			"worker-lacks",
			`the run's knowledge base is at ${knowledge.folder}, which this worker's user did not name`,
			`If you trust that address, start the worker with --knowledge ${knowledge.folder.replace(/\/versions\/.*$/, "")} and keys of that store.`,
		);
	const { message } = problems.find(({ code }) => code === "run-differs") ?? (problems[0] as HopscopeError);
	throw usageError(
		"worker-lacks",
		message,
		`Give this worker the same benchmark and knowledge base: share the folder ${isThere ? knowledge.folder : benchmark.folder}, or copy both into its workspace.`,
	);
}
