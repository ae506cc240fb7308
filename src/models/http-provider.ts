import { z } from "zod";
import { boundedFetch, ReplyTooLong } from "./bounded-fetch.ts";
import type { ChatRequest } from "./chat-model.ts";
import { causeOf, createFault, mayPass } from "./fault.ts";
import type { ModelName } from "./model-name.ts";
import type { Provider, Sent } from "./provider.ts";
import { createRefusals } from "./refusals.ts";
import { checkRequest } from "./request-check.ts";
import { type Failure, retryAfter } from "./retry.ts";

type Wire = Record<string, unknown>;
type Refusals = ReturnType<typeof createRefusals>;

/** How a provider is opened. */
export type OpenProvider = (
	name: ModelName,
	options: { apiKey: string | undefined; timeoutMs: number; account: string },
) => Provider;

/** What differs between the providers, all of which answer one POST of JSON. */
export interface Form extends Pick<Provider, "body" | "read"> {
	address: string;
	/** Beside the content's type; those that are undefined are left out. */
	headers: Record<string, string | undefined>;
	/** Parameters that a model may refuse: their names on the wire, and those of `ChatRequest`. */
	optional: Record<string, string>;
	/** The optional parameter that the sentence of a 400 names. */
	refused(said: Said, sent: Wire): string | undefined;
	/** The body without what is refused, where it is not simply left out; `parameters` are what it was left out of. */
	without?(body: Wire, refusals: Refusals): { body: Wire; parameters: Wire; ignored: string[] };
}

/** Bytes of a response: far above any completion, far below the memory. */
const maxReplyBytes = 4 * 1024 * 1024;

export function httpProvider(
	{ id }: ModelName,
	{ apiKey, timeoutMs, account }: Parameters<OpenProvider>[1],
	form: Form,
): Provider {
	const fetchBounded = boundedFetch({ maxBytes: maxReplyBytes, secret: apiKey });
	const fault = createFault({ id, apiKey });
	const refusals = createRefusals(form.optional);
	const headers = Object.fromEntries(
		Object.entries({ "content-type": "application/json", accept: "application/json", ...form.headers }).flatMap(
			([name, value]) => (value === undefined ? [] : [[name, value]]),
		),
	);

	function reduced(body: Wire) {
		if (form.without) return form.without(body, refusals);
		const { left, ignored } = refusals.without(body);
		return { body: left, parameters: left, ignored };
	}

	/** Under a controller of its own: listeners are not left on a signal that may serve a whole run. */
	async function post(body: Wire, signal: AbortSignal | undefined): Promise<[Response, string]> {
		const controller = new AbortController();
		const forward = () => controller.abort(signal?.reason);
		if (signal?.aborted) forward();
		signal?.addEventListener("abort", forward, { once: true });
		const timer = setTimeout(() => controller.abort(), timeoutMs);
		try {
			const sent = { method: "POST", headers, body: JSON.stringify(body), signal: controller.signal };
			const response = await fetchBounded(form.address, sent);
			return [response, await response.text()];
		} finally {
			clearTimeout(timer);
			signal?.removeEventListener("abort", forward);
		}
	}

	async function send(whole: Wire, signal: AbortSignal | undefined): Promise<Sent | Failure> {
		const { body, parameters, ignored } = reduced(whole);
		try {
			const [response, text] = await post(body, signal);
			if (response.ok) return { raw: parsed(text), ...(ignored.length > 0 && { ignored }) };
			const said = saidOf(text);
			if (response.status === 400 && refusals.learn(form.refused(said, parameters), parameters))
				return await send(whole, signal);
			return refusal(response, said);
		} catch (error) {
			signal?.throwIfAborted();
			return { error: brokenOff(error) };
		}
	}

	function refusal({ status, headers: answered }: Response, said: Said): Failure {
		const text = `HTTP ${status}: ${said.message}${toldBy(said)}`;
		return {
			error: fault(text, { status, retryable: mayPass(status) && !said.spent }),
			retryAfterMs: retryAfter(answered) ?? said.retryAfterMs,
		};
	}

	function brokenOff(error: unknown) {
		if (error instanceof ReplyTooLong) return fault(error.message);
		if (error instanceof Error && error.name === "AbortError")
			return fault(`no reply within ${timeoutMs / 1000} s`, { retryable: true });
		const cause = (error instanceof Error ? causeOf(error) : new Error(String(error))) as Error & { code?: unknown };
		// A header that cannot be sent, and no connection at all, both come as a TypeError: only the latter has a cause.
		const connected = error instanceof Error && error.cause !== undefined;
		const reason = typeof cause.code === "string" ? cause.code : cause.message;
		return connected ? fault(`the connection failed: ${reason}`, { retryable: true }) : fault(cause.message);
	}

	return {
		id,
		account,
		version: "1",
		async body(request: ChatRequest) {
			checkRequest(request);
			return await form.body(request);
		},
		send: (body, { signal }) => send(body, signal),
		read: form.read,
		fault,
	};
}

/** JSON, or the text itself for the reader to complain about. */
function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

/** What a server says of its refusal. */
export interface Said {
	message: string;
	code?: string | undefined;
	/** The parameter that it complains of, where it says so apart from its sentence. */
	parameter?: string | undefined;
	/** The wait that it asks for in its body. */
	retryAfterMs?: number | undefined;
	/** Of an allowance that no wait of seconds brings back. */
	spent: boolean;
}

const word = z.string().optional().catch(undefined);
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
	param: word,
	details: z.array(Detail).optional().catch(undefined),
});

/**
 * OpenAI, Anthropic and Google send `{"error":{"message":…}}`; vLLM and SGLang `{"object":"error","message":…}`; servers
 * made with FastAPI `{"detail":…}`. Of whatever else was sent the beginning is told.
 */
export function saidOf(text: string): Said {
	const body = z.looseObject({ error: z.unknown().optional() }).safeParse(parsed(text)).data;
	const { message, detail, code, param, details = [] } = ErrorBody.safeParse(body?.error ?? body).data ?? {};
	const delay = details.flatMap(({ retryDelay }) => /^(\d+(?:\.\d+)?)s$/.exec(retryDelay ?? "")?.[1] ?? []).at(0);
	const perDay = details.some(({ violations }) => violations?.some(({ quotaId }) => /per_?day/i.test(quotaId ?? "")));
	const told = message ?? (typeof detail === "string" || detail === undefined ? detail : JSON.stringify(detail));
	return {
		message: told ?? (typeof body?.error === "string" ? body.error : text.slice(0, 400)),
		code,
		parameter: param,
		retryAfterMs: delay === undefined ? undefined : Number(delay) * 1000,
		// a spent allowance also answers 429
		spent: perDay || code === "insufficient_quota",
	};
}

/** A code that says what its sentence does not: that the context is full. */
const toldBy = ({ code, message }: Said) =>
	code !== undefined && /^(?:context_length_exceeded|exceed_context_size)/.test(code) && !message.includes(code)
		? ` (${code})`
		: "";
