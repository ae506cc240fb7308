import { basename } from "node:path";
import { diagnoseRecords } from "#diagnosis";
import { type RunRecord, type ScoringMode, usageError } from "#domain";
import { compareReport, type JudgesComparison, judgesReport, type ReportRun } from "#reports";
import { mergeLabels } from "#scoring";
import type { TaskChoice } from "./chosen-tasks.ts";
import { readLabelFiles } from "./label-file.ts";
import { opened } from "./report.ts";
import { type ScorerOptions, scorersOf } from "./scorer-files.ts";
import type { Bench } from "./work.ts";

export interface CompareOptions extends ScorerOptions, TaskChoice {
	/** Scores beside accuracy, f1 and hps. */
	metric?: string[] | undefined;
	/** Slices or tags. */
	by?: string[] | undefined;
	/** How answers are scored; as the runs say, which must be alike. */
	scoring?: ScoringMode | undefined;
}

/** Runs of one benchmark task by task: differences with their intervals, flips, slices, drift. */
export async function compareRuns(names: readonly string[], options: CompareOptions, bench: Bench) {
	const { metric: metrics, by, scoring } = options;
	const { say } = bench;
	const diagnosed = async (run: ReportRun, records: readonly RunRecord[]) =>
		(await diagnoseRecords(run, { of: records, say })).map(({ diagnosis }) => diagnosis);
	const scorers = await scorersOf(options);
	return opened(names, { ...undiagnosed, scoring, scorers, choice: options }, bench, (runs) =>
		compareReport(runs, { metrics, by, diagnosed }),
	);
}

/** The judges of one run, all or those named, against one another and against people's labels. */
export async function compareJudges(
	name: string,
	{ judges, labels }: { judges?: string[] | undefined; labels?: string[] | undefined },
	bench: Bench,
): Promise<JudgesComparison> {
	const { say } = bench;
	return opened([name], undiagnosed, bench, async ([run]) => {
		if (!run) throw usageError("no-run", `there is no run ${basename(name)}`, "Name one.");
		const given = labels ? await readLabelFiles(labels, { say }) : [];
		const merged = mergeLabels([...(run.labels ?? []), ...given]);
		for (const problem of merged.problems.slice(0, 5)) say(problem);
		return judgesReport({ ...run, labels: merged.items }, { judges });
	});
}

/** What flipped is diagnosed alone. */
const undiagnosed = { diagnosed: async () => [] };
