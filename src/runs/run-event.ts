import type { z } from "zod";
import type { StopReason, Usage } from "#domain";

/** What a run tells while it goes; `events.jsonl` keeps each with its time. */
export type RunEvent =
	| {
			event: "run-start";
			/** Answers expected: tasks times repeats. */
			total: number;
			/** Of them finished before. */
			done: number;
			/** What was found on resuming, e.g. a torn last record. */
			warnings: string[];
	  }
	| { event: "task-start"; task: string; repeat: number; attempt: number }
	| {
			event: "task-end";
			task: string;
			repeat: number;
			attempt: number;
			stop: z.infer<typeof StopReason>;
			/** Milliseconds the agent took. */
			ms: number;
			usage: Usage;
			/** What failed, when `stop` is `error`. */
			error?: string;
	  }
	| {
			event: "run-end";
			/** Finished in all, earlier ones among them. */
			done: number;
			/** Ended in an error this time; a resumed run tries them again. */
			errors: number;
			/** Neither finished nor failed: left for a resumed run. */
			left: number;
			interrupted: boolean;
			reason: "complete" | "interrupted" | "budget";
	  };
