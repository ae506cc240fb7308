import { readdir, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { usageError } from "#domain";
import { isSummarised, type ReportData, type ReportRun, reportData, type SummarisedRun } from "#reports";
import type { Scorer } from "#scoring";
import type { ExportStudioOptions } from "./studio/export-studio.ts";
import type { Bench } from "./work.ts";

/** Whether the studio's pages of the runs are written too: into this folder, or at the workspace's own place for it. */
export interface PageOptions {
	page?: boolean | string | undefined;
	/** At most so many tasks of each run in it, evenly spread; its figures are of all. */
	sample?: number | undefined;
}

/** Runs as data, and the page that was written of them. */
export interface ShownRuns {
	data: ReportData;
	/** The file to open. */
	report?: string;
}

/** What is shown of runs; `name` is that of the folder of pages, and `failures` as `reportData` has it. */
export async function showRuns(
	runs: readonly ((ReportRun | SummarisedRun) & { dir?: string })[],
	{
		name,
		page,
		sample,
		failures,
		scorers,
	}: PageOptions & { name: string; failures?: boolean; scorers?: readonly Scorer[] },
	bench: Bench,
): Promise<ShownRuns> {
	const data = await reportData(runs, { failures });
	const dirs = runs.map(({ dir, manifest }) => dir ?? bench.workspace.run(manifest.id));
	// others may be shown in part, or scored otherwise than their pages are
	const isOwn = runs.every((run) => isSummarised(run) && run.diagnosed);
	const report = await writePages(dirs, { name, page, sample, scorers, data: isOwn ? data : undefined }, bench);
	return report === undefined ? { data } : { data, report };
}

/** Writes the studio's pages of runs where they are asked for; the file to open. */
export async function writePages(
	runs: readonly string[],
	{ name, page, ...options }: PageOptions & { name: string } & Omit<ExportStudioOptions, "out">,
	bench: Bench,
): Promise<string | undefined> {
	if (page === undefined || page === false) return undefined;
	if (typeof page === "string" && /\.html?$/i.test(page))
		throw usageError(
			"not-a-folder",
			`${page} names a file, and the pages are a folder`,
			"Name a folder, e.g. --out report.",
		);
	const out = resolve(typeof page === "string" ? page : bench.workspace.report(name));
	if (page === true) await removeOldPage(out);
	const { exportStudio } = await import("./studio/export-studio.ts");
	return (await exportStudio(runs, { out, ...options }, bench)).page;
}

/** The one page that earlier versions wrote into the workspace's own folder for it. */
async function removeOldPage(folder: string): Promise<void> {
	const names = await readdir(folder).catch(() => []);
	if (names.length === 1 && names[0] === "index.html") await rm(join(folder, "index.html"), { force: true });
}
