import { z } from "zod";
import { HopscopeError, noUsage, RunManifest, Trajectory } from "#domain";
import { canonicalJson, sha256 } from "#store";
import { failure } from "../answer-task.ts";
import { type ExecuteOptions, inItsWorld, mustMatch } from "../execute-run.ts";
import type { Job } from "../outstanding.ts";
import type { Workers } from "./coordinator.ts";
import { type JobKind, jobKind, type QueuedWork } from "./job-kind.ts";
import { inProcess, type OpenQueue } from "./job-queue.ts";
import { Manner } from "./messages.ts";
import type { SharedLimits } from "./shared-limits.ts";

/*
 * A run's answers as jobs: one a task, repeat and attempt. What a worker needs stands in the run's manifest, but for the
 * tasks, which come one by one.
 */

/** How a run's answers are made where that does not stand in its manifest: as whoever began it said. */
const RunManner = Manner.extend({
	/** Milliseconds until a task is given up. */
	timeout: z.number().positive(),
});
export type RunManner = z.infer<typeof RunManner>;

export const AnnouncedRun = z.object({ manifest: RunManifest, manner: RunManner });
export type AnnouncedRun = z.infer<typeof AnnouncedRun>;

const RunJob = z.object({
	task: z.string(),
	repeat: z.number().int().min(0),
	attempt: z.number().int().min(0),
});

const kind = "run";

/** A run by its manifest: the same for whoever resumes it, another for a run that only has its name. */
export function runToken({ id, at, agent, model, seed }: RunManifest): string {
	return sha256(canonicalJson([id, at, agent.name, model, seed])).slice(0, 32);
}
export const jobToken = ({ task, repeat, attempt }: Job): string =>
	sha256(JSON.stringify([task, repeat, attempt])).slice(0, 32);

const workOf = (manifest: RunManifest, manner: RunManner): QueuedWork<Job, Trajectory> => ({
	kind,
	token: runToken(manifest),
	content: { manifest: { ...manifest, tasks: [] }, manner } satisfies AnnouncedRun,
	jobToken,
	result: Trajectory,
	failed: (message) => failure({ boundary: "agent", message }, { usage: noUsage, ms: 0 }),
});

/** A queue whose tasks are answered by workers, wherever they are. */
export function workerQueue(workers: Workers, manner: RunManner): OpenQueue {
	return async ({ manifest, signal, maxTime }) => {
		const { ask, ...rest } = await workers.open(workOf(manifest, manner), { signal, maxTime });
		return { ...rest, answer: ask };
	};
}

/** Runs, for workers: `open` opens what the run was announced with. */
export function runKind(open: (announced: AnnouncedRun, limits: SharedLimits) => Promise<OpenedRun>): JobKind {
	return jobKind({ kind, content: AnnouncedRun, job: RunJob, open });
}

/** A run as a worker has opened it. */
export interface OpenedRun {
	/** None where it was interrupted. */
	answer(job: Job, signal: AbortSignal): Promise<Trajectory | undefined>;
	close(): Promise<void>;
}

type Parts = Pick<ExecuteOptions, "manifest" | "agent" | "model" | "benchmark" | "knowledge" | "web" | "upstream">;

/** What a worker opened for a run must be the very things that the run is planned with. */
export const workerDiffers = (parts: Omit<Parts, "web" | "upstream">): void => mustMatch(parts);

/** A run as a worker answers its jobs: in its own process, as a run without a queue does. */
export function openJobs({ timeout, ...parts }: Parts & { timeout: number }): OpenedRun {
	const { manifest, benchmark, knowledge } = parts;
	const { setting, seed } = manifest;
	const agent = inItsWorld(parts);
	const tasks = new Map(benchmark.tasks.map((task) => [task.id, task]));
	return {
		async answer(job, signal) {
			const task = tasks.get(job.task);
			if (!task) throw new HopscopeError("no-task", `the benchmark has no task ${job.task}`, "Announce the run again.");
			return inProcess({ ...parts, agent, setting, seed, timeout, signal }).answer(job, task);
		},
		close: () => knowledge.close(),
	};
}
