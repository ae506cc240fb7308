import { setMaxListeners } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import type { Limits } from "#models";
import { sha256 } from "#store";
import type { Broker } from "./broker.ts";

/** What providers allow by the minute, counted over all workers together. */
export interface SharedLimits {
	/** Waits until one more request of so many tokens may be sent; returns how to say what it took in the end. */
	take(
		account: string,
		limits: Limits,
		options: { tokens: number; signal?: AbortSignal | undefined },
	): Promise<(tokens: number) => void>;
}

/** Tokens are counted in so many pieces of what a minute allows: a message each would be thousands a request. */
const pieces = 2000;
/** Milliseconds until a refused request asks again, about. */
const askAgain = 400;

/**
 * The server keeps what was let through for a minute, and refuses what is too much: a stream an account, as long as the
 * limit, that takes nothing new while it is full. So no worker counts, and none that dies takes anything along. `minute`
 * is the length of a minute, for tests.
 */
export function sharedLimits(broker: Broker, { minute = 60_000 }: { minute?: number } = {}): SharedLimits {
	const made = new Map<string, Promise<string>>();
	const subjectOf = (account: string, what: string, most: number): Promise<string> => {
		const key = sha256(JSON.stringify([account, what, most, minute])).slice(0, 32);
		const known = made.get(key) ?? broker.prepareLimit(key, { most, span: minute });
		made.set(key, known);
		known.catch(() => made.delete(key));
		return known;
	};
	async function pass(subject: string, signal?: AbortSignal): Promise<void> {
		while (!(await broker.admit(subject)))
			await delay(askAgain * (0.5 + Math.random()), undefined, signal ? { signal } : {});
	}
	return {
		async take(account, { requestsPerMinute, tokensPerMinute }, { tokens, signal }) {
			// a wait for each piece is no leak
			if (signal) setMaxListeners(0, signal);
			if (requestsPerMinute !== undefined) await pass(await subjectOf(account, "requests", requestsPerMinute), signal);
			if (tokensPerMinute === undefined) return () => {};
			const most = Math.min(pieces, tokensPerMinute);
			// more than fits ever waits until nothing is counted
			const piecesOf = (count: number) => Math.min(most, Math.ceil((count * most) / tokensPerMinute));
			const subject = await subjectOf(account, "tokens", most);
			const guessed = piecesOf(tokens);
			await Promise.all(Array.from({ length: guessed }, () => pass(subject, signal)));
			// what was guessed too high runs out by itself
			return (known) => {
				for (let more = guessed; more < piecesOf(known); more += 1) void broker.admit(subject).catch(() => undefined);
			};
		},
	};
}
