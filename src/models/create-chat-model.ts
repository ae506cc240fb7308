import { createHash } from "node:crypto";
import type { ChatModel, ChatReply, ChatRequest } from "./chat-model.ts";
import { checkedKey } from "./model-access.ts";
import { ModelError } from "./model-error.ts";
import { parseModelName } from "./model-name.ts";
import { costOf } from "./prices.ts";
import type { CachedReplies, Limiter, Price, Provider, Sent } from "./provider.ts";
import { providers } from "./providers.ts";
import { requestKey, wireKey } from "./request-key.ts";
import { type Failure, withRetries } from "./retry.ts";
import { estimatedUsage, messageTokens } from "./usage.ts";

type Read = Omit<ChatReply, "ms">;

/**
 * A chat model by name: `openai:gpt-5`, `anthropic:NAME`, `google:NAME`, or one of these with a server of the same form,
 * e.g. `openai:NAME@http://127.0.0.1:1234/v1` for whatever speaks OpenAI's chat completions (vLLM, SGLang, llama.cpp,
 * Ollama, …). `timeoutMs` bounds one attempt, body included. What may pass (connection faults, timeouts, limits, 5xx, bodies
 * that are no reply) is asked for again for `retryFor` milliseconds, three minutes by default. `cache` answers a request that was answered before; `limiter` holds back what an account
 * does not allow, each attempt by itself; `price` makes usage into money. Nothing is read from the environment.
 */
export function createChatModel(
	name: string,
	options: {
		baseUrl?: string | undefined;
		apiKey?: string | undefined;
		timeoutMs?: number;
		retryFor?: number | undefined;
		cache?: CachedReplies | undefined;
		limiter?: Limiter | undefined;
		price?: Price | undefined;
	} = {},
): ChatModel {
	const parsed = parseModelName(name, { baseUrl: options.baseUrl });
	const { timeoutMs = 180_000, retryFor, cache, limiter, price } = options;
	// In a replay nothing is sent.
	const apiKey = cache?.only ? options.apiKey?.trim() || undefined : checkedKey(parsed, options.apiKey);
	const provider = providers[parsed.provider](parsed, {
		apiKey,
		timeoutMs,
		account: `${parsed.provider}@${parsed.baseUrl}#${hashed(apiKey)}`,
	});

	const hearing = {};

	async function ask(
		request: ChatRequest,
		body: Record<string, unknown>,
		signal: AbortSignal | undefined,
	): Promise<Read & { sent: Sent }> {
		const once = () => attempt(provider, body, request, signal);
		const limited = limiter
			? () => limiter.run(provider.account, once, { signal, tokens: guessedTokens(request) })
			: once;
		return await withRetries(limited, { retryFor, signal, hearing });
	}

	return {
		id: provider.id,
		async complete(request, { signal } = {}) {
			signal?.throwIfAborted();
			const started = performance.now();
			const place = cache && requestKey(provider, request);
			const kept =
				place && (await fromCache(cache, { provider, request, key: place.key, priced: price !== undefined }));
			if (kept) return { ...kept, ms: performance.now() - started };
			const body = await provider.body(request);
			const { sent, ...reply } = await ask(request, body, signal);
			if (place && isKeepable(reply))
				await cache.put(place.key, sent, { ...place.about, wire: wireKey(body, parsed.model) });
			const usage = price ? { ...reply.usage, cost: costOf(reply.usage, price) } : reply.usage;
			return { ...reply, usage, ms: performance.now() - started };
		},
	};
}

/** One request sent and read; a reply that is none is a failure like any other. */
async function attempt(
	provider: Provider,
	body: Record<string, unknown>,
	request: ChatRequest,
	signal: AbortSignal | undefined,
): Promise<{ value: Read & { sent: Sent }; tokens: number } | Failure> {
	const began = performance.now();
	const sent = await provider.send(body, signal ? { signal } : {});
	const ms = performance.now() - began;
	if ("error" in sent) return { ...sent, ms };
	try {
		const reply = readSent(provider, sent, request);
		return { value: { ...reply, sent }, tokens: reply.usage.inputTokens + reply.usage.outputTokens };
	} catch (error) {
		if (error instanceof ModelError) return { error: provider.fault(error.message, error), ms };
		throw error;
	}
}

function readSent(provider: Provider, sent: Sent, request: ChatRequest): Read {
	const read = provider.read(sent, request);
	const reply = { ...read, usage: read.usage ?? estimatedUsage(request, read) };
	const ignored = [...new Set([...(sent.ignored ?? []), ...(reply.ignored ?? [])])];
	return ignored.length > 0 ? { ...reply, ignored } : reply;
}

/** A cached reply that can no longer be read counts as none. */
async function fromCache(
	cache: CachedReplies,
	{ provider, request, key, priced }: { provider: Provider; request: ChatRequest; key: string; priced: boolean },
): Promise<Read | undefined> {
	const sent = await cache.get(key);
	if (sent) {
		try {
			const reply = readSent(provider, sent, request);
			// without a price the cost stays absent: a 0 would make a sum with calls of unknown cost look known
			return { ...reply, usage: { ...reply.usage, kept: 1, ...(priced ? { cost: 0 } : {}) }, kept: true };
		} catch (error) {
			if (!(error instanceof ModelError)) throw error;
		}
	}
	if (!cache.only) return undefined;
	throw new ModelError(
		`${provider.id}: no response is cached for this request (key ${key}); run it once with the network on and the same settings, or replay what was cached`,
	);
}

/** A refusal, or nothing before the token limit, may be luck: it is asked for anew. */
const isKeepable = ({ finish, text, calls }: Read) => finish !== "other" && (text !== "" || calls !== undefined);

/** Roughly what a request takes of an allowance by the minute. */
const guessedTokens = ({ messages, maxTokens = 500 }: ChatRequest) => messageTokens(messages) + maxTokens;

const hashed = (apiKey: string | undefined) =>
	apiKey === undefined ? "" : createHash("sha256").update(apiKey).digest("hex").slice(0, 12);
