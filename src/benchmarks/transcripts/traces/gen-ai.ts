import { answeredIn, argumentsIn, askedIn } from "./asked.ts";
import { documentsIn } from "./documents.ts";
import { messagesIn } from "./messages.ts";
import type { Attributes, Reading, SpanKind } from "./span.ts";
import { usageOf } from "./usage.ts";
import { fieldOf, firstField, opened, textIn, unflattened } from "./values.ts";

const operations: Record<string, SpanKind> = {
	...({ chat: "model", generate_content: "model", text_completion: "model", completion: "model" } as const),
	...({ embeddings: "embedding", retrieval: "retrieval", execute_tool: "tool" } as const),
	...({ invoke_agent: "agent", create_agent: "chain", invoke_workflow: "agent", plan: "chain" } as const),
};

export interface SpanEvent {
	name: string;
	attributes: Attributes;
}

/**
 * OpenTelemetry's GenAI conventions: messages as attributes (1.37 on), as an event of the operation's details, as one event
 * a message (to 1.36), or as the prompt and completion of before; the Vercel AI SDK's own attributes beside them.
 */
export function readGenAi(
	attributes: Attributes,
	name: string,
	events: readonly SpanEvent[] = [],
): Reading | undefined {
	const detailed = events.filter(({ name: event }) => event === "gen_ai.client.inference.operation.details");
	const at = (key: string): unknown =>
		attributes.get(key) ?? detailed.map((event) => event.attributes.get(key)).find((one) => one !== undefined);
	const operation = textIn(at("gen_ai.operation.name")) ?? textIn(at("ai.operationId"));
	const kind = kindOf(at, operation, name);
	if (kind === undefined) return undefined;
	const system = at("gen_ai.system_instructions");
	const given = messagesIn(
		at("gen_ai.input.messages") ??
			at("ai.prompt.messages") ??
			messageEvents(events) ??
			contentEvent(events, "gen_ai.content.prompt", "gen_ai.prompt") ??
			numbered(attributes, "gen_ai.prompt") ??
			textPrompt(at("gen_ai.prompt") ?? at("ai.prompt")),
	);
	const said = messagesIn(
		at("gen_ai.output.messages") ??
			choiceEvents(events) ??
			contentEvent(events, "gen_ai.content.completion", "gen_ai.completion") ??
			numbered(attributes, "gen_ai.completion") ??
			aiSdkReply(at),
	);
	const instructions = system === undefined ? [] : messagesIn([{ role: "system", parts: opened(system) }]);
	const reading: Reading = {
		...{ kind, given: [...instructions, ...given], said, plain: false },
		input: askedIn(at("ai.prompt")) ?? (given.length > 0 ? askedIn(given) : undefined),
		output: said.length > 0 ? answeredIn(said) : answeredIn(at("ai.response.text")),
		agent: kind === "agent" ? (textIn(at("gen_ai.agent.name")) ?? textIn(at("ai.telemetry.functionId"))) : undefined,
		model: textIn(at("gen_ai.response.model")) ?? textIn(at("gen_ai.request.model")) ?? textIn(at("ai.model.id")),
		session: textIn(at("gen_ai.conversation.id")) ?? textIn(at("session.id")),
		usage: usageOf({
			input:
				at("gen_ai.usage.input_tokens") ??
				at("gen_ai.usage.prompt_tokens") ??
				at("ai.usage.inputTokens") ??
				at("ai.usage.promptTokens"),
			output:
				at("gen_ai.usage.output_tokens") ??
				at("gen_ai.usage.completion_tokens") ??
				at("ai.usage.outputTokens") ??
				at("ai.usage.completionTokens"),
			cached: at("gen_ai.usage.cache_read.input_tokens") ?? at("ai.usage.cachedInputTokens"),
			reasoning: at("gen_ai.usage.reasoning.output_tokens") ?? at("ai.usage.reasoningTokens"),
		}),
	};
	if (kind === "retrieval") {
		const documents = at("gen_ai.retrieval.documents");
		const query = at("gen_ai.retrieval.query.text") ?? at("gen_ai.retrieval.query");
		return { ...reading, query: textIn(query), documents: documentsIn(documents, { loose: true }) ?? [] };
	}
	if (kind === "tool") {
		const result = at("gen_ai.tool.call.result") ?? at("ai.toolCall.result");
		return {
			...reading,
			tool: {
				name: textIn(at("gen_ai.tool.name")) ?? textIn(at("ai.toolCall.name")) ?? name,
				callId: textIn(at("gen_ai.tool.call.id")) ?? textIn(at("ai.toolCall.id")),
				arguments: argumentsIn(at("gen_ai.tool.call.arguments") ?? at("ai.toolCall.args")),
				result: opened(result),
			},
			documents: documentsIn(at("gen_ai.retrieval.documents")),
		};
	}
	return reading;
}

