import { type DiagnosedRecord, diagnoseRecords, readerPrompt, withReadings } from "#diagnosis";
import type { ReaderOptions } from "./ask-reader.ts";
import type { OpenedRun } from "./open.ts";
import { readReadings, withKnownReadings } from "./reading-file.ts";
import type { Bench } from "./work.ts";

type Opened = { run: OpenedRun; diagnosed: readonly DiagnosedRecord[] };

/**
 * Puts what a second reader says into a run's diagnoses: the one that is named, which is asked for what it has not said yet,
 * else the last that read the run. Its readings are kept in the run's folder. `run` is given the diagnoses and the report.
 */
export async function secondReading(
	{ run, diagnosed }: Opened,
	options: ReaderOptions,
	bench: Bench,
): Promise<DiagnosedRecord[]> {
	const { say } = bench;
	const { tasks } = run;
	let joined: Awaited<ReturnType<typeof withKnownReadings>>;
	if (options.reader === undefined) {
		// what a reader is to be believed is told by the whole run
		const others = options.task === undefined ? [] : await othersRead({ run, diagnosed }, bench);
		const all = [...diagnosed, ...others].map(({ diagnosis }) => diagnosis);
		joined = await withKnownReadings(all, { dir: run.dir, tasks, say });
	} else {
		const { askReader } = await import("./ask-reader.ts");
		const { readings, reader } = await askReader({ run, diagnosed }, { ...options, reader: options.reader }, bench);
		const diagnoses = diagnosed.map(({ diagnosis }) => diagnosis);
		const read = withReadings(diagnoses, { readings, tasks, reader: { model: reader, prompt: readerPrompt } });
		joined = read ? { diagnoses: read.diagnoses, reader: read.told } : { diagnoses };
	}
	const found = diagnosed.map((one, at) => ({ ...one, diagnosis: joined.diagnoses[at] ?? one.diagnosis }));
	run.diagnoses = found.map(({ diagnosis }) => diagnosis);
	run.reader = joined.reader;
	return found;
}

/** The records of other tasks that a second reader has read, diagnosed. */
async function othersRead({ run, diagnosed }: Opened, bench: Bench): Promise<DiagnosedRecord[]> {
	const read = new Set((await readReadings(run.dir, bench.say).catch(() => [])).map(({ task }) => task));
	const here = new Set(diagnosed.map(({ task }) => task.id));
	const others = run.records.filter(({ task }) => read.has(task) && !here.has(task));
	return others.length === 0 ? [] : diagnoseRecords(run, { of: others, signal: bench.signal });
}
