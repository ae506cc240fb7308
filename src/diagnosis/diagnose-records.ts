import { setImmediate as breath } from "node:timers/promises";
import {
	attemptKey,
	type Diagnosis,
	type Evidence,
	HopscopeError,
	type RunRecord,
	remembering,
	type ScoreRow,
	type Task,
} from "#domain";
import { diagnose, statesSubAnswers } from "./diagnose.ts";

/** A record with the task it answers and what was found of it. */
export interface DiagnosedRecord {
	task: Task;
	record: RunRecord;
	row: ScoreRow | undefined;
	diagnosis: Diagnosis;
}

interface Diagnosable {
	tasks: readonly Task[];
	/** All of the run: whether its agent states sub-answers is read from them. */
	records: readonly RunRecord[];
	rows: readonly ScoreRow[];
	evidence(id: string): Promise<Evidence | undefined>;
}

/** Records diagnosed side by side: their evidence is then looked up together. */
const atOnce = 32;

/**
 * Diagnoses the records of a run whose task is known, in their order. Without its knowledge base, what only the texts of
 * evidence can tell is not judged; `say` is told.
 */
export async function diagnoseRecords(
	{ tasks, records, rows, evidence }: Diagnosable,
	options: {
		/** Only these of its records. */
		of?: readonly RunRecord[] | undefined;
		/** Whether the agent states sub-answers, where `records` are not all of the run. */
		subAnswers?: boolean | undefined;
		signal?: AbortSignal | undefined;
		onProgress?: ((done: number, of: number) => void) | undefined;
		say?: (warning: string) => void;
	} = {},
): Promise<DiagnosedRecord[]> {
	const { of: some = records } = options;
	const byId = new Map(tasks.map((task) => [task.id, task]));
	const rowOf = new Map(rows.map((row) => [attemptKey(row), row]));
	const unreadable = await problemOf(some, evidence);
	if (unreadable !== undefined) options.say?.(`${unreadable}; what only the texts of evidence can tell is not judged`);
	const given = {
		subAnswers: options.subAnswers ?? records.some(statesSubAnswers),
		...(unreadable === undefined ? { evidence: rememberingOnce(evidence) } : {}),
	};
	const diagnosed: DiagnosedRecord[] = [];
	for (let at = 0; at < some.length; at += atOnce) {
		options.signal?.throwIfAborted();
		const found = await Promise.all(
			some.slice(at, at + atOnce).map(async (record): Promise<DiagnosedRecord[]> => {
				const task = byId.get(record.task);
				if (!task) return [];
				const row = rowOf.get(attemptKey(record));
				return [{ task, record, row, diagnosis: await diagnose({ task, record, row }, given) }];
			}),
		);
		diagnosed.push(...found.flat());
		options.onProgress?.(Math.min(at + atOnce, some.length), some.length);
		// evidence that is known is there at once: without a breath nobody else would be answered until all is done
		await breath();
	}
	return diagnosed;
}

/** One memory for one way of looking up: what a task's gold says is prepared once, however many records come at a time. */
const memories = new WeakMap<Diagnosable["evidence"], Diagnosable["evidence"]>();
function rememberingOnce(evidence: Diagnosable["evidence"]): Diagnosable["evidence"] {
	const memory = memories.get(evidence) ?? remembering(evidence);
	memories.set(evidence, memory);
	return memory;
}

/** Why evidence cannot be looked up at all; undefined where it can, or where none came back. */
async function problemOf(
	records: readonly RunRecord[],
	evidence: Diagnosable["evidence"],
): Promise<string | undefined> {
	const searched = records.find(({ trajectory }) => trajectory.steps.some(({ results }) => results.length > 0));
	const [first] = searched?.trajectory.steps.flatMap(({ results }) => results) ?? [];
	if (!first) return undefined;
	try {
		await evidence(first.id);
		return undefined;
	} catch (error) {
		if (error instanceof HopscopeError) return error.message;
		throw error;
	}
}
