import { existsSync } from "node:fs";
import { join } from "node:path";
import { Diagnosis, type MissCause } from "#domain";
import { parseLine, readLines, writeJsonl } from "#store";

/** Where a run's diagnoses stand. */
const findingsFile = (runDir: string): string => join(runDir, "findings.jsonl");

/** Writes every line anew and at once: a reader sees the old file or the new one, never two sets of rules in one. */
export async function writeFindings(runDir: string, diagnoses: readonly Diagnosis[]): Promise<string> {
	const file = findingsFile(runDir);
	await writeJsonl(file, diagnoses);
	return file;
}

/**
 * The diagnoses with the causes of misses that `hopscope diagnose --misses` looked into for the same records; a
 * diagnosis made anew knows none, since finding them takes searches.
 */
export async function withKnownCauses(runDir: string, diagnoses: readonly Diagnosis[]): Promise<Diagnosis[]> {
	const causes = await knownCauses(findingsFile(runDir));
	if (causes.size === 0) return [...diagnoses];
	return diagnoses.map((diagnosis) => ({
		...diagnosis,
		hops: diagnosis.hops.map((hop) => {
			if (hop.is !== "judged" || hop.verdict !== "retrieval-miss" || hop.miss) return hop;
			const miss = causes.get(keyOf(diagnosis, hop.hop));
			return miss ? { ...hop, miss } : hop;
		}),
	}));
}

/** By the rules too: what older ones took for a miss, and its cause, need not be the same. */
const keyOf = ({ task, repeat, attempt, diagnoser }: Diagnosis, hop: string) =>
	JSON.stringify([task, repeat, attempt, diagnoser, hop]);

/** Lines that are no diagnosis, torn or of another version, give none: the file can always be made again. */
async function knownCauses(file: string): Promise<Map<string, MissCause>> {
	const causes = new Map<string, MissCause>();
	if (!existsSync(file)) return causes;
	for await (const { text } of readLines(file)) {
		if (!text.includes('"miss"')) continue;
		const read = parseLine(text, Diagnosis);
		if (!("value" in read)) continue;
		for (const hop of read.value.hops)
			if (hop.is === "judged" && hop.miss) causes.set(keyOf(read.value, hop.hop), hop.miss);
	}
	return causes;
}
