import { z } from "zod";
import { parseJson } from "#domain";
import { ReplyTooLong, shortestSecret } from "./bounded-fetch.ts";
import { type FailureKind, kindOfStatus, kindOfWord } from "./failure-kind.ts";
import { causeOf, type Fault } from "./fault.ts";
import { type Posting, type PostResponse, post } from "./post.ts";
import { type Failure, retryAfter } from "./retry.ts";

/** What came of one POST: a reply's JSON (or its text, where it is none), or why there is none. */
export type Posted = { raw: unknown } | (Failure & { said?: Said });

/**
 * Posts JSON to one server. The timeout covers head and body; a failure is returned with what the server says of it and
 * the wait that it asks for; only an abort is thrown. `secret` is cut out of what the server echoes.
 */
export function jsonPoster(options: {
	/** Those that are undefined are left out. */
	headers: Record<string, string | undefined>;
	timeoutMs: number;
	maxBytes: number;
	secret?: string | undefined;
	fault: Fault;
}): (address: string, body: object, signal: AbortSignal | undefined) => Promise<Posted> {
	const { timeoutMs, maxBytes, secret, fault } = options;
	const hidden = secret !== undefined && secret.length >= shortestSecret ? secret : undefined;
	const given = { "content-type": "application/json", accept: "application/json", ...options.headers };
	const headers = Object.fromEntries(
		Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined),
	);

	function brokenOff(error: unknown) {
		// far more than any model writes: a fault of what stands between, which may pass
		if (error instanceof ReplyTooLong) return fault(error.message, { kind: "transient" });
		if (error === tooLate) return fault(`no reply within ${timeoutMs / 1000} s`, { kind: "transient" });
		const cause = (error instanceof Error ? causeOf(error) : new Error(String(error))) as Error & { code?: unknown };
		// a header that cannot be sent is thrown as it is, a connection that failed has a cause
		const connected = error instanceof Error && error.cause !== undefined;
		const reason = typeof cause.code === "string" ? cause.code : cause.message;
		if (connected && untrusted.test(reason))
			return fault(
				`no connection: the server's certificate is not trusted (${reason}); of an authority of your own name it in NODE_EXTRA_CA_CERTS, else the server needs another`,
			);
		return connected ? fault(`the connection failed: ${reason}`, { kind: "transient" }) : fault(cause.message);
	}

	return async (address, body, signal) => {
		signal?.throwIfAborted();
		let posting: Posting | undefined;
		const forward = () => posting?.stop(signal?.reason);
		signal?.addEventListener("abort", forward, { once: true });
		const timer = setTimeout(() => posting?.stop(tooLate), timeoutMs);
		try {
			posting = post(address, { headers, body: JSON.stringify(body), maxBytes });
			const response = await posting.response;
			const text = hidden === undefined ? response.text : response.text.replaceAll(hidden, "[key]");
			const raw = parsed(text);
			const ok = response.status >= 200 && response.status < 300;
			if (ok && !holdsError(raw)) return { raw };
			const said = saidOf(raw, text);
			const status = ok ? (said.status ?? response.status) : response.status;
			const kind = said.spent ? "permanent" : ok && status < 400 ? said.kind : kindOfStatus(status);
			const error = fault(`HTTP ${response.status}: ${wordsOf(said, response)}`, { status, kind });
			return { said, error, retryAfterMs: retryAfter(response.headers()) ?? said.retryAfterMs };
		} catch (error) {
			signal?.throwIfAborted();
			return { error: brokenOff(error) };
		} finally {
			clearTimeout(timer);
			signal?.removeEventListener("abort", forward);
		}
	};
}

const tooLate = new Error("the time is over");

/** How Node names what is wrong with a certificate: no wait mends it. */
const untrusted = /CERT|^UNABLE_TO_VERIFY|^HOSTNAME_MISMATCH$/;

/** JSON, or the text itself for the reader to complain about. */
const parsed = (text: string) => parseJson(text) ?? (text.trim() === "null" ? null : text);

/** What a server says of its refusal. */
export interface Said {
	message: string;
	code?: string | undefined;
	/** The parameter that it complains of, where it says so apart from its sentence. */
	parameter?: string | undefined;
	/** The wait that it asks for in its body. */
	retryAfterMs?: number | undefined;
	/** The status that the body names: gateways wrap that of the server behind them into a 200. */
	status?: number | undefined;
	/** By its words; what nothing is known of may pass. */
	kind: FailureKind;
	/** Of an allowance that no wait of seconds brings back. */
	spent: boolean;
}

const word = z
	.union([z.string(), z.number().transform(String)])
	.optional()
	.catch(undefined);
const Detail = z.looseObject({
	retryDelay: word,
	violations: z
		.array(z.looseObject({ quotaId: word }))
		.optional()
		.catch(undefined),
});
const ErrorBody = z.looseObject({
	message: word,
	detail: z.unknown().optional(),
	code: word,
	type: word,
	status: word,
	param: word,
	details: z.array(Detail).optional().catch(undefined),
});

/**
 * OpenAI, Anthropic and Google send `{"error":{"message":…}}`; vLLM and SGLang `{"object":"error","message":…}`; servers
 * made with FastAPI `{"detail":…}`. Of whatever else was sent the beginning is told.
 */
function saidOf(json: unknown, text: string): Said {
	const body = errorHolder(json);
	const {
		message,
		detail,
		code,
		type,
		status,
		param,
		details = [],
	} = ErrorBody.safeParse(body?.error ?? body).data ?? {};
	const delay = details.flatMap(({ retryDelay }) => /^(\d+(?:\.\d+)?)s$/.exec(retryDelay ?? "")?.[1] ?? []).at(0);
	const perDay = details.some(({ violations }) => violations?.some(({ quotaId }) => /per_?day/i.test(quotaId ?? "")));
	const told = message ?? (typeof detail === "string" || detail === undefined ? detail : JSON.stringify(detail));
	return {
		message: told ?? (typeof body?.error === "string" ? body.error : text.slice(0, 400)),
		code,
		parameter: param,
		status: [code, status].map(Number).find((one) => one >= 400 && one < 600),
		kind: [code, type, status].map((one) => kindOfWord(one ?? "")).find((one) => one !== undefined) ?? "transient",
		retryAfterMs: delay === undefined ? undefined : Number(delay) * 1000,
		// a spent allowance also answers 429
		spent: perDay || code === "insufficient_quota",
	};
}

// made once: this is asked of every reply, and making a schema costs as much as a third of a call
const ErrorHolder = z.looseObject({ error: z.unknown().optional() });

/** Some of Google's servers send it in a list. */
const errorHolder = (json: unknown) => ErrorHolder.safeParse(Array.isArray(json) ? json[0] : json).data;

/** Whether a body that came with status 200 is an error all the same; `"error": null` and `{}` are none. */
function holdsError(json: unknown): boolean {
	const error = errorHolder(json)?.error;
	return typeof error === "string" ? error !== "" : typeof error === "object" && Object.keys(error ?? {}).length > 0;
}

function wordsOf(said: Said, { status, headers }: PostResponse): string {
	if (status >= 300 && status < 400)
		return `the server redirects to ${headers().get("location") ?? "no address"}, and redirects are not followed: name the address itself`;
	return `${said.message.trim() || "no word of why"}${toldBy(said)}`;
}

/** A code that says what its sentence does not: that the context is full. */
const toldBy = ({ code, message }: Said) =>
	code !== undefined && /^(?:context_length_exceeded|exceed_context_size)/.test(code) && !message.includes(code)
		? ` (${code})`
		: "";
