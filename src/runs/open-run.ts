import { addUsage, lastByKey, noUsage, type RunManifest, type RunRecord, recordKey, type Usage } from "#domain";
import { planned } from "./outstanding.ts";
import { readManifest, readRecords } from "./run-folder.ts";

/** A run as recorded so far. */
export interface Run {
	dir: string;
	/** With absolute folders of benchmark and knowledge base. */
	manifest: RunManifest;
	/** The last attempt of each (task, repeat) that has any, in planned order. */
	records: RunRecord[];
	/** By every attempt, those that failed too. */
	used: Usage;
	warnings: string[];
}

/** Reads a run's folder; safe while it is being run. Throws (exit 2) where there is no `run.json`. */
export async function openRun(dir: string): Promise<Run> {
	const manifest = await readManifest(dir);
	const { records: all, warnings } = await readRecords(dir);
	const last = lastByKey(all);
	const records = planned(manifest).flatMap((key) => last.get(recordKey(key)) ?? []);
	const foreign = last.size - records.length;
	if (foreign > 0) warnings.push(`${dir}: ${foreign} records belong to no planned task and are left out`);
	const used = all.reduce((sum, { trajectory }) => addUsage(sum, trajectory.usage), noUsage);
	return { dir, manifest, records, used, warnings };
}
