import { z } from "zod";
import { freeRecord } from "./free-keys.ts";
import { mostRepeats } from "./manifest.ts";
import { Outcome, Score } from "./score.ts";
import { ScoringMode } from "./scoring-mode.ts";
import { Trajectory } from "./trajectory.ts";

const key = {
	task: z.string(),
	/** 0-based repeat of the same task. */
	repeat: z
		.number()
		.int()
		.min(0)
		.max(mostRepeats - 1),
	/** 0-based attempt; after an error a resumed run tries again, and the last attempt is final. */
	attempt: z.number().int().min(0),
};

/** What a run stores for one task and repeat. One JSON line, flushed before it counts as done. */
export const RunRecord = z.object({ version: z.literal(1), ...key, at: z.string(), trajectory: Trajectory });
export type RunRecord = z.infer<typeof RunRecord>;

/** The scores of one record, with the scorer that gave them. */
export const ScoreRow = z.object({
	version: z.literal(1),
	...key,
	scorer: z.string(),
	/** How its answer was scored; rows by scorers before the sixth do not say: by `relative-10`. */
	scoring: ScoringMode.optional(),
	outcome: Outcome,
	scores: freeRecord(Score),
});
export type ScoreRow = z.infer<typeof ScoreRow>;
