import { type ExecuteOptions, type Manner, type QueueAddress, type Workers, workerQueue, workersOf } from "#runs";
import { canonicalJson, sha256 } from "#store";
import type { Configuration } from "./configuration.ts";
import type { ModelOptions } from "./models.ts";
import { type BoundOptions, boundsFrom } from "./run-options.ts";
import type { Bench } from "./work.ts";

/** Workers that answer instead of this process. */
export interface JobQueueOptions extends Partial<QueueAddress> {
	/** Seconds after which the job of a worker that says nothing goes to another; 30 where nothing is said. */
	queueLease?: number | undefined;
}

/** What the live web is made of, so that a worker reaches the very same. */
export const webOf = ({ web }: Configuration): string => sha256(canonicalJson(web ?? null));

/** Jobs under way at once where nobody bounds them: what there is of workers does. */
export const mostAtOnce = 1024;

/** The workers of the queue that is named, if one is. */
export function workersAt(
	{ queue, queueCredentials, queueLease }: JobQueueOptions,
	{ say }: Pick<Bench, "say">,
): Workers | undefined {
	if (queue === undefined) return undefined;
	return workersOf({
		queue,
		queueCredentials,
		lease: queueLease === undefined ? undefined : queueLease * 1000,
		say,
	});
}

/** How workers ask models. */
export function mannerOf(
	{ cache, replay, retryFor, maxCost }: ModelOptions & { maxCost?: number | undefined },
	configuration: Configuration,
): Manner {
	const needsPrice = maxCost !== undefined;
	return { cache, replay, retryFor, needsPrice, limits: configuration.limits, web: webOf(configuration) };
}

/** How a run is executed by the workers of a queue, where one is named, and what is told of them. */
export function answeredBy(
	options: JobQueueOptions & BoundOptions & ModelOptions,
	{ bench, configuration }: { bench: Bench; configuration: Configuration },
): { run: Pick<ExecuteOptions, "queue" | "concurrency">; pace?: () => string } {
	const { concurrency = mostAtOnce } = options;
	const workers = workersAt(options, bench);
	if (!workers) return { run: {} };
	const { timeout } = boundsFrom(options);
	const queue = workerQueue(workers, { timeout, ...mannerOf(options, configuration) });
	return { run: { queue, concurrency }, pace: workers.pace };
}
