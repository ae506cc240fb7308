import { goldFreeLine, withJudged } from "#diagnosis";
import { type GoldFreeLine, PseudoHopReading, type RunRecord, type Task } from "#domain";
import { readAllJsonl } from "#store";
import { hopReadingsFile } from "../hop-readings-file.ts";
import { readWhenChanged } from "../read-when-changed.ts";
import type { Shown } from "./shown-run.ts";

/** Reads answers without their gold chains, with what a judge said of their searches. */
export function goldFreeReadings() {
	const judged = readWhenChanged(hopReadingsFile, (file) => readAllJsonl(file, PseudoHopReading));
	return async (
		{ dir, evidence }: Pick<Shown, "dir" | "evidence">,
		{ task, record }: { task: Task; record: RunRecord },
	): Promise<GoldFreeLine> => {
		const line = await goldFreeLine({ task, record }, evidence);
		return withJudged([line], (await judged(dir)) ?? [])?.lines[0] ?? line;
	};
}
