import { lastByKey, type RunManifest, recordKey } from "#domain";
import type { Recorded } from "./recorded.ts";

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
export function outstanding(manifest: Pick<RunManifest, "tasks" | "repeats">, records: readonly Recorded[]): Job[] {
	const last = lastByKey(records);
	return planned(manifest).flatMap(({ task, repeat }) => {
		const record = last.get(recordKey({ task, repeat }));
		if (!record) return [{ task, repeat, attempt: 0 }];
		return record.stop === "error" ? [{ task, repeat, attempt: record.attempt + 1 }] : [];
	});
}

/** Every (task, repeat) that a run expects. */
export function planned(manifest: Pick<RunManifest, "tasks" | "repeats">): { task: string; repeat: number }[] {
	return Array.from({ length: manifest.repeats }, (_, repeat) =>
		manifest.tasks.map((task) => ({ task, repeat })),
	).flat();
}
