import { HopscopeError } from "#domain";
import { type ExecuteOptions, inItsWorld, mustMatch } from "../execute-run.ts";
import { inProcess } from "./job-queue.ts";
import type { OpenedJobs } from "./worker.ts";

type Parts = Pick<ExecuteOptions, "manifest" | "agent" | "model" | "benchmark" | "knowledge" | "web" | "upstream">;

/** What a worker opened for a run must be the very things that the run is planned with. */
export const workerDiffers = (parts: Omit<Parts, "web" | "upstream">): void => mustMatch(parts);

/** A run as a worker answers its jobs: in its own process, as a run without a queue does. */
export function openJobs({ timeout, ...parts }: Parts & { timeout: number }): OpenedJobs {
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
