import { setTimeout as sleep } from "node:timers/promises";
import { ModelError } from "./model-error.ts";

/** A failed attempt, with the wait in milliseconds that the server asked for, if it did. */
export interface Failure {
	error: ModelError;
	retryAfterMs?: number | undefined;
	/** How long the attempt took, in milliseconds, where it waited for its turn before; else it is measured from outside. */
	ms?: number;
}

/** How long a failing server is borne with by default, in milliseconds: longer than any quota by the minute lasts. */
export const defaultRetryFor = 180_000;

/** A server that often times out gets these attempts, however long they took. */
const fewestAttempts = 3;
/** More is not tried while nothing has ever answered at the address: it may be a wrong one. */
const attemptsUnheard = 5;

/** What the callers of one server know of it together. */
export interface Hearing {
	/** When it last gave a reply, by `performance.now()`. */
	lastReply?: number;
}

/**
 * Calls `attempt` until it succeeds, fails for good, or has lost `retryFor` milliseconds in failed attempts and the waits
 * between them; or until the server answered nobody for as long. Waits as long as the server asks, else 0.5 s doubling up
 * to 8 s, both jittered so that calls that failed together do not return together. The provider's client could retry by
 * itself, but its wait can neither be aborted nor bounded.
 */
export async function withRetries<T>(
	attempt: () => Promise<{ value: T } | Failure>,
	options: { retryFor?: number | undefined; signal: AbortSignal | undefined; hearing?: Hearing },
): Promise<T> {
	const { retryFor = defaultRetryFor, signal, hearing = {} } = options;
	let lost = 0;
	let silentSince: number | undefined;
	for (let attempts = 1; ; attempts += 1) {
		const began = performance.now();
		const result = await attempt();
		const now = performance.now();
		if ("value" in result) {
			hearing.lastReply = now;
			return result.value;
		}
		const { error, retryAfterMs, ms = now - began } = result;
		if (!error.retryable) throw error;
		if (retryFor === 0) throw error;
		if (retryAfterMs !== undefined && retryAfterMs > retryFor)
			throw extended(error, `the server asks to wait ${Math.round(retryAfterMs / 1000)} s`);
		const wait = Math.max(
			retryAfterMs === undefined ? 0 : retryAfterMs + Math.random() * Math.min(250, retryAfterMs * 0.25),
			// a server that asks for no wait at all, again and again, is spared too
			retryAfterMs === undefined || attempts > fewestAttempts ? backOff(attempts) : 0,
		);
		lost += ms + wait;
		silentSince ??= now - ms;
		const silent = now + wait - Math.max(silentSince, hearing.lastReply ?? 0);
		const unheard = error.status === undefined && hearing.lastReply === undefined && attempts >= attemptsUnheard;
		if (unheard || (attempts >= fewestAttempts && Math.max(lost, silent) > retryFor))
			throw extended(error, `given up after ${attempts} attempts`);
		await sleep(wait, undefined, signal ? { signal } : {}).catch(() => signal?.throwIfAborted());
	}
}

const backOff = (attempts: number) => Math.min(500 * 2 ** (attempts - 1), 8000) * (0.75 + 0.25 * Math.random());

const extended = ({ message, status, kind }: ModelError, more: string) =>
	new ModelError(`${message} (${more})`, { status, kind });

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
