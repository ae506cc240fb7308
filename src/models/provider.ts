import type { ChatReply, ChatRequest } from "./chat-model.ts";
import type { Fault } from "./fault.ts";
import type { Failure } from "./retry.ts";

/**
 * One model of one provider on the wire. What it sends and reads are pure, so that a cached reply can be read again by a
 * later parser; retries, limits, keeping and prices are the same for all and stand outside.
 */
export interface Provider {
	/** What a run records, e.g. `openai:gpt-5`. */
	id: string;
	/** Whose limits apply: provider, server and a hash of the key. Never the key. */
	account: string;
	/** Raised when the same request goes over the wire in another way. */
	version: string;
	/** The body of the request, everything asked for included. Rejects with a `HopscopeError` for what cannot be sent. */
	body(request: ChatRequest): Promise<Record<string, unknown>>;
	/**
	 * One attempt. `raw` is the parsed body of the answer; `ignored` are parameters that the model refuses and that
	 * were left out. Failures are returned; only an abort is thrown.
	 */
	send(body: Record<string, unknown>, options: { signal?: AbortSignal }): Promise<Sent | Failure>;
	/**
	 * What was sent back, read, with what this provider never takes of the request as `ignored`. Throws `ModelError`
	 * where it is no reply; its text may quote the server.
	 */
	read(sent: Sent, request: ChatRequest): ReadReply;
	/** Makes an error of a text that may quote the server: names the model and holds no key. */
	fault: Fault;
}

/** A reply without its time; without its usage where the server reports none that can be. */
export type ReadReply = Omit<ChatReply, "ms" | "usage"> & { usage: ChatReply["usage"] | undefined };

export interface Sent {
	raw: unknown;
	ignored?: string[];
}

/** Replies cached by the content of their request. */
export interface CachedReplies {
	/** Replay: nothing may be sent, and a request without a cached reply is an error that names its key. */
	only: boolean;
	get(key: string): Promise<Sent | undefined>;
	/** `about` is kept beside the reply for people: id and the request, images by hash. */
	put(key: string, sent: Sent, about: Record<string, unknown>): Promise<void>;
}

/** Lets requests through as an account's provider allows, and learns from how they ended. */
export interface Limiter {
	/**
	 * Waits for a place, runs the attempt, and adapts: 429 shrinks the number of places and holds everyone back as long
	 * as the provider asks, 5xx stops their growth, success lets it grow. `tokens` is a guess for caps by the minute.
	 */
	run<T>(
		account: string,
		attempt: () => Promise<{ value: T; tokens?: number } | Failure>,
		options: { signal?: AbortSignal | undefined; tokens?: number },
	): Promise<{ value: T } | Failure>;
}

/** Money for a million tokens, in the currency of `currency`. */
export interface Price {
	input: number;
	output: number;
	/** Of input tokens that the provider had cached; `input` where absent. */
	cached?: number;
}
