import { lstat, rename, rm, rmdir, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { z } from "zod";
import {
	addUsage,
	HopscopeError,
	interventionName,
	lastAttempts,
	noUsage,
	RunManifest,
	Score,
	Usage,
	usageError,
} from "#domain";
import type { Run } from "#runs";
import { lockFolder, readAllJsonl, readJson, type Workspace, writeJson } from "#store";
import { exists, locate, rerunsOf } from "./locate.ts";
import type { Bench } from "./work.ts";

/** A run as a list shows it. */
export interface RunSummary extends Counts {
	id: string;
	/** When it was begun. */
	at: string;
	agent: string;
	model: string | null;
	benchmark: string;
	/** What was changed in the agent's world, and in which run; null of a plain run. */
	intervention: { of: string; what: string } | null;
	/** Answers planned: tasks by repeats. */
	total: number;
	/** What costs are in; null where no price was written down. */
	currency: string | null;
	tags: string[];
}

/** Only runs over this benchmark, by this agent, with this tag. */
export interface RunFilter {
	benchmark?: string | undefined;
	agent?: string | undefined;
	tag?: string | undefined;
	/** Re-runs with an intervention too, whose scores are none of the agent's. */
	all?: boolean | undefined;
}

/**
 * The runs of a workspace, those begun last first. What their records come to is kept in the workspace's cache, and read
 * from records again only where they changed.
 */
export async function listRuns(
	filter: RunFilter,
	{ workspace, say, progress: begun }: Bench,
): Promise<{ runs: RunSummary[]; hidden: number }> {
	const runs: RunSummary[] = [];
	const progress = begun("reading runs");
	let hidden = 0;
	for (const id of await workspace.list("runs")) {
		const dir = workspace.run(id);
		try {
			const manifest = await readJson(join(dir, "run.json"), RunManifest);
			const tags = await tagsOf(dir);
			if (!fits({ manifest, tags }, filter)) continue;
			if (manifest.intervention && !filter.all) hidden += 1;
			else runs.push(summaryOf({ id, manifest, tags }, await countsOf(workspace, { id, dir, manifest })));
		} catch (error) {
			if (!(error instanceof HopscopeError)) throw error;
			say(`${id} cannot be listed: ${error.message}`);
		}
		progress.update(runs.length + hidden, undefined);
	}
	progress.end();
	const age = ({ at, id }: RunSummary) => `${at} ${id}`;
	return { runs: runs.sort((a, b) => (age(a) < age(b) ? 1 : -1)), hidden };
}

/** One run as a list shows it; what the records of one that stands elsewhere come to is not kept. */
export async function summariseRun(dir: string, { workspace }: Bench): Promise<RunSummary> {
	const manifest = await readJson(join(dir, "run.json"), RunManifest);
	const id = basename(dir);
	const counts = await (dir === workspace.run(id) ? countsOf(workspace, { id, dir, manifest }) : count(dir, manifest));
	return summaryOf({ id, manifest, tags: await tagsOf(dir) }, counts);
}

function fits({ manifest, tags }: { manifest: RunManifest; tags: string[] }, filter: RunFilter): boolean {
	const { benchmark, agent, tag } = filter;
	return (
		(benchmark === undefined || manifest.benchmark.name === benchmark) &&
		(agent === undefined || manifest.agent.name === agent) &&
		(tag === undefined || tags.includes(tag))
	);
}

function summaryOf({ id, manifest, tags }: { id: string; manifest: RunManifest; tags: string[] }, counts: Counts) {
	const { at, agent, model, benchmark, intervention, tasks, repeats, price } = manifest;
	return {
		id,
		at,
		agent: agent.name,
		model,
		benchmark: benchmark.name,
		intervention: intervention ? { of: intervention.of, what: interventionName(intervention.what) } : null,
		total: tasks.length * repeats,
		...counts,
		currency: price?.currency ?? null,
		tags,
	};
}

/** What the records of a run come to. */
const Counts = z.object({
	/** Answers that are there, and answers that ended in an error. */
	done: z.number(),
	errors: z.number(),
	/** Mean over the tasks that were scored, repeats averaged first; null where none was. */
	accuracy: z.number().nullable(),
	/** By every attempt, those that failed too. */
	usage: Usage,
});
type Counts = z.infer<typeof Counts>;

/** Counts with the size and age of the files that they were made of. */
const KeptCounts = z.object({ of: z.string(), counts: Counts });

async function countsOf(
	workspace: Workspace,
	{ id, dir, manifest }: { id: string; dir: string; manifest: RunManifest },
): Promise<Counts> {
	const of = (await Promise.all(countedFiles.map((name) => stampOf(join(dir, name))))).join(" ");
	const cache = countsFile(workspace, id);
	const kept = await readJson(cache, KeptCounts).catch(() => undefined);
	if (kept?.of === of) return kept.counts;
	const counts = await count(dir, manifest);
	// a workspace that cannot be written is listed all the same
	await writeJson(cache, { of, counts }, { synced: false }).catch(() => undefined);
	return counts;
}

const countedFiles = ["records.jsonl", "scores.jsonl"] as const;

async function count(dir: string, manifest: RunManifest): Promise<Counts> {
	const [records, scores] = countedFiles.map((name) => join(dir, name)) as [string, string];
	return { ...(await progressOf(records, manifest)), accuracy: await accuracyOf(scores, manifest) };
}

/** Counts a run that has just ended, so that no list has to read its records: those of a thousand runs take seconds. */
export async function countRun({ manifest, dir }: Pick<Run, "manifest" | "dir">, workspace: Workspace): Promise<void> {
	const { id } = manifest;
	if (dir === workspace.run(id)) await countsOf(workspace, { id, dir, manifest });
}

const countsFile = (workspace: Workspace, id: string) => join(workspace.cache("run-counts"), `${id}.json`);

const stampOf = (file: string) =>
	stat(file).then(
		({ size, mtimeMs }) => `${size}-${mtimeMs}`,
		() => "none",
	);

const key = { task: z.string(), repeat: z.number(), attempt: z.number() };
const RecordHead = z.object({ ...key, trajectory: z.object({ stop: z.string(), usage: Usage }) });
const AccuracyRow = z.object({ ...key, scores: z.object({ accuracy: Score.optional() }) });

async function progressOf(file: string, { tasks }: RunManifest): Promise<Pick<Counts, "done" | "errors" | "usage">> {
	const all = await readAllJsonl(file, RecordHead, { ifThere: true });
	const usage = all.map(({ trajectory }) => trajectory.usage).reduce(addUsage, noUsage);
	const last = lastPlanned(all, tasks);
	const errors = last.filter(({ trajectory }) => trajectory.stop === "error").length;
	return { done: last.length - errors, errors, usage };
}

async function accuracyOf(file: string, { tasks }: RunManifest): Promise<number | null> {
	const rows = await readAllJsonl(file, AccuracyRow, { ifThere: true });
	const byTask = new Map<string, number[]>();
	for (const { task, scores } of lastPlanned(rows, tasks))
		if (scores.accuracy?.is === "scored") byTask.set(task, [...(byTask.get(task) ?? []), scores.accuracy.value]);
	return byTask.size === 0 ? null : mean([...byTask.values()].map(mean));
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The last line of each planned task and repeat. */
function lastPlanned<Line extends { task: string; repeat: number; attempt: number }>(
	lines: readonly Line[],
	tasks: readonly string[],
): Line[] {
	const planned = new Set(tasks);
	return lastAttempts(lines.filter(({ task }) => planned.has(task)));
}

/**
 * Removes runs of the workspace, each named by its whole id, with their re-runs, which say something of those runs alone,
 * and the pages of each; one that a process is writing is refused. Returns all that went, a run behind its re-runs.
 */
export async function removeRuns(ids: readonly string[], { workspace }: Bench): Promise<{ removed: string[] }> {
	for (const id of ids) await mustBeWhole(id, workspace);
	const all = new Set<string>();
	for (const id of ids) for (const one of [...(await rerunsOf(workspace, id)), id]) all.add(one);
	const locks: (() => Promise<void>)[] = [];
	const removed: string[] = [];
	try {
		// all are ours before the first is gone
		for (const id of all) locks.push(await lockFolder(workspace.run(id), { makeFolder: false }));
		for (const id of all) {
			await removeRun(workspace.run(id));
			await rm(countsFile(workspace, id), { force: true });
			await removePages(workspace, id);
			removed.push(id);
		}
	} catch (error) {
		if (removed.length === 0) throw error;
		const cause = error instanceof Error ? error.message : String(error);
		throw new HopscopeError(
			"not-removed",
			`only ${removed.join(", ")} removed: ${cause}`,
			"Mend this, then remove the rest.",
		);
	} finally {
		for (const release of locks) await release();
	}
	return { removed };
}

/** A run is there or is not: it goes under a name that no list shows before its files do. */
async function removeRun(dir: string): Promise<void> {
	const leaving = join(dirname(dir), `.removing-${basename(dir)}`);
	await rm(leaving, { recursive: true, force: true });
	await rename(dir, leaving);
	await rm(leaving, { recursive: true });
}

/** What an export of pages consists of. */
const pageParts = ["index.html", "studio.js", "studio.css", "data", "media"];

/** The pages of a run alone; one of several runs is no less true, and what else somebody put beside a page stays. */
async function removePages(workspace: Workspace, id: string): Promise<void> {
	const tables = `${id}-tables`;
	for (const name of (await exists(workspace.run(tables))) ? [id] : [id, tables]) {
		const folder = workspace.report(name);
		for (const part of pageParts) await rm(join(folder, part), { recursive: true, force: true });
		await rmdir(folder).catch(() => undefined);
	}
}

/** What is removed is gone: the beginning of an id does not do. */
async function mustBeWhole(id: string, workspace: Workspace): Promise<void> {
	const dir = await locate(workspace, "runs", id);
	if ((await lstat(dir)).isSymbolicLink())
		throw usageError(
			"not-a-folder",
			`"${id}" is a link to a run elsewhere`,
			"Remove the link, or the run where it stands.",
		);
	if (dir === join(workspace.dir, "runs", id)) return;
	throw usageError("not-an-id", `"${id}" is not the whole id of a run of this workspace`, `Write ${basename(dir)}.`);
}

/** Gives a run tags, or takes them away; returns those that it has then. */
export async function tagRun(
	name: string,
	{ add = [], remove = [] }: { add?: readonly string[]; remove?: readonly string[] },
	{ workspace }: Bench,
): Promise<{ run: string; tags: string[] }> {
	const dir = await locate(workspace, "runs", name);
	await readJson(join(dir, "run.json"), RunManifest.pick({ id: true }));
	const unfit = add.find((tag) => !isTag(tag));
	if (unfit !== undefined)
		throw usageError("bad-tag", `"${unfit}" is no tag`, "Use letters, digits, dots, dashes and colons.");
	// a lock of its own: tags are given while a run goes on, and two who give some wait a moment for each other
	const release = await lockFolder(dir, { name: "tagging", makeFolder: false, wait: 30_000 });
	try {
		const tags = [...new Set([...(await tagsOf(dir)), ...add])].filter((tag) => !remove.includes(tag)).sort();
		await writeJson(tagsFile(dir), tags, { makeFolder: false });
		return { run: basename(dir), tags };
	} finally {
		await release();
	}
}

const isTag = (text: string) => /^[\p{L}\p{N}][\p{L}\p{N}._:+-]{0,60}$/u.test(text);
const tagsFile = (dir: string) => join(dir, "tags.json");

const tagsOf = async (dir: string): Promise<string[]> =>
	(await exists(tagsFile(dir))) ? (await readJson(tagsFile(dir), z.array(z.string()))).filter(isTag) : [];
