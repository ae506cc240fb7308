import OpenAI from "openai";
import { exitCodes, HopscopeError } from "#domain";
import { boundedFetch } from "./bounded-fetch.ts";
import type { ChatModel, ChatReply, ChatRequest } from "./chat-model.ts";
import { parseModelName } from "./model-name.ts";
import { failureOf } from "./openai-failure.ts";
import { readCompletion } from "./openai-reply.ts";
import { requestBuilder } from "./openai-request.ts";
import { type Failure, withRetries } from "./retry.ts";

/** Bytes of a response: far above any completion, far below the memory. */
const maxReplyBytes = 4 * 1024 * 1024;

/**
 * A chat model by name: `openai:gpt-5`, or `openai:NAME@http://127.0.0.1:1234/v1` for any server that speaks OpenAI's
 * chat completions (vLLM, SGLang, llama.cpp, Ollama, …). `timeoutMs` bounds one attempt, body included. Connection
 * faults, timeouts, 408, 409, 429 and 5xx are retried up to `retries` times. Nothing is read from the environment.
 */
export function createChatModel(
	name: string,
	options: { baseUrl?: string; apiKey?: string; timeoutMs?: number; retries?: number } = {},
): ChatModel {
	const { id, model, baseUrl, official, local } = parseModelName(name, { baseUrl: options.baseUrl });
	const { timeoutMs = 180_000, retries = 4 } = options;
	const apiKey = options.apiKey?.trim() || undefined;
	if (apiKey === undefined && !local)
		throw new HopscopeError(
			"missing-key",
			`${id} needs a key, and there is none`,
			"Set the environment variable OPENAI_API_KEY to the provider's key.",
			{ exitCode: exitCodes.usage },
		);
	const client = new OpenAI({
		baseURL: baseUrl,
		apiKey: apiKey ?? "none",
		...(apiKey === undefined && { defaultHeaders: { Authorization: null } }),
		// Given, so that the client does not look for them in the environment.
		adminAPIKey: null,
		organization: null,
		project: null,
		webhookSecret: null,
		logLevel: "off",
		maxRetries: 0,
		timeout: timeoutMs,
		fetch: boundedFetch({ maxBytes: maxReplyBytes }),
	});
	const build = requestBuilder(model, { official });
	const explain = (error: unknown) => failureOf(error, { id, apiKey, timeoutMs });

	async function attempt(
		request: ChatRequest,
		signal: AbortSignal | undefined,
	): Promise<{ value: Omit<ChatReply, "ms"> } | Failure> {
		const { body, ignored } = build.body(request);
		// A controller of its own: the client never takes its listener off the signal, which may serve a whole run.
		const controller = new AbortController();
		const forward = () => controller.abort(signal?.reason);
		signal?.addEventListener("abort", forward, { once: true });
		try {
			const completion: unknown = await client.chat.completions.create(body, { signal: controller.signal });
			const reply = readCompletion(completion, { asked: model });
			return { value: ignored.length > 0 ? { ...reply, ignored } : reply };
		} catch (error) {
			signal?.throwIfAborted();
			return build.learn(error, body) ? await attempt(request, signal) : explain(error);
		} finally {
			signal?.removeEventListener("abort", forward);
		}
	}

	return {
		id,
		async complete(request, { signal } = {}) {
			signal?.throwIfAborted();
			const started = performance.now();
			const reply = await withRetries(() => attempt(request, signal), { retries, signal });
			return { ...reply, ms: performance.now() - started };
		},
	};
}
