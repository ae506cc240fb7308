import { APIConnectionError, APIConnectionTimeoutError, APIError } from "openai";
import { HopscopeError } from "#domain";
import { ReplyTooLong } from "./bounded-fetch.ts";
import { ModelError } from "./model-error.ts";
import { type Failure, retryAfter } from "./retry.ts";

/**
 * What the client threw, as a `ModelError` with one short line. The client's error is not kept as the cause: its body
 * and headers may echo the key.
 */
export function failureOf(
	error: unknown,
	about: { id: string; apiKey: string | undefined; timeoutMs: number },
): Failure {
	// A request that cannot be sent is the caller's mistake, not the provider's.
	if (error instanceof HopscopeError) throw error;
	const fail = (text: string, options: { status?: number; retryable?: boolean } = {}): ModelError =>
		new ModelError(`${about.id}: ${presentable(text, about.apiKey)}`, options);

	if (error instanceof APIConnectionTimeoutError)
		return { error: fail(`no reply within ${about.timeoutMs / 1000} s`, { retryable: true }) };
	if (error instanceof APIConnectionError) {
		const reasons = causes(error);
		const tooLong = reasons.find((reason) => reason instanceof ReplyTooLong);
		if (tooLong) return { error: fail(tooLong.message) };
		const innermost = reasons.at(-1) as (Error & { code?: unknown }) | undefined;
		const reason = typeof innermost?.code === "string" ? innermost.code : innermost?.message;
		return { error: fail(`the connection failed: ${reason ?? error.message}`, { retryable: true }) };
	}
	if (error instanceof APIError && error.status !== undefined) {
		const status: number = error.status;
		// A spent quota also answers 429, and no wait of seconds brings it back.
		const retryable = ([408, 409, 429].includes(status) || status >= 500) && error.code !== "insufficient_quota";
		const text = error.message.replace(/^\d{3} /, "");
		return {
			error: fail(`HTTP ${status}: ${text}`, { status, retryable }),
			retryAfterMs: retryAfter(error.headers),
		};
	}
	if (error instanceof SyntaxError) return { error: fail("the server sent broken JSON") };
	return { error: fail(error instanceof Error ? error.message : String(error)) };
}

function causes(error: Error): Error[] {
	const found: Error[] = [];
	for (let cause = error.cause; cause instanceof Error && found.length < 10; cause = cause.cause) found.push(cause);
	return found;
}

/** One line of at most 400 characters in which no key is left, neither this one nor what looks like another. */
function presentable(text: string, apiKey: string | undefined): string {
	const safe = apiKey === undefined ? text : text.replaceAll(apiKey, "[key]");
	return safe
		.slice(0, 4000)
		.replace(/\bsk-[\w*-]{4,}/g, "[key]")
		.replace(/\bBearer\s+\S+/gi, "Bearer [key]")
		.replace(/\s+/g, " ")
		.trim()
		.slice(0, 400);
}
