import { z } from "zod";
import { type ChatMessage, type ChatPart, tokenCount } from "#models";
import { type Dialect, modelReply, type ReadImage, textPart } from "./dialect.ts";

const text = z.string().catch("");
const count = tokenCount.nullish().catch(undefined);
const Source = z.object({ type: text, media_type: text, data: text, url: text });
const Block: z.ZodType<Block> = z.lazy(() =>
	z.object({
		type: text,
		text: z.string().optional().catch(undefined),
		thinking: text,
		id: text,
		name: text,
		input: z.unknown().optional(),
		source: Source.optional().catch(undefined),
		tool_use_id: text,
		content: Content,
	}),
);
interface Block {
	type: string;
	text?: string | undefined;
	thinking: string;
	id: string;
	name: string;
	input?: unknown;
	source?: z.infer<typeof Source> | undefined;
	tool_use_id: string;
	content: string | Block[];
}
const Content: z.ZodType<string | Block[]> = z.lazy(() => z.union([z.string(), z.array(Block)]).catch(""));

const Request = z.object({
	system: Content,
	messages: z.array(z.object({ role: text, content: Content })).catch([]),
});
const Usage = z
	.object({
		input_tokens: count,
		output_tokens: count,
		cache_creation_input_tokens: count,
		cache_read_input_tokens: count,
	})
	.nullish()
	.catch(undefined);
type Usage = z.infer<typeof Usage>;
const Reply = z.object({
	model: z.string().optional().catch(undefined),
	content: z.array(Block).catch([]),
	usage: Usage,
});
const Event = z.object({
	type: text,
	index: z.number().int().min(0).max(10_000).catch(0),
	message: Reply.optional().catch(undefined),
	content_block: Block.optional().catch(undefined),
	delta: z.object({ text, thinking: text, partial_json: text }).optional().catch(undefined),
	usage: Usage,
});

/** Anthropic's messages. */
export const messages: Dialect = {
	path: "/messages",
	request(body, image) {
		const parsed = Request.safeParse(body);
		if (!parsed.success) return { messages: [] };
		const system = asParts(parsed.data.system, image);
		const said = parsed.data.messages.flatMap(({ role, content }) => asMessages(role, content, image));
		return { messages: [...(system.length > 0 ? [{ role: "system" as const, content: system }] : []), ...said] };
	},
	reply(body) {
		const parsed = Reply.safeParse(body);
		return read(parsed.success ? parsed.data : Reply.parse({}));
	},
	streamed(events) {
		const blocks = new Map<number, Block & { json: string }>();
		let model: string | undefined;
		let usage: Usage = {};
		for (const event of events) {
			const parsed = Event.safeParse(event);
			if (!parsed.success) continue;
			const { index, message, content_block, delta } = parsed.data;
			model ??= message?.model;
			// counts are totals so far; those that do not change are told at the beginning only
			usage = { ...usage, ...told(message?.usage), ...told(parsed.data.usage) };
			if (content_block) blocks.set(index, { ...content_block, json: "" });
			const block = blocks.get(index);
			if (!block || !delta) continue;
			block.text = (block.text ?? "") + delta.text;
			block.thinking += delta.thinking;
			block.json += delta.partial_json;
		}
		const content = [...blocks.values()].map(({ json, ...block }) => ({ ...block, ...(json ? { input: json } : {}) }));
		return read({ model, content, usage });
	},
	error: ({ code, message }) => ({ type: "error", error: { type: code, message } }),
};

const told = (usage: Usage) => Object.fromEntries(Object.entries(usage ?? {}).filter(([, value]) => value != null));

function read({ content, model, usage }: z.infer<typeof Reply>) {
	const cached = usage?.cache_read_input_tokens;
	return modelReply({
		text: content.map((block) => (block.type === "text" ? (block.text ?? "") : "")).join(""),
		thought: content.map((block) => (block.type === "thinking" ? block.thinking : "")).join(""),
		calls: content.flatMap(({ type, id, name, input }) =>
			type === "tool_use" ? [{ id, name, arguments: asText(input) }] : [],
		),
		model,
		usage: {
			inputTokens: (usage?.input_tokens ?? 0) + (cached ?? 0) + (usage?.cache_creation_input_tokens ?? 0),
			outputTokens: usage?.output_tokens ?? 0,
			cachedTokens: cached,
		},
	});
}

const asText = (input: unknown) => (typeof input === "string" ? input : JSON.stringify(input ?? {}));

/** Results of tools stand in a user's turn and become turns of their own. */
function asMessages(role: string, content: string | Block[], image: ReadImage): ChatMessage[] {
	const blocks = typeof content === "string" ? [] : content;
	const results = blocks.filter(({ type }) => type === "tool_result");
	const calls = blocks.flatMap(({ type, id, name, input }) =>
		type === "tool_use" ? [{ id, name, arguments: asText(input) }] : [],
	);
	const rest = asParts(content, image);
	return [
		...results.map((result) => ({
			role: "tool" as const,
			content: asParts(result.content, image),
			callId: result.tool_use_id,
		})),
		...(rest.length > 0 || calls.length > 0
			? [
					{
						role: role === "assistant" ? ("assistant" as const) : ("user" as const),
						content: rest,
						...(calls.length > 0 ? { calls } : {}),
					},
				]
			: []),
	];
}

function asParts(content: string | Block[], image: ReadImage): ChatPart[] {
	if (typeof content === "string") return content === "" ? [] : [textPart(content)];
	return content.flatMap((block) => {
		if (block.type === "text") return [textPart(block.text ?? "")];
		if (block.type === "image" && block.source) {
			const { type, media_type, data, url } = block.source;
			return [image(type === "base64" ? `data:${media_type};base64,${data}` : url)];
		}
		return /^(tool_use|tool_result|thinking|redacted_thinking)$/.test(block.type) ? [] : [textPart(`[${block.type}]`)];
	});
}
