import { parseJson } from "#domain";
import type { GoodReply } from "./served-reply.ts";

/** The form of one provider, as a server speaks it: a family with an entry for each. */
export interface ServedForm {
	/** The stop strings of a request. */
	stops(body: Record<string, unknown>): string[];
	reply(reply: GoodReply, about: { model: string; n: number }): object;
	error(status: number, about: { message: string; code?: string | undefined; param?: string | undefined }): object;
}

type Call = NonNullable<GoodReply["calls"]>[number];

const asText = ({ arguments: given }: Call) => (typeof given === "string" ? given : JSON.stringify(given));

function asObject({ arguments: given }: Call): unknown {
	return typeof given === "string" ? (parseJson(given) ?? {}) : given;
}

const strings = (value: unknown): string[] =>
	Array.isArray(value) ? value.filter((one): one is string => typeof one === "string") : [];

const openai: ServedForm = {
	stops: ({ stop }) => (typeof stop === "string" ? [stop] : strings(stop)),
	reply({ text, calls, thought, logprobs, stopped, finish, usage }, { model, n }) {
		const message = {
			role: "assistant",
			content: text,
			...(thought !== undefined && { reasoning_content: thought }),
			...(calls && {
				tool_calls: calls.map((call, index) => ({
					id: call.id ?? `call_${n}_${index}`,
					type: "function",
					function: { name: call.name, arguments: asText(call) },
				})),
			}),
		};
		const choice = {
			index: 0,
			message,
			finish_reason: finish ?? (calls ? "tool_calls" : "stop"),
			...(stopped !== undefined && { stop_reason: stopped }),
			...(logprobs && { logprobs: { content: logprobs } }),
		};
		return {
			id: `chatcmpl-${n}`,
			object: "chat.completion",
			created: 0,
			model,
			choices: [choice],
			usage: usage ?? { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
		};
	},
	error: (_status, about) => ({ error: about }),
};

const anthropicFinishes: Record<string, string> = {
	stop: "end_turn",
	length: "max_tokens",
	tool_calls: "tool_use",
	content_filter: "refusal",
};

const anthropic: ServedForm = {
	stops: ({ stop_sequences }) => strings(stop_sequences),
	reply({ text, calls = [], thought, signature, stopped, finish, usage }, { model, n }) {
		const ended = finish ?? (calls.length > 0 ? "tool_calls" : "stop");
		return {
			id: `msg_${n}`,
			type: "message",
			role: "assistant",
			model,
			content: [
				...(thought === undefined ? [] : [{ type: "thinking", thinking: thought, signature: signature ?? "" }]),
				...(text === "" ? [] : [{ type: "text", text, citations: null }]),
				...calls.map((call, index) => ({
					type: "tool_use",
					id: call.id ?? `toolu_${n}_${index}`,
					name: call.name,
					input: asObject(call),
				})),
			],
			stop_reason: stopped === undefined ? (anthropicFinishes[ended] ?? ended) : "stop_sequence",
			stop_sequence: stopped ?? null,
			usage: usage ?? { input_tokens: 10, output_tokens: 5 },
		};
	},
	error: (status, { message }) => ({
		type: "error",
		error: { type: status === 429 ? "rate_limit_error" : status === 529 ? "overloaded_error" : "api_error", message },
	}),
};

const googleFinishes: Record<string, string> = {
	stop: "STOP",
	length: "MAX_TOKENS",
	tool_calls: "STOP",
	content_filter: "SAFETY",
};

const google: ServedForm = {
	stops: ({ generationConfig }) =>
		strings((generationConfig as { stopSequences?: unknown } | undefined)?.stopSequences),
	reply({ text, calls = [], thought, signature, logprobs, finish = "stop", usage }, { model }) {
		const signed = signature !== undefined && { thoughtSignature: signature };
		return {
			candidates: [
				{
					index: 0,
					content: {
						role: "model",
						parts: [
							...(thought === undefined ? [] : [{ text: thought, thought: true }]),
							...(text === "" ? [] : [{ text, ...(calls.length === 0 && signed) }]),
							...calls.map((call, index) => ({
								functionCall: { name: call.name, args: asObject(call), ...(call.id && { id: call.id }) },
								...(index === 0 && signed),
							})),
						],
					},
					finishReason: googleFinishes[finish] ?? finish,
					...(logprobs && {
						logprobsResult: {
							chosenCandidates: logprobs.map(({ token, logprob }) => ({ token, logProbability: logprob })),
						},
					}),
				},
			],
			usageMetadata: usage ?? { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
			modelVersion: model,
		};
	},
	error: (status, { message }) => ({ error: { code: status, message, status: "ERROR" } }),
};

export const servedForms = { openai, anthropic, google } satisfies Record<string, ServedForm>;
export type ServedFormName = keyof typeof servedForms;

/** The form that a path asks for; chat completions for whatever else a test asks. */
export function formOf(path: string): ServedFormName {
	if (path.endsWith("/messages")) return "anthropic";
	return /:generateContent$/.test(path) ? "google" : "openai";
}
