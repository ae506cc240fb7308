import { answeredIn, argumentsIn, askedIn, queryIn } from "./asked.ts";
import { documentsIn } from "./documents.ts";
import { messagesIn } from "./messages.ts";
import type { Attributes, Reading, SpanKind } from "./span.ts";
import { usageOf } from "./usage.ts";
import { opened, textIn, unflattened } from "./values.ts";

const kinds: Record<string, SpanKind> = {
	...({ AGENT: "agent", CHAIN: "chain", LLM: "model", RETRIEVER: "retrieval", TOOL: "tool" } as const),
	...({ RERANKER: "reranker", EMBEDDING: "embedding", GUARDRAIL: "guardrail", EVALUATOR: "evaluator" } as const),
	...({ PROMPT: "prompt", UNKNOWN: "unknown" } as const),
};

/** OpenInference's attributes, flattened as they travel or nested as Phoenix exports them. */
export function readOpenInference(attributes: Attributes, name: string): Reading | undefined {
	const at = (key: string) => unflattened(attributes, key);
	const named = textIn(at("openinference.span.kind"))?.toUpperCase();
	if (named === undefined) return undefined;
	const kind = Object.hasOwn(kinds, named) ? (kinds[named] ?? "unknown") : "unknown";
	const [input, output] = [at("input.value"), at("output.value")];
	const reading: Reading = {
		...{ kind, input: askedIn(input), output: answeredIn(output), session: textIn(at("session.id")) },
		plain: isPlain(input) && isPlain(output),
		agent: kind === "agent" ? (textIn(at("agent.name")) ?? name) : undefined,
	};
	if (kind === "retrieval")
		return {
			...reading,
			query: queryIn(input) ?? reading.input,
			documents: documentsIn(at("retrieval.documents") ?? output, { loose: true }) ?? [],
		};
	if (kind === "reranker")
		return {
			...reading,
			query: textIn(at("reranker.query")) ?? queryIn(input),
			documents: documentsIn(at("reranker.output_documents") ?? output, { loose: true }) ?? [],
		};
	if (kind === "tool")
		return {
			...reading,
			tool: {
				name: textIn(at("tool.name")) ?? name,
				callId: textIn(at("tool_call.id")) ?? textIn(at("tool.id")),
				// `tool.parameters` is the schema in some instrumentations: what went in is what was called with
				arguments: argumentsIn(input ?? at("tool_call.function.arguments") ?? at("tool.parameters")),
				result: opened(output),
			},
			documents: documentsIn(at("retrieval.documents")),
		};
	if (kind !== "model") return reading;
	const counts = "llm.token_count";
	return {
		...reading,
		given: messagesIn(at("llm.input_messages") ?? messageList(input)),
		said: messagesIn(at("llm.output_messages") ?? spoken(reading.output)),
		model: textIn(at("llm.response.model_name")) ?? textIn(at("llm.model_name")),
		usage: usageOf({
			input: at(`${counts}.prompt`),
			output: at(`${counts}.completion`),
			cached: at(`${counts}.prompt_details.cache_read`),
			reasoning: at(`${counts}.completion_details.reasoning`),
		}),
	};
}

const isPlain = (value: unknown) => typeof opened(value) === "string";

const messageList = (input: unknown): unknown => {
	const json = opened(input);
	if (typeof json === "string") return [{ role: "user", content: json }];
	return typeof json === "object" && json !== null && "messages" in json ? json.messages : json;
};

const spoken = (output: string | undefined) => (output === undefined ? [] : [{ role: "assistant", content: output }]);
