import type { z } from "zod";
import { usageError } from "#domain";
import type { SharedLimits } from "./shared-limits.ts";

/** Work that goes over a queue in jobs, as whoever coordinates it sees it: a run, an index, a judging. */
export interface QueuedWork<Job, Result> {
	/** What kind of jobs it has: workers that do not know it leave it to others. */
	kind: string;
	/** Names it in the queue: the same for whoever resumes it, so that results of before are taken up. */
	token: string;
	/** All that a worker needs to do its jobs. */
	content: unknown;
	/** Names a job: the same whenever it is asked for. */
	jobToken(job: Job): string;
	result: z.ZodType<Result>;
	/** What becomes of a job of which no valid result comes, and why. */
	failed(reason: string): Result;
}

/** One kind of work, as a worker does it. */
export interface JobKind {
	kind: string;
	/** Opens a piece of work: what it throws is told, and the jobs go back to others. */
	open(content: unknown, limits: SharedLimits): Promise<OpenedJobs>;
}

/** Work as a worker has opened it. */
export interface OpenedJobs {
	/** How a job is done; none where it is no job of this kind. The result is undefined where it was interrupted. */
	read(job: unknown): ((signal: AbortSignal) => Promise<unknown>) | undefined;
	close(): Promise<void>;
}

/** A kind by the schemas of what comes over the queue. */
export function jobKind<Content, Job>({
	kind,
	content: contentSchema,
	job: jobSchema,
	open,
}: {
	kind: string;
	content: z.ZodType<Content>;
	job: z.ZodType<Job>;
	open(
		content: Content,
		limits: SharedLimits,
	): Promise<{ answer(job: Job, signal: AbortSignal): Promise<unknown>; close(): Promise<void> }>;
}): JobKind {
	return {
		kind,
		async open(given, limits) {
			const content = contentSchema.safeParse(given);
			if (!content.success) throw usageError("other-version", otherVersion, update);
			const { answer, close } = await open(content.data, limits);
			return {
				read(given) {
					const job = jobSchema.safeParse(given);
					return job.success ? (signal) => answer(job.data, signal) : undefined;
				},
				close,
			};
		},
	};
}

export const otherVersion = "it was announced by another version of Hopscope";
export const update = "Give both the same version.";
