import type { RunManifest, Task, Trajectory } from "#domain";
import { type AnswerOptions, answerTask } from "../answer-task.ts";
import type { Job } from "../outstanding.ts";

/** Who answers the tasks of a run: this process, or workers anywhere. */
export interface JobQueue {
	/** The answer to one task, once; none where it was interrupted or taken back. */
	answer(job: Job, task: Task): Promise<Trajectory | undefined>;
	/** No further task is begun: those that nobody has begun yet come back without an answer. */
	withdraw?(): void;
	/** `complete`: every answer is on disk, so that nothing of the run is needed any more. */
	close?(ending: { complete: boolean }): Promise<void>;
}

/** Opens a queue for one run, whose folder is locked and whose manifest is settled. */
export type OpenQueue = (run: {
	manifest: RunManifest;
	/** Aborted: no further task is begun. */
	signal: AbortSignal;
	/** Milliseconds after which no further task is begun. */
	maxTime?: number | undefined;
}) => Promise<JobQueue>;

/** The queue that needs no server: this process answers. */
export function inProcess(options: Omit<AnswerOptions, "repeat">): JobQueue {
	return { answer: ({ repeat }, task) => answerTask(task, { ...options, repeat }) };
}
