import { createMinuteWindow } from "./minute-window.ts";
import type { ModelError } from "./model-error.ts";
import type { Limiter } from "./provider.ts";
import { defaultRetryFor } from "./retry.ts";

export interface Limits {
	/** Requests of one account at the same time, at most. */
	places?: number | undefined;
	requestsPerMinute?: number | undefined;
	tokensPerMinute?: number | undefined;
}

/** Where an account stands, for people who wait. */
export interface LimiterState {
	/** Requests that may run at the same time now; what the provider refuses lowers it, what it answers raises it. */
	places: number;
	running: number;
	waiting: number;
	/** Milliseconds for which the provider, or a cap by the minute, holds everything back. */
	heldMs: number;
}

export interface AdaptiveLimiter extends Limiter {
	state(account: string): LimiterState;
	/** Accounts that anything was asked of. */
	accounts(): string[];
}

/** Milliseconds for which a failing server is not asked for more at a time. */
const growthPause = 10_000;

interface Waiter {
	tokens: number;
	admit(entry: Entry): void;
}

/** A request that was let through. */
interface Entry {
	/** How often the places had been shrunk when it began. */
	began: number;
	correct: ((tokens: number) => void) | undefined;
}

interface Account {
	places: number;
	running: number;
	waiting: Set<Waiter>;
	/** How often the places were shrunk: an attempt that began before the last time says nothing new. */
	shrunk: number;
	/** Of these, how often since anything succeeded. */
	refusals: number;
	heldUntil: number;
	growsFrom: number;
	timer?: NodeJS.Timeout | undefined;
	requests: ReturnType<typeof createMinuteWindow> | undefined;
	tokens: ReturnType<typeof createMinuteWindow> | undefined;
}

/**
 * A limiter that finds out how much an account is allowed: additive growth, multiplicative decrease. A 429 cuts the
 * places to three quarters, at most once for all that was on its way together, and holds everyone back for as long as
 * the server asks, or for half a second doubling where it does not say. Waiting is first come, first served, and costs
 * one timer an account. `minute` is the length of a minute, for tests.
 */
export function createLimiter({
	places = 64,
	requestsPerMinute,
	tokensPerMinute,
	minute = 60_000,
}: Limits & { minute?: number } = {}): AdaptiveLimiter {
	const accounts = new Map<string, Account>();
	const windowOf = (most: number | undefined) =>
		most === undefined ? undefined : createMinuteWindow(most, { span: minute });

	function accountOf(name: string): Account {
		let account = accounts.get(name);
		if (!account) {
			account = {
				places: Math.max(1, places),
				running: 0,
				waiting: new Set(),
				shrunk: 0,
				refusals: 0,
				heldUntil: 0,
				growsFrom: 0,
				requests: windowOf(requestsPerMinute),
				tokens: windowOf(tokensPerMinute),
			};
			accounts.set(name, account);
		}
		return account;
	}

	return {
		async run(name, attempt, { signal, tokens = 0 }) {
			signal?.throwIfAborted();
			const account = accountOf(name);
			const free = account.waiting.size === 0 && delay(account, tokens) === 0;
			const { began, correct } = free ? enter(account, tokens) : await turn(account, tokens, signal);
			try {
				const result = await attempt();
				if ("value" in result) {
					if (result.tokens !== undefined) correct?.(result.tokens);
					succeeded(account, began, Math.max(1, places));
					return { value: result.value };
				}
				failed(account, { ...result, began });
				return result;
			} finally {
				account.running -= 1;
				admit(account);
			}
		},
		state(name) {
			const account = accounts.get(name);
			if (!account) return { places: Math.max(1, places), running: 0, waiting: 0, heldMs: 0 };
			const [next] = account.waiting;
			const held = next && account.running < Math.floor(account.places) ? delay(account, next.tokens) : 0;
			return {
				places: Math.floor(account.places),
				running: account.running,
				waiting: account.waiting.size,
				heldMs: Number.isFinite(held) ? held : 0,
			};
		},
		accounts: () => [...accounts.keys()],
	};
}

/** Milliseconds until a request may begin; infinite where it waits for another one to end. */
function delay(account: Account, tokens: number, now = performance.now()): number {
	if (account.running >= Math.floor(account.places)) return Number.POSITIVE_INFINITY;
	return Math.max(
		0,
		account.heldUntil - now,
		account.requests?.wait(1, now) ?? 0,
		account.tokens?.wait(tokens, now) ?? 0,
	);
}

/** Takes a place, at the moment in which it is free. */
function enter(account: Account, tokens: number): Entry {
	const now = performance.now();
	account.running += 1;
	account.requests?.add(1, now);
	return { began: account.shrunk, correct: account.tokens?.add(tokens, now) };
}

/** Waits for a place in the order of arrival. */
function turn(account: Account, tokens: number, signal: AbortSignal | undefined): Promise<Entry> {
	return new Promise((resolve, reject) => {
		const waiter: Waiter = {
			tokens,
			admit(entry) {
				signal?.removeEventListener("abort", leave);
				resolve(entry);
			},
		};
		const leave = () => {
			account.waiting.delete(waiter);
			reject(signal?.reason);
			admit(account);
		};
		signal?.addEventListener("abort", leave, { once: true });
		account.waiting.add(waiter);
		admit(account);
	});
}

function admit(account: Account): void {
	clearTimeout(account.timer);
	account.timer = undefined;
	for (const waiter of account.waiting) {
		const wait = delay(account, waiter.tokens);
		if (wait > 0) {
			if (Number.isFinite(wait)) account.timer = setTimeout(() => admit(account), Math.ceil(wait));
			return;
		}
		account.waiting.delete(waiter);
		waiter.admit(enter(account, waiter.tokens));
	}
}

function succeeded(account: Account, began: number, most: number): void {
	account.refusals = 0;
	// one that began before the last refusal says nothing, nor does one while there was room to spare
	if (began < account.shrunk || account.running < Math.floor(account.places)) return;
	if (performance.now() < account.growsFrom) return;
	account.places = Math.min(most, account.places + 1 / account.places);
}

function failed(
	account: Account,
	{ error, retryAfterMs, began }: { error: ModelError; retryAfterMs?: number | undefined; began: number },
): void {
	const now = performance.now();
	if (retryAfterMs !== undefined && retryAfterMs <= defaultRetryFor)
		account.heldUntil = Math.max(account.heldUntil, now + retryAfterMs);
	if (error.status === 429 && error.retryable) {
		if (began < account.shrunk) return;
		account.places = Math.max(1, account.places * 0.75);
		account.shrunk += 1;
		if (retryAfterMs === undefined)
			account.heldUntil = Math.max(account.heldUntil, now + Math.min(8000, 500 * 2 ** account.refusals));
		account.refusals += 1;
	} else if (error.retryable) account.growsFrom = now + growthPause;
}
