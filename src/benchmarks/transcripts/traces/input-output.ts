import { answeredIn, argumentsIn, askedIn, queryIn } from "./asked.ts";
import { documentsIn } from "./documents.ts";
import { messagesIn } from "./messages.ts";
import type { Reading, SpanKind } from "./span.ts";
import { usageOf } from "./usage.ts";
import { fieldOf, firstField, opened, textIn } from "./values.ts";

/** A span that is told by its kind, what went in and what came out, as Langfuse and LangSmith have it. */
export interface InputOutput {
	kind: SpanKind;
	name: string;
	input: unknown;
	output: unknown;
	usage?: unknown;
	model?: unknown;
	session?: unknown;
	callId?: unknown;
}

export function readInputOutput({ kind, name, input: given, output: back, ...more }: InputOutput): Reading {
	const [input, output] = [opened(given), opened(back)];
	const reading: Reading = {
		...{ kind, input: askedIn(input), output: answeredIn(output), session: textIn(more.session) },
		...{ plain: typeof input === "string" && typeof output === "string", model: textIn(more.model) },
		agent: kind === "agent" ? name : undefined,
		usage: kind === "model" || kind === "agent" ? usageIn(more.usage ?? usageWithin(output)) : undefined,
	};
	const query = queryIn(input) ?? reading.input;
	if (kind === "retrieval") return { ...reading, query, documents: documentsIn(output, { loose: true }) ?? [] };
	if (kind === "reranker") return { ...reading, query, documents: documentsIn(output, { loose: true }) ?? [] };
	if (kind === "tool")
		return {
			...reading,
			tool: {
				name,
				callId:
					textIn(more.callId) ?? textIn(firstField(output, ["tool_call_id"])) ?? textIn(within(output, "tool_call_id")),
				arguments: argumentsIn(toolInput(input)),
				// LangChain's tools give a message back
				result: within(output, "content") ?? output,
			},
		};
	if (kind !== "model") return reading;
	return {
		...reading,
		given: messagesIn(typeof input === "string" ? [{ role: "user", content: input }] : listed(input)),
		said: messagesIn(typeof output === "string" ? [{ role: "assistant", content: output }] : listed(output)),
	};
}

/** LangChain writes what a tool was called with as `{input: "{'query': …}"}`, beside it as it was. */
const toolInput = (input: unknown): unknown => {
	const inner = fieldOf(input, "input");
	return typeof inner === "string" && Object.keys(input as object).length === 1 ? opened(inner) : input;
};

function within(output: unknown, name: string): unknown {
	const message = fieldOf(output, "output") ?? output;
	return firstField(message, [name]) ?? firstField(firstField(message, ["kwargs", "data"]), [name]);
}

/** Where a call to a model keeps its messages. */
function listed(value: unknown): unknown {
	const inner = firstField(value, ["messages", "generations", "choices"]);
	if (inner === undefined) {
		const output = opened(firstField(value, ["output", "input", "prompt", "prompts"]));
		if (typeof output === "string") return [{ role: "user", content: output }];
		return output ?? value;
	}
	return inner;
}

const usageWithin = (output: unknown): unknown => {
	const told = firstField(output, ["usage_metadata", "usage"]) ?? fieldOf(fieldOf(output, "llm_output"), "token_usage");
	if (told !== undefined) return told;
	for (const one of [fieldOf(output, "generations"), fieldOf(output, "messages")].flat(2)) {
		const message = fieldOf(one, "message") ?? one;
		const usage = firstField(firstField(message, ["kwargs", "data"]) ?? message, ["usage_metadata"]);
		if (usage !== undefined) return usage;
	}
	return undefined;
};

function usageIn(given: unknown): Reading["usage"] {
	const usage = opened(given);
	return usageOf({
		input: firstField(usage, ["input", "input_tokens", "prompt_tokens", "promptTokens", "inputTokens"]),
		output: firstField(usage, ["output", "output_tokens", "completion_tokens", "completionTokens", "outputTokens"]),
		cached:
			firstField(usage, ["input_cached_tokens", "cache_read_input_tokens", "cached"]) ??
			firstField(firstField(usage, ["input_token_details", "prompt_tokens_details"]), ["cache_read", "cached_tokens"]),
		reasoning:
			firstField(usage, ["output_reasoning_tokens", "reasoning"]) ??
			firstField(firstField(usage, ["output_token_details", "completion_tokens_details"]), [
				"reasoning",
				"reasoning_tokens",
			]),
	});
}
