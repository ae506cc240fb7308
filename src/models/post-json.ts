import { z } from "zod";
import { parseJson } from "#domain";
import { boundedFetch, ReplyTooLong } from "./bounded-fetch.ts";
import { type FailureKind, kindOfStatus, kindOfWord } from "./failure-kind.ts";
import { causeOf, type Fault } from "./fault.ts";
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
	const send = boundedFetch({ maxBytes, secret });
	const given = { "content-type": "application/json", accept: "application/json", ...options.headers };
	const headers = Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined);

	function brokenOff(error: unknown) {
		// far more than any model writes: a fault of what stands between, which may pass
		if (error instanceof ReplyTooLong) return fault(error.message, { kind: "transient" });
		if (error instanceof Error && error.name === "AbortError")
			return fault(`no reply within ${timeoutMs / 1000} s`, { kind: "transient" });
		const cause = (error instanceof Error ? causeOf(error) : new Error(String(error))) as Error & { code?: unknown };
		// A header that cannot be sent, and no connection at all, both come as a TypeError: only the latter has a cause.
		const connected = error instanceof Error && error.cause !== undefined;
		const reason = typeof cause.code === "string" ? cause.code : cause.message;
		if (connected && untrusted.test(reason))
			return fault(
				`no connection: the server's certificate is not trusted (${reason}); of an authority of your own name it in NODE_EXTRA_CA_CERTS, else the server needs another`,
			);
		return connected ? fault(`the connection failed: ${reason}`, { kind: "transient" }) : fault(cause.message);
	}

	return async (address, body, signal) => {
		// a controller of its own: listeners are not left on a signal that may serve a whole run
		const controller = new AbortController();
		const forward = () => controller.abort(signal?.reason);
		if (signal?.aborted) forward();
		signal?.addEventListener("abort", forward, { once: true });
		const timer = setTimeout(() => controller.abort(), timeoutMs);
		try {
			const sent = { method: "POST", headers, body: JSON.stringify(body), signal: controller.signal };
			const response = await send(address, sent);
			const text = await response.text();
			const raw = parsed(text);
			if (response.ok && !holdsError(raw)) return { raw };
			const said = saidOf(raw, text);
			const { status } = response.ok ? { status: said.status ?? response.status } : response;
			const kind = said.spent ? "permanent" : response.ok && status < 400 ? said.kind : kindOfStatus(status);
			const error = fault(`HTTP ${response.status}: ${wordsOf(said, response)}`, { status, kind });
			return { said, error, retryAfterMs: retryAfter(response.headers) ?? said.retryAfterMs };
		} catch (error) {
			signal?.throwIfAborted();
			return { error: brokenOff(error) };
		} finally {
			clearTimeout(timer);
			signal?.removeEventListener("abort", forward);
		}
	};
}

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

function wordsOf(said: Said, { status, headers }: Response): string {
	if (status >= 300 && status < 400)
		return `the server redirects to ${headers.get("location") ?? "no address"}, and redirects are not followed: name the address itself`;
	return `${said.message.trim() || "no word of why"}${toldBy(said)}`;
}

/** A code that says what its sentence does not: that the context is full. */
const toldBy = ({ code, message }: Said) =>
	code !== undefined && /^(?:context_length_exceeded|exceed_context_size)/.test(code) && !message.includes(code)
		? ` (${code})`
		: "";
