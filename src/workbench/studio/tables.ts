/** The tables of some runs for the studio: what `hopscope report` says of them, as data. */
import { usageError } from "#domain";
import { buildViews, type ReportData, reportData, tablesReport, viewBuilders } from "#reports";
import type { Scorer } from "#scoring";
import { exportFiles, type MadeTables, type TablesPage, tablesPage } from "#studio";
import { type OpenedRun, openForReport } from "../open.ts";
import type { Bench } from "../work.ts";
import type { Tell } from "./making.ts";

/** Runs whose tables can stand beside one another: more take long, and nobody reads them. */
const { mostTabled } = exportFiles;

/** Refuses none, and too many at once. */
export function mustBeFew(names: readonly string[]): void {
	if (names.length === 0) throw usageError("unknown-run", "no run is named", "Name runs of the workspace.");
	if (names.length > mostTabled)
		throw usageError("too-many-runs", `tables of ${names.length} runs`, `Choose at most ${mostTabled}.`);
}

/** Opens a run of a folder with all that is kept of it. */
export type OpenTabled = (
	dir: string,
	signal: AbortSignal,
	onProgress: (done: number, of: number) => void,
) => Promise<OpenedRun>;

/** With scorers beside the registered ones. */
export const tabledOpener =
	(scorers: readonly Scorer[], { workspace, say }: Bench): OpenTabled =>
	(dir, signal, onProgress) =>
		openForReport(workspace, dir, say, { signal, scorers, kept: true, onProgress });

interface TablesOptions {
	tell: Tell;
	signal: AbortSignal;
	open: OpenTabled;
	/** What `reportData` says of these runs, where that is known. */
	data?: ReportData | undefined;
}

/** Makes the tables of runs, given by their folders' names; slow views are left out, as in every report. */
export async function makeTables(
	names: readonly string[],
	{ tell, signal, open, data: known }: TablesOptions,
): Promise<MadeTables<TablesPage>> {
	return openedInTurn(names, { tell, signal, open }, async (runs) => {
		tell("scoring");
		const data = known ?? (await reportData(runs, { failures: false }));
		const views = await buildViews(runs, {
			builders: viewBuilders.filter(({ slow }) => !slow),
			async between(done, of) {
				signal.throwIfAborted();
				tell("making tables", done, of);
			},
		});
		const report = await tablesReport(runs, { data, views });
		const labelled = data.runs.map(({ id, label }) => ({ id, label }));
		return tablesPage(report, { runs: labelled, onTable: (done, of) => tell("drawing", done, of) });
	});
}

/** Opens runs with their diagnoses one after the other, and closes them when `use` is done. */
async function openedInTurn<Result>(
	names: readonly string[],
	{ tell, signal, open }: TablesOptions,
	use: (runs: OpenedRun[]) => Promise<Result>,
): Promise<Result> {
	const runs: OpenedRun[] = [];
	try {
		for (const [place, name] of names.entries()) {
			const work = names.length > 1 ? `reading run ${place + 1} of ${names.length}` : "reading the run";
			tell(work);
			runs.push(await open(name, signal, (done, of) => tell(work, done, of)));
		}
		return await use(runs);
	} finally {
		for (const run of runs) await run.close();
	}
}
