import { tally } from "#domain";
import type { Rubric } from "../rubric.ts";
import type { Reading } from "./reading.ts";

/** Who judged, and how often it failed. */
export interface CalibratedJudge {
	model: string;
	/** SHA-256 over all fixed words that the judge reads, or over the rule's version. */
	prompt: string;
	rubric: string;
	/** Runs of the judge over items; for pairs, each order is one. */
	readings: number;
	/** Of those, replies in no usable form; share of what was asked. */
	unparsed: number;
	unparsedShare: number | null;
	/** Readings that failed, by reason, unparsed ones too. */
	failed: Record<string, number>;
}

export function judgeReport(
	{ model, prompt, readings }: { model: string; prompt: string; readings: readonly Reading[] },
	rubric: Rubric,
): CalibratedJudge {
	const failed: Record<string, number> = tally(
		readings.flatMap(({ judgement }) => (judgement.is === "unscored" ? [judgement.because] : [])),
	);
	const unparsed = failed.unparsed ?? 0;
	const unparsedShare = readings.length === 0 ? null : unparsed / readings.length;
	return { model, prompt, rubric: rubric.name, readings: readings.length, unparsed, unparsedShare, failed };
}
