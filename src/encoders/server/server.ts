import { HopscopeError, usageError } from "#domain";
import { jsonPoster, ModelError, parseModelName, withRetries } from "#models";

export interface ServerOptions {
	/** Default: the environment's `OPENAI_API_KEY`. Sent to the server that is named, and to none that it points to. */
	apiKey?: string | undefined;
	/** Of one request, in milliseconds. */
	timeoutMs?: number;
	/** Milliseconds for which a failing server is asked again. */
	retryFor?: number;
	/** Requests under way at once. */
	concurrency?: number;
}

/** A server of vectors. */
export interface Server {
	model: string;
	/** How many requests it is sent at once. */
	concurrency: number;
	/** Posts JSON, with retries where they may help, and gives the reply's JSON. Failures are `HopscopeError`s. */
	post(path: string, body: object, signal: AbortSignal | undefined): Promise<unknown>;
}

/** 64 texts × 4,096 dimensions are 6 MB of digits, a page of 20,000 vectors × 128 is 56 MB; more is no answer to what was asked. */
const maxReplyBytes = 64 * 1024 * 1024;

/** `model` is MODEL@http://host/v1; `kind` is what its name began with. */
export function openServer(kind: string, model: string, options: ServerOptions): Server {
	const { timeoutMs = 120_000, retryFor, concurrency = 4 } = options;
	if (kind === "server" && !model.includes("@"))
		throw usageError("bad-encoder", `"server:${model}" names no server`, 'Write "server:MODEL@http://host:8000".');
	const named = parseModelName(`openai:${model}`);
	const apiKey = (options.apiKey ?? process.env.OPENAI_API_KEY)?.trim() || undefined;
	if (apiKey === undefined && !named.local)
		throw usageError(
			"missing-key",
			`${kind}:${model} needs a key, and there is none`,
			"Set the environment variable OPENAI_API_KEY to the server's key.",
		);
	const post = jsonPoster({
		headers: { authorization: apiKey && `Bearer ${apiKey}` },
		timeoutMs,
		maxBytes: maxReplyBytes,
		fault: (text, about) => new ModelError(text, about),
	});

	const hearing = {};
	async function attempt(path: string, body: object, signal: AbortSignal | undefined) {
		const posted = await post(`${named.baseUrl}${path}`, body, signal);
		if (!("raw" in posted)) return posted;
		if (typeof posted.raw !== "string") return { value: posted.raw };
		const error = `the reply is no JSON but starts "${posted.raw.trim().slice(0, 60)}"`;
		return { error: new ModelError(error, { kind: "transient" }) };
	}

	return {
		model: named.model,
		concurrency,
		async post(path, body, signal) {
			signal?.throwIfAborted();
			try {
				return await withRetries(() => attempt(path, body, signal), { retryFor, signal, hearing });
			} catch (error) {
				if (error instanceof ModelError) throw told(error);
				throw error;
			}
		},
	};

	function told(error: ModelError): HopscopeError {
		const line = (apiKey ? error.message.replaceAll(apiKey, "[key]") : error.message)
			.replace(/\s+/g, " ")
			.slice(0, 400);
		const remedy =
			error.status === 401 || error.status === 403
				? "Set OPENAI_API_KEY to the server's key."
				: error.status === 404
					? "Check the model's name and the address: OpenAI's form ends in /v1."
					: "Check that the server runs and serves this model, then run it again: what was encoded is kept.";
		return new HopscopeError("encoder-failed", `${kind}:${named.model} at ${named.baseUrl}: ${line}`, remedy, {
			facts: { status: error.status, message: line },
		});
	}
}
