import { join } from "node:path";
import type { Benchmark } from "#benchmarks";
import { type ImportedFrom, type LabelledItem, type RunManifest, type RunRecord, usageError } from "#domain";
import { replaceFolder, writeJsonl } from "#store";
import { openRun } from "./open-run.ts";
import { keepKnowledge } from "./run-folder.ts";
import { scoreRun } from "./score-run.ts";
import { writeRun } from "./write-run.ts";

/** A run that was made elsewhere, as it is kept. */
export interface ImportedRun {
	manifest: RunManifest & { imported: ImportedFrom };
	records: readonly RunRecord[];
	/** What people or judges said of its answers before. */
	labels?: readonly LabelledItem[];
}

/**
 * Writes a run that was made elsewhere, with its scores, in place of what is in the folder. All at once: what is killed
 * half-way leaves the folder as it was, or none.
 */
export async function keepImported(
	dir: string,
	{ manifest, records, labels = [] }: ImportedRun,
	benchmark: Benchmark,
): Promise<void> {
	await replaceFolder(dir, "run.json", async (filling) => {
		await writeRun(filling, { manifest, records });
		await scoreRun(await openRun(filling), benchmark);
		if (labels.length > 0) await writeJsonl(join(filling, "labels.jsonl"), labels);
	});
}

/** Writes down anew which evidence of a run that was made elsewhere is known. */
export async function keepEvidence(dir: string, { manifest, records }: Pick<ImportedRun, "manifest" | "records">) {
	await writeJsonl(join(dir, "records.jsonl"), records, { makeFolder: false });
	await keepKnowledge(dir, manifest);
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
