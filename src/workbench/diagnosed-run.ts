import { type DiagnosedRecord, diagnoseRecords, missesOf, withMisses } from "#diagnosis";
import type { TaskChoice } from "./chosen-tasks.ts";
import { withKnown } from "./findings-file.ts";
import { causesOfMisses } from "./miss-causes.ts";
import { type OpenedRun, openForReport } from "./open.ts";
import type { Bench } from "./work.ts";

/** The run with its diagnoses; of one task, where one is asked for. */
export async function openDiagnosed(name: string, options: TaskChoice & { task?: string | undefined }, bench: Bench) {
	let diagnosed: DiagnosedRecord[] = [];
	const run = await openForReport(bench.workspace, name, bench.say, {
		choice: options,
		async diagnosed(shown, say) {
			const progress = bench.progress("diagnosing");
			const records = shown.records.filter(({ task }) => options.task === undefined || task === options.task);
			diagnosed = await diagnoseRecords(shown, { of: records, signal: bench.signal, say, onProgress: progress.update });
			progress.end();
			return diagnosed.map(({ diagnosis }) => diagnosis);
		},
	});
	// what re-runs settled is known of the records, not by them
	run.diagnoses = await withKnown(run.dir, run.diagnoses ?? [], { tasks: run.tasks, causes: false });
	const joined = run.diagnoses;
	return { run, diagnosed: diagnosed.map((one, at) => ({ ...one, diagnosis: joined[at] ?? one.diagnosis })) };
}

/** Puts the causes of missed hops into the run's diagnoses; a knowledge base that cannot be searched leaves them out. */
export async function withCauses(
	{ run, diagnosed }: { run: OpenedRun; diagnosed: readonly DiagnosedRecord[] },
	{ misses }: { misses: number },
	bench: Bench,
): Promise<void> {
	const missed = diagnosed.map((one) => missesOf(one, run.manifest.setting.k));
	const causes = await causesOfMisses(run, { missed, misses, open: async () => missed.flat() }, bench);
	if (causes) run.diagnoses = diagnosed.map(({ diagnosis }, at) => withMisses(diagnosis, causes[at] ?? new Map()));
}
