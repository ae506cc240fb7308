import type { z } from "zod";
import type { StopReason, Usage } from "#domain";
import type { BudgetName } from "./budget.ts";

/** What a run tells while it goes; `events.jsonl` keeps when its sessions began and ended, and every error. */
export type RunEvent =
	| {
			event: "run-start";
			/** Answers expected: tasks times repeats. */
			total: number;
			/** Of them finished before. */
			done: number;
			/** What a person should know first: a torn last record, a tool that can find nothing. */
			warnings: string[];
			/** By earlier sessions. */
			used: Usage;
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
			/** By the whole run so far. */
			used: Usage;
			/** What failed, when `stop` is `error`. */
			error?: string;
	  }
	| ({
			event: "run-end";
			/** Finished in all, earlier ones among them. */
			done: number;
			/** Ended in an error this time; a resumed run tries them again. */
			errors: number;
			/** Neither finished nor failed: left for a resumed run. */
			left: number;
			used: Usage;
	  } & RunEnding);

/** Why a run ended. All but `complete` are taken up where they stopped when the run is resumed. */
export type RunEnding =
	/** Every task has its answer. */
	| { reason: "complete" }
	/** Every task was tried, and some ended in an error. */
	| { reason: "errors" }
	| { reason: "interrupted" }
	/** The first limit that was reached. */
	| { reason: "budget"; budget: BudgetName }
	/** The program that is the agent reports nothing of what this limit counts: it could not be kept. */
	| { reason: "unseen"; budget: BudgetName }
	/** The model, or the program that is the agent, answers nobody any more; `cause` is the last failure. */
	| { reason: "refused"; cause: string };

/** Whether a run got to the end of its tasks, with errors or without. */
export const reachedEnd = ({ reason }: Pick<RunEnding, "reason">): boolean =>
	reason === "complete" || reason === "errors";
