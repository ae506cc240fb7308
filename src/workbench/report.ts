import { basename } from "node:path";
import type { ScoringMode } from "#domain";
import type { View } from "#reports";
import { sha256 } from "#store";
import type { TaskChoice } from "./chosen-tasks.ts";
import { type OpenedRun, openForReport } from "./open.ts";
import { chosenViews, viewsOf } from "./report-views.ts";
import { type ScorerOptions, scorersOf } from "./scorer-files.ts";
import { type PageOptions, type ShownRuns, showRuns } from "./shown-runs.ts";
import { openReported } from "./summarised-run.ts";
import type { Bench } from "./work.ts";

export interface ReportOptions extends PageOptions, ScorerOptions, TaskChoice {
	/** Reads the answers otherwise than each run says. */
	scoring?: ScoringMode | undefined;
	/** False where no verdict of a hop and no failure is shown: reading ten thousand records for it takes a while. */
	diagnosed?: boolean | undefined;
}

export interface ViewOptions extends ScorerOptions, TaskChoice {
	/** Names separated by commas, or all. */
	views?: string | undefined;
	/** Groups the tables' tasks by a slice or a tag. */
	by?: string | undefined;
	/** The model that tells how alike two evidences are. */
	embedder?: string | undefined;
	scoring?: ScoringMode | undefined;
}

/** One or several runs as data, and as a page where one is asked for; `name` is that of its folder. */
export async function reportRuns(
	names: readonly string[],
	options: ReportOptions & { name?: string },
	bench: Bench,
): Promise<ShownRuns> {
	const { name: folder, scoring, page, sample, diagnosed = true } = options;
	const scorers = await scorersOf(options);
	const open = (name: string) => openReported(name, { scoring, scorers, diagnosed, choice: options }, bench);
	return inTurn(names, open, (runs) =>
		showRuns(runs, { name: folder ?? nameOf(runs), page, sample, failures: diagnosed, scorers }, bench),
	);
}

/** Tables of runs by name; `empty` are those that had nothing to show, each with the reason in its notes. */
export async function viewRuns(
	names: readonly string[],
	{ views: wanted = "all", by, embedder: model, scoring, ...own }: ViewOptions,
	bench: Bench,
): Promise<{ name: string; views: View[]; empty: View[] }> {
	const builders = chosenViews(wanted);
	return opened(names, { scoring, scorers: await scorersOf(own), choice: own }, bench, async (runs) => {
		const embedder =
			model === undefined ? undefined : await (await import("./encoders.ts")).openEmbedder(model, bench.workspace);
		const { signal } = bench;
		const made = await viewsOf(runs, { builders, by, embedder, signal }).finally(() => embedder?.close());
		return { name: `${nameOf(runs)}-tables`, ...made };
	});
}

/** Opens runs with their records one after the other, and closes them when `use` is done. */
export const opened = <Result>(
	names: readonly string[],
	options: Parameters<typeof openForReport>[3],
	{ workspace, say }: Bench,
	use: (runs: OpenedRun[]) => Promise<Result>,
): Promise<Result> => inTurn(names, (name) => openForReport(workspace, name, say, options), use);

async function inTurn<Run extends { close(): Promise<void> }, Result>(
	names: readonly string[],
	open: (name: string) => Promise<Run>,
	use: (runs: Run[]) => Promise<Result>,
): Promise<Result> {
	const runs: Run[] = [];
	try {
		for (const name of names) runs.push(await open(name));
		return await use(runs);
	} finally {
		for (const run of runs) await run.close();
	}
}

/** A name for what is written of these runs: others of as many runs have another. */
function nameOf(runs: readonly { dir: string }[]): string {
	const [first = "runs", ...others] = runs.map(({ dir }) => basename(dir));
	return others.length === 0 ? first : `${first}+${others.length}-${sha256(others.join("\n")).slice(0, 6)}`;
}
