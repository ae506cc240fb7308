import { setTimeout as sleep } from "node:timers/promises";
import { ModelError } from "./model-error.ts";

/** A failed attempt, with the wait in milliseconds that the server asked for, if it did. */
export interface Failure {
	error: ModelError;
	retryAfterMs?: number | undefined;
}

/** A server that asks for a longer wait is not waited for: the record becomes an error, and a resumed run tries again. */
const maxWaitMs = 120_000;

/**
 * Calls `attempt` until it succeeds, fails for good, or has been retried `retries` times. Waits as long as the server
 * asks, else 0.5 s doubling up to 8 s, both jittered so that calls that failed together do not return together. The
 * provider's client could retry by itself, but its wait can neither be aborted nor bounded.
 */
export async function withRetries<T>(
	attempt: () => Promise<{ value: T } | Failure>,
	{ retries, signal }: { retries: number; signal: AbortSignal | undefined },
): Promise<T> {
	for (let failed = 0; ; failed += 1) {
		const result = await attempt();
		if ("value" in result) return result.value;
		const { error, retryAfterMs } = result;
		if (!error.retryable) throw error;
		if (failed >= retries) throw failed === 0 ? error : extended(error, `given up after ${failed + 1} attempts`);
		if (retryAfterMs !== undefined && retryAfterMs > maxWaitMs)
			throw extended(error, `the server asks to wait ${Math.round(retryAfterMs / 1000)} s`);
		const wait =
			retryAfterMs === undefined
				? Math.min(500 * 2 ** failed, 8000) * (0.75 + 0.25 * Math.random())
				: retryAfterMs + Math.random() * Math.min(250, retryAfterMs * 0.25);
		await sleep(wait, undefined, signal ? { signal } : {}).catch(() => signal?.throwIfAborted());
	}
}

const extended = (error: ModelError, more: string) =>
	new ModelError(`${error.message} (${more})`, { status: error.status, retryable: true });

/** The wait that a response asks for, in milliseconds, from `retry-after-ms` or `retry-after` (seconds or a date). */
export function retryAfter(headers: Headers | undefined, now = Date.now()): number | undefined {
	const milliseconds = headers?.get("retry-after-ms");
	if (milliseconds && /^\d+(\.\d+)?$/.test(milliseconds)) return Number(milliseconds);
	const after = headers?.get("retry-after")?.trim();
	if (!after) return undefined;
	if (/^\d+(\.\d+)?$/.test(after)) return Number(after) * 1000;
	const date = Date.parse(after);
	return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
