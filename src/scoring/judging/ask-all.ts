/** Failures in a row after which a judge that answers nobody is asked no more. */
const mostFailed = 20;

/** How one question went: answered, failed for want of a reply, or settled without asking, which says nothing of either. */
export type Told = { is: "answered" | "unasked" } | { is: "failed"; reason: string };

/**
 * Asks a judge one job after another, several side by side. Ends early, with the last failure as `refused`, when the judge
 * answers nobody. An abort is thrown when all that was under way has ended, so that what the others still get is kept.
 */
export async function askAll<Job>(
	jobs: readonly Job[],
	{
		ask,
		concurrency = 8,
		until = () => false,
		signal,
	}: {
		ask(job: Job, index: number): Promise<Told>;
		concurrency?: number | undefined;
		/** Asked before each job, with how many are under way: true begins no further one. */
		until?: ((running: number) => boolean) | undefined;
		signal?: AbortSignal | undefined;
	},
): Promise<{ refused?: string }> {
	const next = jobs.entries();
	let failed = 0;
	let refused: string | undefined;
	let running = 0;
	async function work(): Promise<void> {
		for (const [index, job] of { [Symbol.iterator]: () => next }) {
			signal?.throwIfAborted();
			if (refused !== undefined || until(running)) return;
			running += 1;
			const told = await ask(job, index).finally(() => {
				running -= 1;
			});
			if (told.is === "failed") failed += 1;
			else if (told.is === "answered") failed = 0;
			if (told.is === "failed" && failed >= mostFailed) refused = told.reason;
		}
	}
	const ends = await Promise.allSettled(Array.from({ length: Math.min(concurrency, jobs.length) }, work));
	for (const end of ends) if (end.status === "rejected") throw end.reason;
	return refused === undefined ? {} : { refused };
}
