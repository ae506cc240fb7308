import { HopscopeError } from "./error.ts";

/** The work that uses a resource, which the resource outlives. */
export interface TrackedWork {
	/** Aborts when closing begins, with the error that new work is rejected with. */
	signal: AbortSignal;
	/** Starts `work`; rejects with code `closed` once closing has begun. */
	run<Result>(work: () => Promise<Result>): Promise<Result>;
	/** Rejects new work, waits for the work that runs, then calls `end`. Further calls return the same promise. */
	close(end: () => unknown): Promise<void>;
}

/** Tracks the work on a resource, so that the resource is not removed below it. `name` is that of the resource in errors. */
export function trackWork(name: string): TrackedWork {
	const closing = new AbortController();
	const running = new Set<Promise<unknown>>();
	let closed: Promise<void> | undefined;
	return {
		signal: closing.signal,
		async run(work) {
			closing.signal.throwIfAborted();
			const result = work();
			running.add(result);
			try {
				return await result;
			} finally {
				running.delete(result);
			}
		},
		close(end) {
			closing.abort(new HopscopeError("closed", `${name} is closed`, "Open it again to go on using it."));
			closed ??= Promise.allSettled(running).then(async () => {
				await end();
			});
			return closed;
		},
	};
}
