import { join } from "node:path";
import type { Diagnosis } from "#domain";
import { writeJsonl } from "#store";

/** Where a run's diagnoses stand. */
const findingsFile = (runDir: string): string => join(runDir, "findings.jsonl");

/** Writes every line anew and at once: a reader sees the old file or the new one, never two sets of rules in one. */
export async function writeFindings(runDir: string, diagnoses: readonly Diagnosis[]): Promise<string> {
	const file = findingsFile(runDir);
	await writeJsonl(file, diagnoses);
	return file;
}
