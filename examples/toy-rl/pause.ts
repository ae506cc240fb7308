import { setImmediate } from "node:timers/promises";

/** Lets whatever else waits have its turn, a wish to stop among it; throws the signal's reason where it is aborted. */
export async function pause(signal: AbortSignal | undefined): Promise<void> {
	await setImmediate();
	signal?.throwIfAborted();
}
