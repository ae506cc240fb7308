import type { RunManifest, RunRecord } from "#domain";

/** One answer still to be given. */
export interface Job {
	task: string;
	repeat: number;
	attempt: number;
}

/**
 * Resuming is a set difference: all planned (task, repeat) without a finished record, repeat by repeat in benchmark
 * order. Finished means that the last attempt did not end in an error; an error is tried again as the next attempt.
 */
export function outstanding(manifest: Pick<RunManifest, "tasks" | "repeats">, records: RunRecord[]): Job[] {
	const last = new Map(finalRecords(records).map((record) => [keyOf(record), record]));
	return planned(manifest).flatMap(({ task, repeat }) => {
		const record = last.get(keyOf({ task, repeat }));
		if (!record) return [{ task, repeat, attempt: 0 }];
		return record.trajectory.stop === "error" ? [{ task, repeat, attempt: record.attempt + 1 }] : [];
	});
}

/** The last attempt of each (task, repeat), in the order in which these first appear. */
export function finalRecords(records: RunRecord[]): RunRecord[] {
	const last = new Map<string, RunRecord>();
	for (const record of records) {
		const before = last.get(keyOf(record));
		if (!before || record.attempt >= before.attempt) last.set(keyOf(record), record);
	}
	return [...last.values()];
}

/** Every (task, repeat) that a run expects. */
export function planned(manifest: Pick<RunManifest, "tasks" | "repeats">): { task: string; repeat: number }[] {
	return Array.from({ length: manifest.repeats }, (_, repeat) =>
		manifest.tasks.map((task) => ({ task, repeat })),
	).flat();
}

export const keyOf = ({ task, repeat }: { task: string; repeat: number }) => `${repeat} ${task}`;
