import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { parseJson, setField } from "#domain";
import { costOf, estimatedUsage } from "#models";
import type { Upstream } from "../agent-context.ts";
import type { Dialect, ModelReply } from "./dialects/dialect.ts";
import { eventsOf } from "./stream-lines.ts";
import type { Transcript } from "./transcript.ts";

/** Longest reply that is passed on, in bytes. */
const longestReply = 32 * 1024 * 1024;
/** A shorter key may be an ordinary word, as local servers want, and may not be cut out of replies. */
const shortestSecret = 16;

/** Of the program's headers these go on, of the provider's those come back; keys and cookies are neither. */
const sentOn = /^(content-type|accept|anthropic-version|anthropic-beta|openai-beta)$/;
const handedBack =
	/^(content-type|retry-after|retry-after-ms|x-should-retry|(x-)?request-id|(anthropic-|x-)ratelimit-[\w-]+)$/;

/** What became of the model requests of one task. */
export interface ModelProxy {
	/** Requests refused since no more were allowed. */
	readonly refused: number;
	/** What the provider last failed with, if it has not answered since. */
	readonly failure: { message: string; status?: number } | undefined;
	/** Passes a request on as it is, with the user's key, and its answer back as it comes; records both. */
	pass(
		request: { dialect: Dialect; body: Buffer; headers: IncomingHttpHeaders },
		response: ServerResponse,
	): Promise<void>;
}

export function createModelProxy(
	upstream: Upstream,
	options: { transcript: Transcript; most: number; signal: AbortSignal },
): ModelProxy {
	const { transcript, most, signal } = options;
	let asked = 0;
	let refused = 0;
	let failure: ModelProxy["failure"];

	async function pass({ dialect, body, headers }: Parameters<ModelProxy["pass"]>[0], response: ServerResponse) {
		if (asked >= most) {
			refused += 1;
			const message = `all ${most} model requests of this task are spent`;
			// clients try a 429 again unless they are told not to
			return sendJson(response, 429, dialect.error({ code: "budget-spent", message }), { "x-should-retry": "false" });
		}
		asked += 1;
		const request = parseJson(body.toString("utf8"));
		const question = dialect.request(request, transcript.image);
		const conversation = transcript.asked(question);
		const gone = new AbortController();
		const left = () => gone.abort();
		response.once("close", left);
		const from = performance.now();
		try {
			const secrets = upstream.headers();
			const reply = await fetch(`${upstream.baseUrl.replace(/\/+$/, "")}${dialect.path}`, {
				method: "POST",
				body: new Uint8Array(body),
				headers: { ...chosen(headers, sentOn), ...secrets },
				// the request carries the key, and goes to the configured server only
				redirect: "manual",
				signal: AbortSignal.any([signal, gone.signal]),
			});
			const said = await hand(reply, response, Object.values(secrets));
			if (!reply.ok) {
				failure = { message: `${upstream.model}: status ${reply.status}: ${said.slice(0, 300)}`, status: reply.status };
				return;
			}
			failure = undefined;
			const streamed = isStream(reply);
			const read = streamed ? dialect.streamed(eventsOf(said)) : dialect.reply(parseJson(said));
			const usage = read.usage.inputTokens > 0 ? read.usage : estimatedUsage(question, read);
			transcript.answered(conversation, withCost({ ...read, usage }, request), { ms: performance.now() - from });
		} catch (error) {
			if (signal.aborted || gone.signal.aborted) return void response.destroy();
			failure = { message: `${upstream.model}: ${reasonOf(error)}` };
			if (response.headersSent) return void response.destroy();
			sendJson(response, 502, dialect.error({ code: "upstream-failed", message: failure.message }));
		} finally {
			response.off("close", left);
			// what is left of the reply is not wanted
			gone.abort();
		}
	}

	function withCost(reply: ModelReply, request: unknown): ModelReply {
		const { model } = (request ?? {}) as { model?: unknown };
		const price = upstream.price?.(typeof model === "string" ? model : undefined);
		return price ? { ...reply, usage: { ...reply.usage, cost: costOf(reply.usage, price) } } : reply;
	}

	return {
		get refused() {
			return refused;
		},
		get failure() {
			return failure;
		},
		pass,
	};
}

/** Sends a provider's answer on: a stream piece by piece, all else whole. Returns its text. */
async function hand(reply: Response, response: ServerResponse, secrets: string[]): Promise<string> {
	const streamed = isStream(reply);
	const head = chosen(headersOf(reply), handedBack);
	const pieces: Uint8Array[] = [];
	let length = 0;
	if (streamed) response.writeHead(reply.status, head).flushHeaders();
	const reader = reply.body?.getReader();
	for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
		const piece = next.value;
		length += piece.byteLength;
		if (length > longestReply) throw new Error(`the reply is longer than ${longestReply} bytes`);
		pieces.push(piece);
		if (streamed && !response.write(piece)) await drained(response);
	}
	const text = Buffer.concat(pieces).toString("utf8");
	if (streamed) response.end();
	else {
		const safe = withoutSecrets(text, secrets);
		response.writeHead(reply.status, head).end(safe === text ? Buffer.concat(pieces) : safe);
		return safe;
	}
	return text;
}

function headersOf(reply: Response): Record<string, string> {
	const headers: Record<string, string> = {};
	reply.headers.forEach((value, name) => {
		setField(headers, name, value);
	});
	return headers;
}

const isStream = (reply: Response) => /^text\/event-stream/i.test(reply.headers.get("content-type") ?? "");

/** Resolves when there is room again, or nobody reads any more. */
function drained(response: ServerResponse): Promise<void> {
	return new Promise((resolve) => {
		const done = () => {
			response.off("drain", done).off("close", done);
			resolve();
		};
		response.once("drain", done).once("close", done);
		if (response.destroyed) done();
	});
}

/** A server that echoes the key must not hand it to the program. */
function withoutSecrets(text: string, secrets: string[]): string {
	let safe = text;
	for (const secret of secrets) {
		const bare = secret.replace(/^Bearer\s+/i, "");
		if (bare.length >= shortestSecret) safe = safe.replaceAll(bare, "[key]");
	}
	return safe;
}

function chosen(headers: IncomingHttpHeaders, which: RegExp): Record<string, string> {
	const kept = Object.entries(headers).flatMap(([name, value]) =>
		which.test(name) && typeof value === "string" ? [[name, value]] : [],
	);
	return Object.fromEntries(kept) as Record<string, string>;
}

/** `fetch` keeps what really happened in the cause. */
function reasonOf(error: unknown): string {
	const { message, cause } = error as Error & { cause?: { code?: string; message?: string } };
	return String(cause?.code ?? cause?.message ?? message).slice(0, 300);
}

function sendJson(response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void {
	response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}
