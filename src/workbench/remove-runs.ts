import { lstat, rename, rm, rmdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { HopscopeError, usageError } from "#domain";
import { isLocked, lockFolder, type Workspace } from "#store";
import type { Removal } from "#studio";
import { exists, locate, rerunsOf } from "./locate.ts";
import { countsFile } from "./run-counts.ts";
import type { Bench } from "./work.ts";

/** What `removeRuns` would take away; changes nothing. */
export async function removalOf(ids: readonly string[], { workspace }: Bench): Promise<Removal> {
	const runs = await goingWith(ids, workspace);
	const pages: string[] = [];
	const written: string[] = [];
	for (const id of runs) {
		for (const name of await pagesOf(workspace, id)) if (await exists(workspace.report(name))) pages.push(name);
		if (await isLocked(workspace.run(id))) written.push(id);
	}
	return { runs, reruns: runs.filter((id) => !ids.includes(id)), pages, written };
}

/**
 * Removes runs of the workspace, each named by its whole id, with their re-runs, which say something of those runs alone,
 * and the pages of each; one that a process is writing is refused. Returns all that went, a run behind its re-runs.
 */
export async function removeRuns(ids: readonly string[], { workspace }: Bench): Promise<{ removed: string[] }> {
	const all = await goingWith(ids, workspace);
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

/** Runs with the re-runs of each before it. */
async function goingWith(ids: readonly string[], workspace: Workspace): Promise<string[]> {
	for (const id of ids) await mustBeWhole(id, workspace);
	const all = new Set<string>();
	for (const id of ids) for (const one of [...(await rerunsOf(workspace, id)), id]) all.add(one);
	return [...all];
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

/** The pages of a run alone; one of several runs is no less true. */
async function pagesOf(workspace: Workspace, id: string): Promise<string[]> {
	const tables = `${id}-tables`;
	return (await exists(workspace.run(tables))) ? [id] : [id, tables];
}

/** Removes them; what else somebody put beside a page stays. */
async function removePages(workspace: Workspace, id: string): Promise<void> {
	for (const name of await pagesOf(workspace, id)) {
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