function kindOf(at: (key: string) => unknown, operation: string | undefined, name: string): SpanKind | undefined {
	if (operation !== undefined && Object.hasOwn(operations, operation)) return operations[operation];
	if (operation?.startsWith("ai.") || name.startsWith("ai.")) {
		if (/^ai\.toolCall/.test(operation ?? name)) return "tool";
		// the outer span repeats the usage and the conversation of its steps
		if (/\.do(Generate|Stream)$/.test(operation ?? name)) return "model";
		if (/embed/i.test(operation ?? name)) return "embedding";
		if (/rerank/i.test(operation ?? name)) return "reranker";
		return "agent";
	}
	if (at("gen_ai.retrieval.documents") !== undefined || at("gen_ai.retrieval.query.text") !== undefined)
		return "retrieval";
	if (at("gen_ai.tool.name") !== undefined) return "tool";
	const provider = at("gen_ai.provider.name") ?? at("gen_ai.system");
	if (at("gen_ai.request.model") !== undefined || at("gen_ai.input.messages") !== undefined) return "model";
	return operation !== undefined || provider !== undefined ? "unknown" : undefined;
}

const messageEvent = /^gen_ai\.(system|user|assistant|tool)\.message$/;

/** `gen_ai.user.message` and its like: to 1.36, one event a message, its body in attributes. */
function messageEvents(events: readonly SpanEvent[]): unknown[] | undefined {
	const found = events.flatMap(({ name, attributes }) => {
		const role = messageEvent.exec(name)?.[1];
		if (role === undefined) return [];
		const body = bodyOf(attributes);
		const id = firstField(body, ["tool_call_id", "id"]);
		return [{ ...body, role: fieldOf(body, "role") ?? role, ...(role === "tool" ? { tool_call_id: id } : {}) }];
	});
	return found.length > 0 ? found : undefined;
}

function choiceEvents(events: readonly SpanEvent[]): unknown[] | undefined {
	const found = events.flatMap(({ name, attributes }) => {
		if (name !== "gen_ai.choice") return [];
		const body = bodyOf(attributes);
		const message = opened(fieldOf(body, "message"));
		const inner = typeof message === "object" && message !== null ? message : { content: message };
		return [{ role: "assistant", ...body, ...inner }].map(({ message: _, ...one }: Record<string, unknown>) => one);
	});
	return found.length > 0 ? found : undefined;
}

const bodyOf = (attributes: Attributes): Record<string, unknown> =>
	Object.fromEntries([...attributes].map(([key, value]) => [key.replace(/^gen_ai\.event\./, ""), value]));

function contentEvent(events: readonly SpanEvent[], name: string, key: string): unknown {
	const value = events.find((event) => event.name === name)?.attributes.get(key);
	return value === undefined ? undefined : messagesOrText(value, key === "gen_ai.prompt" ? "user" : "assistant");
}

/** `gen_ai.prompt.0.role`, `gen_ai.prompt.0.content`, as OpenLLMetry writes them. */
function numbered(attributes: Attributes, prefix: string): unknown {
	const value = unflattened(attributes, prefix);
	return Array.isArray(value) && value.every((one) => typeof one === "object") && value.length > 0
		? value.map((one) => ({ role: prefix === "gen_ai.completion" ? "assistant" : "user", ...one }))
		: undefined;
}

const textPrompt = (value: unknown) => (value === undefined ? [] : messagesOrText(value, "user"));

function messagesOrText(value: unknown, role: string): unknown {
	const json = opened(value);
	if (typeof json === "string") return [{ role, content: json }];
	return fieldOf(json, "messages") ?? fieldOf(json, "prompt") ?? json;
}

/** `ai.response.text`, `.toolCalls`, `.reasoning`. */
function aiSdkReply(at: (key: string) => unknown): unknown[] {
	const [content, calls, reasoning] = ["text", "toolCalls", "reasoning"].map((key) => at(`ai.response.${key}`));
	if (content === undefined && calls === undefined) return [];
	return [{ role: "assistant", content, tool_calls: opened(calls), reasoning }];
}
