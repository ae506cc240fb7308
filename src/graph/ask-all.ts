import { noUsage, type Usage } from "#domain";
import { type ChatModel, type ChatRequest, ModelError } from "#models";
import { openReplyCache } from "./reply-cache.ts";

/** One request, with the key that its reply is kept under. */
export interface Ask {
	key: string;
	/** What it is about, for who reads the cache. */
	evidence: string;
	/** Hash of the prompt. */
	prompt: string;
	request: ChatRequest;
}

export interface AskOptions {
	model: ChatModel;
	/** JSON-lines file of replies: made where it is missing, continued where it is not. */
	cache: string;
	/** Calls at the same time. */
	concurrency?: number;
	/** Stops cleanly after so many calls of this process. */
	maxCalls?: number;
	signal?: AbortSignal;
	onProgress?: (progress: { done: number; reused: number; failed: number; usage: Usage }) => void;
}

/** How the asking ended. */
export interface AskEnd {
	/** Requests that were come to. */
	texts: number;
	/** Of those, replied to before. */
	reused: number;
	/** Calls that failed in this process. */
	failed: number;
	/** Of this process. */
	usage: Usage;
	/** done: everything was tried; failing: the model failed so often in a row that the rest was not tried. */
	reason: "done" | "interrupted" | "budget" | "failing";
	/** The last failure, in words. */
	error?: string;
	/** Unreadable lines of the cache. */
	damaged: number;
}

/** So many failures in a row are the server's, not the texts'. */
const mostFailures = 10;
/** A reply is kept to this length; none that can be read is longer. */
const longestKept = 1_000_001;

/**
 * Makes each request once and appends its reply to the cache; what was replied to before, in a way that
 * `serves`, is not asked again. A failing
 * call is recorded and does not stop the rest. An abort ends it cleanly, with everything replied so far on disk.
 */
export async function askAll(
	asks: AsyncIterable<Ask>,
	options: AskOptions & { serves?: ((reply: string) => boolean) | undefined },
): Promise<AskEnd> {
	const { model, concurrency = 4, maxCalls = Number.POSITIVE_INFINITY, signal } = options;
	const cache = await openReplyCache(options.cache, { serves: options.serves });
	const end: AskEnd = { texts: 0, reused: 0, failed: 0, usage: noUsage, reason: "done", damaged: cache.damaged };
	// one iterator serves all workers: a generator answers its callers in turn
	const pending = asks[Symbol.asyncIterator]();
	let started = 0;
	let inARow = 0;
	let done = 0;

	async function ask({ request, ...rest }: Ask): Promise<void> {
		const about = { ...rest, model: model.id };
		const from = performance.now();
		try {
			const reply = await model.complete(request, signal ? { signal } : {});
			inARow = 0;
			end.usage = sumOf(end.usage, reply.usage);
			const { text, finish, usage, ms } = reply;
			await cache.append({ ...about, reply: text.slice(0, longestKept), finish, usage, ms });
		} catch (error) {
			if (signal?.aborted) return;
			if (!(error instanceof ModelError)) throw error;
			inARow += 1;
			end.failed += 1;
			end.error = error.message.slice(0, 1000);
			await cache.append({ ...about, error: end.error, usage: noUsage, ms: performance.now() - from });
		}
	}

	async function work(): Promise<void> {
		while (end.reason === "done") {
			if (signal?.aborted) end.reason = "interrupted";
			else if (inARow >= mostFailures) end.reason = "failing";
			if (end.reason !== "done") return;
			const next = await pending.next();
			if (next.done) return;
			end.texts += 1;
			if (cache.has(next.value.key)) end.reused += 1;
			else if (started >= maxCalls) {
				end.reason = "budget";
				return;
			} else {
				started += 1;
				await ask(next.value);
			}
			if (signal?.aborted) continue;
			done += 1;
			options.onProgress?.({ done, reused: end.reused, failed: end.failed, usage: end.usage });
		}
	}

	try {
		const workers = await Promise.allSettled(Array.from({ length: Math.max(1, concurrency) }, work));
		for (const worker of workers) if (worker.status === "rejected") throw worker.reason;
		return end;
	} finally {
		await pending.return?.(undefined);
		await cache.close();
	}
}

/** Usage of several calls together. */
export function sumOf(a: Usage, b: Usage): Usage {
	const cached = (a.cachedTokens ?? 0) + (b.cachedTokens ?? 0);
	const reasoning = (a.reasoningTokens ?? 0) + (b.reasoningTokens ?? 0);
	return {
		calls: a.calls + b.calls,
		inputTokens: a.inputTokens + b.inputTokens,
		outputTokens: a.outputTokens + b.outputTokens,
		...(cached > 0 ? { cachedTokens: cached } : {}),
		...(reasoning > 0 ? { reasoningTokens: reasoning } : {}),
	};
}
