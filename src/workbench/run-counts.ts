/** What the records of a run come to, kept in the workspace's cache: a list of a thousand runs reads no record twice. */
import { basename, join } from "node:path";
import { z } from "zod";
import { addUsage, attemptKey, lastAttempts, noUsage, type RunManifest, Score, StopReason, Usage } from "#domain";
import type { Run } from "#runs";
import { actionsIn, clusterOf, interval, latencyOf, mean } from "#scoring";
import { readAllJsonl, readJson, type Workspace, writeJson } from "#store";
import { locate } from "./locate.ts";
import { stampOfFile } from "./read-when-changed.ts";
import type { SummarisedHere } from "./summarised-run.ts";

const RunCounts = z.object({
	/** Answers that are there, and answers that ended in an error. */
	done: z.number(),
	errors: z.number(),
	/** Mean over the tasks that were scored, repeats averaged first; null where none was. */
	accuracy: z.number().nullable(),
	/** Its 95 % interval, of as many tasks; null where there is none, and why. */
	interval: z.object({
		low: z.number().nullable(),
		high: z.number().nullable(),
		tasks: z.number(),
		reason: z.string().optional(),
	}),
	/** Actions that were asked for, and those of them that could be read. */
	form: z.object({ actions: z.number(), read: z.number() }),
	/** Milliseconds an answer: half took no longer, and 95 %. */
	latency: z.object({ p50: z.number().nullable(), p95: z.number().nullable() }),
	/** By every attempt, those that failed too. */
	usage: Usage,
});
export type RunCounts = z.infer<typeof RunCounts>;

/** Counts with the size and age of the files that they were made of; those that an earlier version kept do not fit. */
const KeptCounts = z.object({ version: z.literal(2), of: z.string(), counts: RunCounts });

interface Counted {
	id: string;
	dir: string;
	manifest: RunManifest;
}

/**
 * Counts runs; the tasks of a benchmark are read once for all its runs. What the records of one that stands elsewhere than
 * in the workspace come to is not kept.
 */
export function createCounting(workspace: Workspace): (run: Counted, known?: CountedRecords) => Promise<RunCounts> {
	const folders = new Map<string, Promise<string | undefined>>();
	const clusters = new Map<string, Promise<Clusters | undefined>>();
	const tasksOf = async ({ dir, manifest: { benchmark } }: Counted): Promise<string | undefined> => {
		const first = join(dir, benchmark.folder);
		const known =
			folders.get(first) ?? locate(workspace, "benchmarks", benchmark.name, { first }).catch(() => undefined);
		folders.set(first, known);
		const folder = await known;
		return folder === undefined ? undefined : join(folder, "tasks.jsonl");
	};
	const clustersOf = (tasks: string) => {
		const known = clusters.get(tasks) ?? readClusters(tasks).catch(() => undefined);
		clusters.set(tasks, known);
		return known;
	};
	return async (run, known) => {
		const { id, dir, manifest } = run;
		const [records, scores] = [join(dir, "records.jsonl"), join(dir, "scores.jsonl")];
		const tasks = await tasksOf(run);
		const of = (await Promise.all([records, scores, tasks ?? ""].map(stampOfFile))).join(" ");
		const cache = dir === join(workspace.dir, "runs", id) ? countsFile(workspace, id) : undefined;
		const kept = known || cache === undefined ? undefined : await readJson(cache, KeptCounts).catch(() => undefined);
		if (kept?.of === of) return kept.counts;
		const given = known ?? (await readCounted(dir, manifest));
		const clusters = async () => tasks && clustersOf(tasks);
		const counts = { ...progressOf(given), ...(await accuracyOf(given, clusters)) };
		// a workspace that cannot be written is listed all the same
		if (cache !== undefined)
			await writeJson(cache, { version: 2, of, counts }, { synced: false }).catch(() => undefined);
		return counts;
	};
}

/** What is counted of a run. */
interface CountedRecords {
	/** Of the last attempts. */
	last: { stop: StopReason; ms: number; actions: number; read: number }[];
	/** By every attempt. */
	usage: Usage;
	/** Accuracies by task. */
	accuracies: Map<string, number[]>;
	/** Why there is no accuracy to be given though there are some. */
	unscored?: string;
}

/** Counts a run whose figures are known. */
export async function countFigures(
	{ dir, manifest, items, used }: SummarisedHere,
	workspace: Workspace,
): Promise<void> {
	const accuracies = new Map<string, number[]>();
	for (const { task, row } of items) {
		const score = row?.scores.accuracy;
		if (score?.is === "scored") push(accuracies, task.id, score.value);
	}
	const last = items.flatMap(({ head }) => head ?? []);
	await createCounting(workspace)({ id: basename(dir), dir, manifest }, { last, usage: used, accuracies });
}

const push = (values: Map<string, number[]>, name: string, value: number) => {
	const known = values.get(name);
	if (known) known.push(value);
	else values.set(name, [value]);
};

