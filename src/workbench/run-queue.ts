import { type ExecuteOptions, type QueueAddress, workerQueue } from "#runs";
import { canonicalJson, sha256 } from "#store";
import type { Configuration } from "./configuration.ts";
import type { ModelOptions } from "./models.ts";
import { type BoundOptions, boundsFrom } from "./run-options.ts";
import type { Bench } from "./work.ts";

/** Workers that answer instead of this process. */
export interface JobQueueOptions extends Partial<QueueAddress> {
	/** Seconds after which the task of a worker that says nothing goes to another; 30 where nothing is said. */
	queueLease?: number | undefined;
}

/** What the live web is made of, so that a worker reaches the very same. */
export const webOf = ({ web }: Configuration): string => sha256(canonicalJson(web ?? null));

/** Tasks under way at once where nobody bounds them: what there is of workers does. */
const mostAtOnce = 1024;

/** How a run is executed by the workers of a queue, where one is named, and what is told of them. */
export function answeredBy(
	options: JobQueueOptions & BoundOptions & ModelOptions,
	{ bench, configuration }: { bench: Bench; configuration: Configuration },
): { run: Pick<ExecuteOptions, "queue" | "concurrency">; pace?: () => string } {
	const { queue, queueCredentials, queueLease, cache, replay, retryFor, maxCost, concurrency = mostAtOnce } = options;
	if (queue === undefined) return { run: {} };
	const { timeout } = boundsFrom(options);
	const needsPrice = maxCost !== undefined;
	const { open, pace } = workerQueue({
		queue,
		queueCredentials,
		lease: queueLease === undefined ? undefined : queueLease * 1000,
		say: bench.say,
		manner: { timeout, cache, replay, retryFor, needsPrice, limits: configuration.limits, web: webOf(configuration) },
	});
	return { run: { queue: open, concurrency }, pace };
}
