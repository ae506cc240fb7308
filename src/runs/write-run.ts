import { join } from "node:path";
import { RunManifest, type RunRecord } from "#domain";
import { writeJsonl } from "#store";
import { settleManifest } from "./run-folder.ts";

/** Writes a run that was made elsewhere: `run.json`, then its records, all at once. */
export async function writeRun(
	dir: string,
	{ manifest, records }: { manifest: RunManifest; records: readonly RunRecord[] },
): Promise<void> {
	const whole = RunManifest.parse(manifest);
	await settleManifest(dir, whole);
	await writeJsonl(join(dir, "records.jsonl"), records);
}
