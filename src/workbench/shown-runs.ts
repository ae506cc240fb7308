import { join, resolve } from "node:path";
import { htmlReport, type ReportData, type ReportRun, reportData, viewBuilders } from "#reports";
import { writeWhole } from "#store";
import { viewsOf } from "./report-views.ts";
import type { Bench } from "./work.ts";

/** Whether a page is written too: at this path, or at the workspace's own place for it. */
export interface PageOptions {
	page?: boolean | string | undefined;
}

/** Runs as data, and the page that was written of them. */
export interface ShownRuns {
	data: ReportData;
	/** The page's file. */
	report?: string;
}

/** Where the page of that name goes; undefined where none is asked for. */
export function pageFile(
	name: string,
	{ page }: PageOptions,
	{ workspace }: Pick<Bench, "workspace">,
): string | undefined {
	if (page === undefined || page === false) return undefined;
	return resolve(typeof page === "string" ? page : join(workspace.report(name), "index.html"));
}

/** What is shown of runs; `name` is that of the page, and `failures` as `reportData` has it. */
export async function showRuns(
	runs: ReportRun[],
	{ name, page, failures }: PageOptions & { name: string; failures?: boolean },
	bench: Pick<Bench, "workspace">,
): Promise<ShownRuns> {
	const data = await reportData(runs, { failures });
	const report = pageFile(name, { page }, bench);
	if (report === undefined) return { data };
	const { views } = await viewsOf(runs, { builders: viewBuilders.filter(({ slow }) => !slow) });
	await writeWhole(report, await htmlReport(runs, { data, views }));
	return { data, report };
}
