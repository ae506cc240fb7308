/** Items worked on at once. */
const together = 4;

/**
 * Works on a few items at once; results come in the order of the items, whichever was done first. After a failure or
 * an abort nothing more is begun, and nothing is still going on when the promise rejects.
 */
export async function inTurns<T, R>(
	items: readonly T[],
	work: (item: T) => Promise<R>,
	options: { signal?: AbortSignal | undefined; onDone?: ((done: number) => void) | undefined } = {},
): Promise<R[]> {
	const results: R[] = [];
	const waiting = items.entries();
	let done = 0;
	let failed = false;
	async function worker(): Promise<void> {
		for (const [index, item] of waiting) {
			if (failed) return;
			options.signal?.throwIfAborted();
			results[index] = await work(item);
			done += 1;
			options.onDone?.(done);
		}
	}
	const workers = Array.from({ length: together }, () =>
		worker().catch((error) => {
			failed = true;
			throw error;
		}),
	);
	for (const ended of await Promise.allSettled(workers)) if (ended.status === "rejected") throw ended.reason;
	return results;
}
