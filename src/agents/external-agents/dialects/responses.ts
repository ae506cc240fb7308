import { z } from "zod";
import { freeObject } from "#domain";
import { type ChatMessage, type ChatPart, tokenCount } from "#models";
import { type Dialect, modelReply, type ReadImage, textPart } from "./dialect.ts";

const text = z.string().catch("");
const count = tokenCount.catch(0);
const Parts = z.union([z.string(), z.array(freeObject({ type: text }))]).catch("");
const Item = z.object({
	type: text,
	role: z.string().optional().catch(undefined),
	content: Parts,
	call_id: text,
	name: text,
	arguments: text,
	output: Parts,
	summary: z.array(z.object({ text })).catch([]),
});
type Item = z.infer<typeof Item>;

const Request = z.object({
	instructions: text,
	input: z.union([z.string(), z.array(Item.nullable().catch(null))]).catch([]),
	previous_response_id: z.string().nullish().catch(undefined),
});
const Reply = z.object({
	id: z.string().optional().catch(undefined),
	model: z.string().optional().catch(undefined),
	output: z.array(Item.nullable().catch(null)).catch([]),
	usage: z
		.object({
			input_tokens: count,
			output_tokens: count,
			input_tokens_details: z.object({ cached_tokens: count.nullish() }).nullish().catch(undefined),
			output_tokens_details: z.object({ reasoning_tokens: count.nullish() }).nullish().catch(undefined),
		})
		.nullish()
		.catch(undefined),
});
/** The last event of a stream holds the whole reply. */
const End = z.object({
	type: z.enum(["response.completed", "response.incomplete", "response.failed"]),
	response: z.unknown().optional(),
});

/** OpenAI's responses. */
export const responses: Dialect = {
	path: "/responses",
	request(body, image) {
		const parsed = Request.safeParse(body);
		if (!parsed.success) return { messages: [] };
		const { instructions, input, previous_response_id: previous } = parsed.data;
		const items = typeof input === "string" ? [{ role: "user" as const, content: [textPart(input)] }] : input;
		const told = items.flatMap((item) => (item === null ? [] : "type" in item ? asMessages(item, image) : [item]));
		const system: ChatMessage[] = instructions ? [{ role: "system", content: [textPart(instructions)] }] : [];
		return { messages: [...system, ...told], ...(previous ? { previous } : {}) };
	},
	reply: read,
	streamed: (events) =>
		read(events.map((event) => End.safeParse(event)).findLast(({ success }) => success)?.data?.response),
	error: ({ code, message }) => ({ error: { message, type: code, code, param: null } }),
};

function read(body: unknown) {
	const parsed = Reply.safeParse(body);
	const { id, model, output, usage } = parsed.success ? parsed.data : Reply.parse({});
	const items = output.filter((item) => item !== null);
	const only = (type: string) => items.filter((item) => item.type === type);
	return modelReply({
		text: only("message")
			.flatMap(({ content }) => texts(content))
			.join(""),
		thought: only("reasoning")
			.flatMap(({ summary }) => summary.map((part) => part.text))
			.join("\n"),
		calls: only("function_call").map(({ call_id, name, arguments: args }) => ({ id: call_id, name, arguments: args })),
		id,
		model,
		usage: {
			inputTokens: usage?.input_tokens ?? 0,
			outputTokens: usage?.output_tokens ?? 0,
			cachedTokens: usage?.input_tokens_details?.cached_tokens,
			reasoningTokens: usage?.output_tokens_details?.reasoning_tokens,
		},
	});
}

const texts = (parts: Item["content"]) =>
	typeof parts === "string" ? [parts] : parts.map((part) => (typeof part.text === "string" ? part.text : ""));

function asMessages(item: Item, image: ReadImage): ChatMessage[] {
	if (item.type === "function_call") {
		const { call_id: id, name, arguments: args } = item;
		return [{ role: "assistant", content: [], calls: [{ id, name, arguments: args }] }];
	}
	if (item.type === "function_call_output")
		return [{ role: "tool", content: asParts(item.output, image), callId: item.call_id }];
	// reasoning is handed back in a form that only the provider reads
	if (item.role === undefined) return [];
	const role = item.role === "assistant" || item.role === "user" ? item.role : "system";
	return [{ role, content: asParts(item.content, image) }];
}

function asParts(parts: Item["content"], image: ReadImage): ChatPart[] {
	if (typeof parts === "string") return [textPart(parts)];
	return parts.map((part) => {
		if (typeof part.text === "string") return textPart(part.text);
		return typeof part.image_url === "string" ? image(part.image_url) : textPart(`[${part.type}]`);
	});
}
