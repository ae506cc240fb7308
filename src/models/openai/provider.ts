import { type ClientErrors, failureOf, type StatusError } from "../client-failure.ts";
import { clientFetch } from "../client-fetch.ts";
import { createFault } from "../fault.ts";
import { withForwardedAbort } from "../forwarded-abort.ts";
import type { OpenProvider } from "../open-provider.ts";
import type { Sent } from "../provider.ts";
import { createRefusals } from "../refusals.ts";
import { cannotContinue, checkRequest } from "../request-check.ts";
import type { Failure } from "../retry.ts";
import { framingErrors } from "./flat-errors.ts";
import { readCompletion } from "./reply.ts";
import { completionBody } from "./request.ts";

/** The token limit has an older and a newer name; OpenAI's own reasoning models take the newer alone. */
const limits = ["max_tokens", "max_completion_tokens"] as const;

const optional = {
	max_tokens: "maxTokens",
	max_completion_tokens: "maxTokens",
	stop: "stop",
	temperature: "temperature",
	top_p: "topP",
	seed: "seed",
	logprobs: "logprobs",
	response_format: "output",
};

type Library = typeof import("openai");

/** Chat completions: OpenAI, vLLM, SGLang, llama.cpp, Ollama, OpenRouter, … */
export const openOpenai: OpenProvider = ({ id, model, baseUrl, official }, { apiKey, timeoutMs, account }) => {
	let opening: ReturnType<typeof open> | undefined;
	async function open() {
		// Loaded when first used: that takes some tenths of a second.
		const library = await import("openai");
		return { client: createClient(library, baseUrl, apiKey, timeoutMs), errors: errorsOf(library) };
	}
	const fault = createFault({ id, apiKey });
	const refusals = createRefusals(optional);
	const limit = limits[official ? 1 : 0];

	/** Under the name of the token limit that this model takes. */
	function renamed(body: Record<string, unknown>): Record<string, unknown> {
		const other = limits[official ? 0 : 1];
		if (!(limit in body) || !refusals.has(limit) || refusals.has(other)) return body;
		const { [limit]: most, ...rest } = body;
		return { ...rest, [other]: most };
	}

	async function send(body: Record<string, unknown>, signal: AbortSignal | undefined): Promise<Sent | Failure> {
		opening ??= open();
		const { client, errors } = await opening;
		const { left, ignored } = refusals.without(renamed(body));
		try {
			const raw: unknown = await withForwardedAbort(signal, (controller) =>
				client.post("/chat/completions", { body: left, signal: controller.signal }),
			);
			return { raw, ...(ignored.length > 0 && { ignored }) };
		} catch (error) {
			signal?.throwIfAborted();
			if (refusals.learn(refusedParameter(errors.status(error)), left)) return await send(body, signal);
			return failureOf(error, { fault, timeoutMs, errors });
		}
	}

	return {
		id,
		account,
		version: "1",
		async body(request) {
			checkRequest(request);
			if (request.continues && official) throw cannotContinue(id);
			return completionBody(request, { model, limit });
		},
		send: (body, { signal }) => send(body, signal),
		read: ({ raw }) => readCompletion(raw, { asked: model }),
		fault,
	};
};

function createClient({ default: OpenAI }: Library, baseUrl: string, apiKey: string | undefined, timeoutMs: number) {
	return new OpenAI({
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
		fetch: framingErrors(clientFetch(apiKey)),
	});
}

function refusedParameter(answered: StatusError | undefined): string | undefined {
	if (answered?.status !== 400) return undefined;
	const refuses = answered.code === "unsupported_parameter" || answered.code === "unsupported_value";
	return refuses ? (answered.parameter ?? undefined) : undefined;
}

function errorsOf({ APIError, APIConnectionError, APIConnectionTimeoutError }: Library): ClientErrors {
	return {
		timedOut: (error) => error instanceof APIConnectionTimeoutError,
		disconnected: (error): error is Error => error instanceof APIConnectionError,
		status(error) {
			if (!(error instanceof APIError) || error.status === undefined) return undefined;
			const { status, message, headers, code, param: parameter } = error;
			return { status, message, headers, code, parameter };
		},
	};
}
