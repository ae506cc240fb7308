import { z } from "zod";
import { freeObject } from "#domain";
import { type ChatMessage, type ChatPart, tokenCount } from "#models";
import { type Dialect, modelReply, type ReadImage, textPart } from "./dialect.ts";

const text = z.string().catch("");
const count = tokenCount.catch(0);
const Call = z.object({
	index: z.number().int().min(0).max(1000).catch(0),
	id: text,
	function: z.object({ name: text, arguments: text }).catch({ name: "", arguments: "" }),
});
const calls = z.array(Call).nullish().catch([]);

const Message = z.object({
	role: text,
	content: z
		.union([z.string(), z.array(freeObject({ type: text }))])
		.nullish()
		.catch(undefined),
	tool_calls: calls,
	tool_call_id: z.string().optional().catch(undefined),
});
const Request = z.object({ messages: z.array(Message.nullable().catch(null)).catch([]) });

const Said = z.object({ content: text, reasoning: text, reasoning_content: text, tool_calls: calls });
const Usage = z
	.object({
		prompt_tokens: count,
		completion_tokens: count,
		prompt_tokens_details: z.object({ cached_tokens: count.nullish() }).nullish().catch(undefined),
		completion_tokens_details: z.object({ reasoning_tokens: count.nullish() }).nullish().catch(undefined),
	})
	.nullish()
	.catch(undefined);
/** A whole reply, or one piece of a streamed one, which has `delta` where that has `message`. */
const Reply = z.object({
	model: z.string().optional().catch(undefined),
	choices: z
		.array(z.object({ message: Said.optional().catch(undefined), delta: Said.optional().catch(undefined) }))
		.catch([]),
	usage: Usage,
});

/** OpenAI's chat completions, as most servers speak them. */
export const chat: Dialect = {
	path: "/chat/completions",
	request(body, image) {
		const parsed = Request.safeParse(body);
		const messages = parsed.success ? parsed.data.messages : [];
		return { messages: messages.flatMap((message) => (message ? [asMessage(message, image)] : [])) };
	},
	reply: (body) => read([body]),
	streamed: read,
	error: ({ code, message }) => ({ error: { message, type: code, code, param: null } }),
};

function asMessage(
	{ role, content, tool_calls, tool_call_id }: z.infer<typeof Message>,
	image: ReadImage,
): ChatMessage {
	const parts = typeof content === "string" ? [textPart(content)] : (content ?? []).map((part) => asPart(part, image));
	const made = (tool_calls ?? []).map(({ id, function: asked }) => ({ id, ...asked }));
	return {
		role:
			role === "assistant"
				? "assistant"
				: /^(tool|function)$/.test(role)
					? "tool"
					: role === "user"
						? "user"
						: "system",
		content: parts,
		...(made.length > 0 ? { calls: made } : {}),
		...(tool_call_id === undefined ? {} : { callId: tool_call_id }),
	};
}

const Pictured = z.object({ image_url: z.object({ url: z.string() }) });

function asPart(part: { type: string } & Record<string, unknown>, image: ReadImage): ChatPart {
	if (typeof part.text === "string") return textPart(part.text);
	const pictured = Pictured.safeParse(part);
	return pictured.success ? image(pictured.data.image_url.url) : textPart(`[${part.type}]`);
}

/** Only the first choice is read: a program that asks for several picks one that nobody else can know. */
function read(pieces: unknown[]) {
	const texts: string[] = [];
	const thoughts: string[] = [];
	const made = new Map<number, { id: string; name: string; arguments: string }>();
	let usage: z.infer<typeof Usage>;
	let model: string | undefined;
	for (const piece of pieces) {
		const parsed = Reply.safeParse(piece);
		if (!parsed.success) continue;
		model ??= parsed.data.model;
		usage = parsed.data.usage ?? usage;
		const [choice] = parsed.data.choices;
		const said = choice?.message ?? choice?.delta;
		if (!said) continue;
		texts.push(said.content);
		thoughts.push(said.reasoning_content || said.reasoning);
		for (const [place, call] of (said.tool_calls ?? []).entries()) {
			const index = choice?.message ? place : call.index;
			const before = made.get(index) ?? { id: "", name: "", arguments: "" };
			made.set(index, {
				id: before.id || call.id,
				name: before.name + call.function.name,
				arguments: before.arguments + call.function.arguments,
			});
		}
	}
	return modelReply({
		text: texts.join(""),
		thought: thoughts.join(""),
		calls: [...made.values()],
		model,
		usage: {
			inputTokens: usage?.prompt_tokens ?? 0,
			outputTokens: usage?.completion_tokens ?? 0,
			cachedTokens: usage?.prompt_tokens_details?.cached_tokens,
			reasoningTokens: usage?.completion_tokens_details?.reasoning_tokens,
		},
	});
}
