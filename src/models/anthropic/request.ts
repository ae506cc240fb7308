import { argumentsOf } from "../call-arguments.ts";
import type { ChatMessage, ChatPart, ChatRequest, ToolRequest } from "../chat-model.ts";
import { base64, textOf } from "../message-text.ts";
import { closedSchema } from "./closed-schema.ts";
import { type Block, handedBack } from "./opaque.ts";

type Wire = Record<string, unknown>;

/** The API demands a limit; every model that is still served takes this one. */
const defaultMaxTokens = 8192;

const choices = { auto: "auto", none: "none", required: "any" } as const;

/** A request of the Messages API. The same leading messages give the same leading entries of `messages`. */
export function messagesBody(request: ChatRequest, { model }: { model: string }): Wire {
	const { toolChoice, output, messages } = request;
	// An empty list is refused.
	const tools = request.tools?.length ? request.tools : undefined;
	const first = messages.findIndex((message) => message.role !== "system");
	const system = messages.slice(0, first === -1 ? messages.length : first);
	const options: Wire = {
		system: system.map(textOf).join("\n\n") || undefined,
		tools: tools?.map(({ name, description, parameters }) => ({ name, description, input_schema: parameters })),
		tool_choice: tools && toolChoice && { type: choices[toolChoice] },
		output_config: output && { format: { type: "json_schema", schema: closedSchema(output.schema) } },
		stop_sequences: request.stop,
		temperature: request.temperature,
		top_p: request.topP,
	};
	const body: Wire = {
		model,
		max_tokens: request.maxTokens ?? defaultMaxTokens,
		messages: messagesOf(messages.slice(system.length), request.continues ?? false),
	};
	for (const [name, value] of Object.entries(options)) if (value !== undefined) body[name] = value;
	return body;
}

function messagesOf(messages: ChatMessage[], continues: boolean): Wire[] {
	const sent: { role: string; content: unknown[] }[] = [];
	let answering = false;
	for (const [index, message] of messages.entries()) {
		const content = contentOf(message, { begun: continues && index === messages.length - 1 });
		const last = sent.at(-1);
		// All results of one turn belong into one message.
		if (message.role === "tool" && answering && last) last.content.push(...content);
		// An empty message is refused: a reply that was cut before its first word leaves one.
		else if (content.length > 0) sent.push({ role: message.role === "assistant" ? "assistant" : "user", content });
		answering = message.role === "tool";
	}
	return sent;
}

function contentOf(message: ChatMessage, { begun }: { begun: boolean }): Wire[] {
	if (message.role === "tool")
		return [{ type: "tool_result", tool_use_id: message.callId, content: message.content.flatMap(partOf) }];
	if (message.role !== "assistant") return message.content.flatMap(partOf);
	const text = textOf(message);
	// A begun reply may not end in white space.
	return assistantBlocks(begun ? text.trimEnd() : text, message);
}

/** The turn as it came where it is unchanged; else its thoughts first, then what it says now. */
function assistantBlocks(text: string, { calls = [], opaque }: ChatMessage): Wire[] {
	const blocks = handedBack(opaque);
	if (blocks && isSame(blocks, text, calls)) return blocks;
	return [
		...(blocks ?? []).filter((block) => block.type !== "text" && block.type !== "tool_use"),
		...(text === "" ? [] : [{ type: "text", text }]),
		...calls.map(({ id, name, arguments: given }) => ({ type: "tool_use", id, name, input: argumentsOf(given) })),
	];
}

function isSame(blocks: Block[], text: string, calls: ToolRequest[]): boolean {
	const said = blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
	const made = blocks.flatMap((block) => (block.type === "tool_use" ? [block.id] : []));
	return said === text && made.length === calls.length && calls.every(({ id }, index) => id === made[index]);
}

function partOf(part: ChatPart): Wire[] {
	if (part.type === "text") return part.text === "" ? [] : [{ type: "text", text: part.text }];
	return [{ type: "image", source: { type: "base64", media_type: part.mediaType, data: base64(part) } }];
}
