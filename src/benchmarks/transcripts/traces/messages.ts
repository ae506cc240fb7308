import type { Message } from "#domain";
import { fieldOf, firstField, isFields, opened, textIn, written } from "./values.ts";

const mostMessages = 4000;
const longestText = 1_000_000;

/**
 * Messages in the forms that providers and frameworks write: OpenAI's, Anthropic's blocks, the `parts` of OpenTelemetry, the
 * AI SDK's, LangChain's. What is no message is left out.
 */
export function messagesIn(value: unknown): Message[] {
	const json = opened(value);
	const list = Array.isArray(json) ? json.flat(1) : isFields(json) ? [json] : [];
	return list.slice(0, mostMessages).flatMap(messageIn);
}

const roles: Record<string, Message["role"]> = {
	...{ system: "system", developer: "system", user: "user", human: "user", assistant: "assistant", ai: "assistant" },
	...{ model: "assistant", tool: "tool", function: "tool", SystemMessage: "system", HumanMessage: "user" },
	...{ AIMessage: "assistant", AIMessageChunk: "assistant", ToolMessage: "tool", AIMessageChunkConcat: "assistant" },
};
const roleNamed = (name: unknown): Message["role"] | undefined =>
	typeof name === "string" && Object.hasOwn(roles, name) ? roles[name] : undefined;

function messageIn(given: unknown): Message[] {
	const outer = opened(given);
	if (!isFields(outer)) return [];
	// LangChain's: {lc, id: [..., "HumanMessage"], kwargs}, {type, data}; OpenInference's and choices: {message}
	const inner = firstField(outer, ["kwargs", "data", "message"]);
	const value = isFields(inner) ? inner : outer;
	const names = fieldOf(outer, "id");
	const role =
		roleNamed(fieldOf(value, "role") ?? fieldOf(outer, "role")) ??
		roleNamed(Array.isArray(names) ? names.at(-1) : undefined) ??
		roleNamed(fieldOf(outer, "type")) ??
		roleNamed(fieldOf(value, "type"));
	if (role === undefined) return [];
	const body = firstField(value, ["parts", "content", "contents"]);
	const parts = partsOf(typeof body === "string" ? body : opened(body));
	const calls = [...parts.calls, ...callsIn(value)];
	const id = textIn(firstField(value, ["tool_call_id", "toolCallId"]));
	const thought = textIn(
		[textIn(firstField(value, ["reasoning_content", "reasoning", "thinking"])), ...parts.thoughts]
			.filter(Boolean)
			.join("\n"),
	);
	// results that stand in a user's message, or several in one, are messages of their own
	const results = parts.results.map(
		(result): Message => ({ role: "tool", callId: result.id, content: text(written(result.value)) }),
	);
	const said = parts.texts.join("\n");
	if (results.length > 0 && said === "" && calls.length === 0) return results;
	const message: Message = {
		role,
		...(thought === undefined ? {} : { thought: thought.slice(0, longestText) }),
		...(calls.length > 0 ? { calls: distinct(calls) } : {}),
		...(role === "tool" && id !== undefined ? { callId: id } : {}),
		content: text(said),
	};
	return [...results, message];
}

const text = (said: string): Message["content"] =>
	said === "" ? [] : [{ type: "text", text: said.slice(0, longestText) }];

type Call = NonNullable<Message["calls"]>[number];

const distinct = (calls: Call[]): Call[] => [
	...new Map(calls.map((call) => [call.id === "" ? call : call.id, call])).values(),
];

interface Parts {
	texts: string[];
	thoughts: string[];
	calls: Call[];
	results: { id: string; value: unknown }[];
}

function partsOf(body: unknown): Parts {
	const found: Parts = { texts: [], thoughts: [], calls: [], results: [] };
	if (typeof body === "string") {
		if (body !== "") found.texts.push(body);
		return found;
	}
	const list = Array.isArray(body) ? body : body === undefined || body === null ? [] : [body];
	for (const outer of list) {
		const part = firstField(outer, ["message_content"]) ?? outer;
		if (typeof part === "string") found.texts.push(part);
		const type = fieldOf(part, "type");
		const id = textIn(firstField(part, ["id", "tool_call_id", "toolCallId", "tool_use_id", "call_id"])) ?? "";
		const said = textIn(firstField(part, ["content", "text", "thinking", "reasoning"]));
		if (type === "text" || type === "output_text" || type === "input_text") {
			if (said !== undefined) found.texts.push(said);
		} else if (type === "reasoning" || type === "thinking") {
			if (said !== undefined) found.thoughts.push(said);
		} else if (type === "tool_call" || type === "tool-call" || type === "tool_use") {
			const call = callOf(part, id);
			if (call) found.calls.push(call);
		} else if (type === "tool_call_response" || type === "tool-result" || type === "tool_result") {
			const result = firstField(part, ["response", "result", "output", "content"]);
			// the AI SDK wraps it: {type: "json", value}
			const value = isFields(result) && "value" in result && "type" in result ? result.value : result;
			found.results.push({ id, value });
		} else if (type === undefined && isFields(part) && said !== undefined) found.texts.push(said);
		else if (isFields(part)) found.texts.push(`[${typeof type === "string" ? type : "part"}]`);
	}
	return found;
}

function callsIn(message: unknown): Call[] {
	const kept = fieldOf(message, "additional_kwargs");
	const listed = opened(firstField(message, ["tool_calls", "toolCalls"]) ?? fieldOf(kept, "tool_calls"));
	return (Array.isArray(listed) ? listed : []).flatMap((one) => callOf(one) ?? []);
}

/** `{id, function: {name, arguments}}`, `{id, name, args}`, `{toolCallId, toolName, input}`. */
export function callOf(value: unknown, named = ""): Call | undefined {
	const one = firstField(value, ["tool_call"]) ?? value;
	const called = firstField(one, ["function"]) ?? one;
	const name = textIn(firstField(called, ["name", "toolName"]));
	if (name === undefined) return undefined;
	const given = firstField(called, ["arguments", "args", "input", "parameters"]);
	const id = textIn(firstField(one, ["id", "toolCallId", "tool_call_id"])) ?? named;
	return { id, name, arguments: written(given ?? {}) };
}

export const messageText = ({ content }: Message): string =>
	content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
