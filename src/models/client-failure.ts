import { HopscopeError } from "#domain";
import { ReplyTooLong } from "./bounded-fetch.ts";
import { causeOf, type Fault, mayPass } from "./fault.ts";
import { ModelError } from "./model-error.ts";
import { type Failure, retryAfter } from "./retry.ts";

/** What a client throws when the server answered with an error. */
export interface StatusError {
	status: number;
	message: string;
	headers: Headers | undefined;
	code?: string | null | undefined;
	/** The parameter that the server complains of, where it says so apart from its sentence. */
	parameter?: string | null | undefined;
}

/** How to tell the errors of one client library apart. */
export interface ClientErrors {
	timedOut(error: unknown): boolean;
	disconnected(error: unknown): error is Error;
	status(error: unknown): StatusError | undefined;
}

/**
 * What a client threw, as a `ModelError` with one short line. The client's error is not kept as the cause: its body and
 * headers may echo the key.
 */
export function failureOf(
	error: unknown,
	{ fault, timeoutMs, errors }: { fault: Fault; timeoutMs: number; errors: ClientErrors },
): Failure {
	// A request that cannot be sent is the caller's mistake, not the provider's.
	if (error instanceof HopscopeError) throw error;
	if (error instanceof ModelError) return { error };
	if (errors.timedOut(error)) return { error: fault(`no reply within ${timeoutMs / 1000} s`, { retryable: true }) };
	if (errors.disconnected(error)) {
		const cause = causeOf(error) as Error & { code?: unknown };
		if (cause instanceof ReplyTooLong) return { error: fault(cause.message) };
		const reason = typeof cause.code === "string" ? cause.code : cause.message;
		return { error: fault(`the connection failed: ${reason}`, { retryable: true }) };
	}
	const answered = errors.status(error);
	if (answered) {
		const { status, message, headers, code } = answered;
		// A spent quota also answers 429, and no wait of seconds brings it back.
		const retryable = mayPass(status) && code !== "insufficient_quota";
		return {
			error: fault(`HTTP ${status}: ${message.replace(/^\d{3} /, "")}${toldBy(code, message)}`, { status, retryable }),
			retryAfterMs: retryAfter(headers),
		};
	}
	if (error instanceof SyntaxError) return { error: fault("the server sent broken JSON") };
	return { error: fault(error instanceof Error ? error.message : String(error)) };
}

/** A code that says what its sentence does not: that the context is full. */
function toldBy(code: unknown, message: string): string {
	return typeof code === "string" &&
		/^(?:context_length_exceeded|exceed_context_size)/.test(code) &&
		!message.includes(code)
		? ` (${code})`
		: "";
}