/** Counts a run that has just ended, so that no list has to read its records: those of a thousand runs take seconds. */
export async function countRun({ manifest, dir }: Pick<Run, "manifest" | "dir">, workspace: Workspace): Promise<void> {
	await createCounting(workspace)({ id: basename(dir), dir, manifest });
}

export const countsFile = (workspace: Workspace, id: string) => join(workspace.cache("run-counts"), `${id}.json`);

/** Of a task, what it shares its luck with: all else of a benchmark need not be checked to count runs over it. */
const TaskHead = z.object({
	id: z.string(),
	cluster: z.string().optional(),
	ladder: z.object({ id: z.string() }).optional(),
});
type Clusters = ReadonlyMap<string, string>;

async function readClusters(file: string): Promise<Clusters> {
	const tasks = await readAllJsonl(file, TaskHead);
	return new Map(
		tasks.map(({ cluster, ...task }) => [task.id, clusterOf(cluster === undefined ? task : { ...task, cluster })]),
	);
}

const key = { task: z.string(), repeat: z.number(), attempt: z.number() };
const StepHead = z.object({
	role: z.string().optional(),
	call: z.object({ valid: z.boolean(), joined: z.literal(true).optional() }).optional(),
	results: z.array(z.unknown()).default([]),
});
/** What is counted of a record; its steps are let go of once they are counted. */
const RecordHead = z.object({
	...key,
	trajectory: z
		.object({ stop: StopReason, usage: Usage, ms: z.number(), steps: z.array(StepHead) })
		.transform(({ steps, stop, usage, ms }) => {
			const { actions, read } = actionsIn({ steps, stop });
			return { stop, usage, ms, actions, read };
		}),
});
const AccuracyRow = z.object({ ...key, scores: z.object({ accuracy: Score.optional() }) });

async function readCounted(dir: string, { id, tasks }: RunManifest): Promise<CountedRecords> {
	const lines = await readAllJsonl(join(dir, "records.jsonl"), RecordHead, { ifThere: true });
	// a line that stands twice was paid for once
	const all = [...new Map(lines.map((line) => [attemptKey(line), line])).values()];
	const last = lastPlanned(all, tasks);
	const rows = lastPlanned(await readAllJsonl(join(dir, "scores.jsonl"), AccuracyRow, { ifThere: true }), tasks);
	const scored = new Set(rows.map(attemptKey));
	const unscored = last.filter((record) => !scored.has(attemptKey(record))).length;
	const accuracies = new Map<string, number[]>();
	for (const { task, scores } of rows)
		if (scores.accuracy?.is === "scored") push(accuracies, task, scores.accuracy.value);
	return {
		last: last.map(({ trajectory }) => trajectory),
		usage: all.map(({ trajectory }) => trajectory.usage).reduce(addUsage, noUsage),
		accuracies,
		...(unscored > 0 && rows.length > 0
			? { unscored: `${unscored} of ${last.length} answers are not scored: hopscope score ${id}` }
			: {}),
	};
}

function progressOf({ last, usage }: CountedRecords): Omit<RunCounts, "accuracy" | "interval"> {
	const errors = last.filter(({ stop }) => stop === "error").length;
	const sum = (count: "actions" | "read") => last.reduce((total, one) => total + one[count], 0);
	return {
		done: last.length - errors,
		errors,
		form: { actions: sum("actions"), read: sum("read") },
		latency: latencyOf(last.map(({ ms }) => ms)),
		usage,
	};
}

/**
 * The figure and the interval that reports give: over tasks, those of one cluster taken together. None where an answer has
 * no score, as in a file that was cut: the mean over the others would be another number.
 */
async function accuracyOf(
	{ accuracies, unscored }: CountedRecords,
	clusters: () => Promise<Clusters | undefined | "">,
): Promise<Pick<RunCounts, "accuracy" | "interval">> {
	if (unscored !== undefined)
		return { accuracy: null, interval: { low: null, high: null, tasks: 0, reason: unscored } };
	const tasks = accuracies.size;
	const none = { low: null, high: null, tasks };
	if (tasks === 0) return { accuracy: null, interval: { ...none, reason: "not scored yet" } };
	const values = [...accuracies.values()].map(mean);
	const known = await clusters();
	if (!known) return { accuracy: mean(values), interval: { ...none, reason: "the benchmark is not there" } };
	const { low, high, reason } = interval(values, {
		clusters: [...accuracies.keys()].map((task) => known.get(task) ?? clusterOf({ id: task })),
		share: true,
	});
	return { accuracy: mean(values), interval: { low, high, tasks, ...(reason === undefined ? {} : { reason }) } };
}

/** The last line of each planned task and repeat. */
function lastPlanned<Line extends { task: string; repeat: number; attempt: number }>(
	lines: readonly Line[],
	tasks: readonly string[],
): Line[] {
	const planned = new Set(tasks);
	return lastAttempts(lines.filter(({ task }) => planned.has(task)));
}
