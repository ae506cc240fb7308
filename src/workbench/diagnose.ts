import { caseOf, diagnosisReport } from "#reports";
import type { ReaderOptions } from "./ask-reader.ts";
import { isChoice, type TaskChoice } from "./chosen-tasks.ts";
import { diagnoseIndexed } from "./diagnose-indexed.ts";
import type { ReplayOptions } from "./diagnose-replay.ts";
import type { diagnoseWithoutGold, WithoutGoldOptions } from "./diagnose-without-gold.ts";
import { openDiagnosed, withCauses } from "./diagnosed-run.ts";
import { writeFindings } from "./findings-file.ts";
import { secondReading } from "./second-reading.ts";
import { type PageOptions, writePages } from "./shown-runs.ts";
import type { Bench } from "./work.ts";

export interface DiagnoseOptions extends ReaderOptions, PageOptions, TaskChoice {
	/** Missed hops whose cause is looked into by searching; 200 where nothing is said. */
	misses?: number | undefined;
}

/**
 * Says of a run which hop of its chains breaks and why, and keeps the findings beside the run; those of some of its tasks are
 * only told.
 */
export async function diagnoseRun(name: string, options: DiagnoseOptions, bench: Bench) {
	const { misses = 200, reader, page } = options;
	const byIndex = reader === undefined && !isChoice(options);
	const { dir, ...told } =
		(byIndex ? await diagnoseIndexed(name, { misses }, bench) : undefined) ??
		(await diagnosed(name, options, bench, async (opened) => {
			const { run } = opened;
			await withCauses(opened, { misses }, bench);
			const keep = !isChoice(options);
			const findings = keep ? await writeFindings(run.dir, run.diagnoses ?? []) : undefined;
			return {
				...(await diagnosisReport(run)),
				// where no hop can be judged, what the records show without gold is all that there is to say
				...(run.tasks.some(({ chain }) => chain)
					? {}
					: { withoutGold: await goldFree(opened, { ...options, keep }, bench) }),
				...(findings === undefined ? {} : { findings }),
				dir: run.dir,
			};
		}));
	const report = await writePages([dir], { name: told.run, page }, bench);
	return report === undefined ? told : { ...told, report };
}

const goldFree: typeof diagnoseWithoutGold = async (...given) =>
	(await import("./diagnose-without-gold.ts")).diagnoseWithoutGold(...given);

/** One task of a run, hop by hop, with its steps and their results. */
export async function diagnoseTask(
	name: string,
	options: { task: string; repeat?: number | undefined; misses?: number | undefined },
	bench: Bench,
) {
	const { task, repeat = 0, misses = 200 } = options;
	return diagnosed(name, { task }, bench, async (opened) => {
		await withCauses(opened, { misses }, bench);
		return { run: opened.run.manifest.id, case: await caseOf(opened.run, { task, repeat }) };
	});
}

/** Makes a run's recorded queries again, against another knowledge base or in another way. */
export async function replayQueries(name: string, options: ReplayOptions & TaskChoice, bench: Bench) {
	const { replay } = await import("./diagnose-replay.ts");
	return diagnosed(name, { split: options.split, taskList: options.taskList }, bench, (opened) =>
		replay(opened, options, bench),
	);
}

/** Reads a run's records as if they had no gold chains, beside what the gold chains say. */
export async function readWithoutGold(name: string, options: TaskChoice & WithoutGoldOptions, bench: Bench) {
	const { split, taskList } = options;
	return diagnosed(name, { split, taskList }, bench, (opened) =>
		goldFree(opened, { ...options, keep: !isChoice(options) }, bench),
	);
}

async function diagnosed<Result>(
	name: string,
	options: ReaderOptions & TaskChoice,
	bench: Bench,
	use: (opened: Awaited<ReturnType<typeof openDiagnosed>>) => Promise<Result>,
): Promise<Result> {
	const { run, diagnosed: byRules } = await openDiagnosed(name, options, bench);
	try {
		return await use({ run, diagnosed: await secondReading({ run, diagnosed: byRules }, options, bench) });
	} finally {
		await run.close();
	}
}
