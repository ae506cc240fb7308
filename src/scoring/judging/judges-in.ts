import type { Verdict } from "#domain";
import type { Rubric } from "./rubric.ts";
import { rubrics } from "./rubrics.ts";
import { stampOf } from "./verdicts-of.ts";

/** One judge that has judged by one rubric, with the runs it made over each answer. */
export interface JudgeSeen {
	judge: string;
	rubric: Rubric;
	seed: number;
	times: number;
}

/** Who has judged, in the order of their first verdicts. Verdicts by words that a rubric no longer has are left out. */
export function judgesIn(verdicts: readonly Verdict[]): JudgeSeen[] {
	const seen = new Map<string, JudgeSeen>();
	for (const { judge: stamp, run } of verdicts) {
		const rubric = Object.hasOwn(rubrics, stamp.rubric) ? rubrics[stamp.rubric] : undefined;
		const { model: judge, seed } = stamp;
		if (!rubric || stampOf({ judge, rubric, seed }).prompt !== stamp.prompt) continue;
		const key = JSON.stringify([judge, rubric.name, seed]);
		const times = Math.max(run + 1, seen.get(key)?.times ?? 0);
		seen.set(key, { judge, rubric, seed, times });
	}
	return [...seen.values()];
}
