import { join } from "node:path";
import type { Benchmark } from "#benchmarks";
import { type ImportedFrom, type LabelledItem, Passage, type RunManifest, type RunRecord, usageError } from "#domain";
import { readAllJsonl, replaceFolder, writeJsonl } from "#store";
import { openRun } from "./open-run.ts";
import { keepKnowledge } from "./run-folder.ts";
import { scoreRun } from "./score-run.ts";
import { writeRun } from "./write-run.ts";

/** A run that was made elsewhere, as it is kept. */
export interface ImportedRun {
	manifest: RunManifest & { imported: ImportedFrom };
	records: readonly RunRecord[];
	/** What came back that is not evidence of the knowledge base, or not in its words. */
	evidence?: readonly Passage[];
	/** What people or judges said of its answers before. */
	labels?: readonly LabelledItem[];
}

/**
 * Writes a run that was made elsewhere, with its scores, in place of what is in the folder. All at once: what is killed
 * half-way leaves the folder as it was, or none.
 */
export async function keepImported(
	dir: string,
	{ manifest, records, evidence = [], labels = [] }: ImportedRun,
	benchmark: Benchmark,
): Promise<void> {
	await replaceFolder(dir, "run.json", async (filling) => {
		await writeRun(filling, { manifest, records });
		await writeEvidence(filling, evidence);
		await scoreRun(await openRun(filling), benchmark);
		if (labels.length > 0) await writeJsonl(join(filling, "labels.jsonl"), labels);
	});
}

/** Writes down anew which evidence of a run that was made elsewhere is known. */
export async function keepEvidence(dir: string, { manifest, records, evidence = [] }: ImportedRun) {
	await writeEvidence(dir, evidence);
	await writeJsonl(join(dir, "records.jsonl"), records, { makeFolder: false });
	await keepKnowledge(dir, manifest);
}

/** What came back, kept with its run. */
export const evidenceFile = "evidence.jsonl";

async function writeEvidence(dir: string, evidence: readonly Passage[]): Promise<void> {
	if (evidence.length > 0) await writeJsonl(join(dir, evidenceFile), evidence, { makeFolder: false });
}

/**
 * What came back and is kept with its run, by id: of a run that was made elsewhere what is no evidence of its knowledge base,
 * of one over a search engine elsewhere all of it.
 */
export async function keptEvidence(dir: string): Promise<Map<string, Passage>> {
	const kept = await readAllJsonl(join(dir, evidenceFile), Passage, { ifThere: true });
	return new Map(kept.map((one) => [one.id, one]));
}

/** Throws (exit 2) where a run was made elsewhere: its agent is not ours to ask again. */
export function mustBeOurs({ id, imported }: RunManifest): void {
	if (!imported) return;
	throw usageError(
		"imported-run",
		`run ${id} was made elsewhere and read from ${imported.file}: its agent cannot be asked again here`,
		"Answer again where it was made and score that file; this run can be diagnosed, compared, judged and reported.",
		{ facts: { run: id, file: imported.file } },
	);
}
