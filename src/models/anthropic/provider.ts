import { type ClientErrors, failureOf } from "../client-failure.ts";
import { clientFetch } from "../client-fetch.ts";
import { createFault } from "../fault.ts";
import { withForwardedAbort } from "../forwarded-abort.ts";
import type { OpenProvider } from "../open-provider.ts";
import type { Sent } from "../provider.ts";
import { createRefusals } from "../refusals.ts";
import { checkRequest } from "../request-check.ts";
import type { Failure } from "../retry.ts";
import { readMessage } from "./reply.ts";
import { messagesBody } from "./request.ts";

/** `top_p` first: a model that takes either temperature or `top_p` names both. */
const optional = {
	top_p: "topP",
	temperature: "temperature",
	stop_sequences: "stop",
	output_config: "output",
};

type Library = typeof import("@anthropic-ai/sdk");

/** The Messages API: Anthropic's own, and servers that speak it. */
export const openAnthropic: OpenProvider = ({ id, model, baseUrl }, { apiKey, timeoutMs, account }) => {
	let opening: ReturnType<typeof open> | undefined;
	async function open() {
		// Loaded when first used: that takes some tenths of a second.
		const library = await import("@anthropic-ai/sdk");
		return { client: createClient(library, baseUrl, apiKey, timeoutMs), errors: errorsOf(library) };
	}
	const fault = createFault({ id, apiKey });
	const refusals = createRefusals(optional);

	async function send(body: Record<string, unknown>, signal: AbortSignal | undefined): Promise<Sent | Failure> {
		opening ??= open();
		const { client, errors } = await opening;
		const { left, ignored } = refusals.without(body);
		try {
			const raw: unknown = await withForwardedAbort(signal, (controller) =>
				client.post("/v1/messages", { body: left, signal: controller.signal, timeout: timeoutMs }),
			);
			return { raw, ...(ignored.length > 0 && { ignored }) };
		} catch (error) {
			signal?.throwIfAborted();
			const answered = errors.status(error);
			const refused = answered?.status === 400 ? refusedParameter(answered.message, left) : undefined;
			if (refusals.learn(refused, left)) return await send(body, signal);
			return failureOf(error, { fault, timeoutMs, errors });
		}
	}

	return {
		id,
		account,
		version: "1",
		async body(request) {
			checkRequest(request);
			return await messagesBody(request, { model });
		},
		send: (body, { signal }) => send(body, signal),
		read: ({ raw }, request) => readMessage(raw, { asked: model, request }),
		fault,
	};
};

function createClient({ default: Anthropic }: Library, baseUrl: string, apiKey: string | undefined, timeoutMs: number) {
	return new Anthropic({
		// The client adds /v1 by itself.
		baseURL: baseUrl.replace(/\/v1$/, ""),
		// Always given: without one the client looks for credentials in the environment and in files.
		apiKey: apiKey ?? "none",
		defaultHeaders: {
			Authorization: null,
			"X-Api-Key": apiKey ?? null,
			// The later version takes no temperature from any model; with this one each model decides.
			"anthropic-version": "2023-06-01",
		},
		webhookKey: null,
		logLevel: "off",
		maxRetries: 0,
		openTelemetry: false,
		timeout: timeoutMs,
		fetch: clientFetch(apiKey),
	});
}

/** The API names what it refuses only in its message: "temperature: Extra inputs …", "`top_p` is deprecated …". */
function refusedParameter(message: string, sent: Record<string, unknown>): string | undefined {
	return Object.keys(optional).find((name) => name in sent && new RegExp(`(^|\`)${name}\\b`).test(message));
}

function errorsOf({ APIError, APIConnectionError, APIConnectionTimeoutError }: Library): ClientErrors {
	return {
		timedOut: (error) => error instanceof APIConnectionTimeoutError,
		disconnected: (error): error is Error => error instanceof APIConnectionError,
		status: (error) =>
			error instanceof APIError && error.status !== undefined
				? { status: error.status, message: messageOf(error.error) ?? error.message, headers: error.headers }
				: undefined,
	};
}

/** The sentence inside `{type: "error", error: {type, message}}`. */
function messageOf(body: unknown): string | undefined {
	const inner = (body as { error?: { message?: unknown } } | undefined)?.error?.message;
	return typeof inner === "string" ? inner : undefined;
}
