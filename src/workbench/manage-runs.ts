import { basename, join } from "node:path";
import { z } from "zod";
import { HopscopeError, interventionName, RunManifest, usageError } from "#domain";
import { lockFolder, readJson, writeJson } from "#store";
import { exists, locate } from "./locate.ts";
import { createCounting, type RunCounts } from "./run-counts.ts";
import type { Bench } from "./work.ts";

/** A run as a list shows it. */
export interface RunSummary extends RunCounts {
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
	const countsOf = createCounting(workspace);
	let hidden = 0;
	for (const id of await workspace.list("runs")) {
		const dir = workspace.run(id);
		try {
			const manifest = await readJson(join(dir, "run.json"), RunManifest);
			const tags = await tagsOf(dir);
			if (!fits({ manifest, tags }, filter)) continue;
			if (manifest.intervention && !filter.all) hidden += 1;
			else runs.push(summaryOf({ id, manifest, tags }, await countsOf({ id, dir, manifest })));
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
	const counts = await createCounting(workspace)({ id, dir, manifest });
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

function summaryOf({ id, manifest, tags }: { id: string; manifest: RunManifest; tags: string[] }, counts: RunCounts) {
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

/** Gives a run tags, or takes them away; returns those that it has then. */
export async function tagRun(
	name: string,
	{ add = [], remove = [] }: { add?: readonly string[] | undefined; remove?: readonly string[] | undefined },
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
