import { z } from "zod";
import type { Usage } from "#domain";
import { ownField } from "#domain";
import type { ChatReply, ChatRequest } from "../chat-model.ts";
import type { ReadReply } from "../provider.ts";
import { unparseableReply } from "../unparseable.ts";
import { tokenCount } from "../usage.ts";
import { Block, toHandBack } from "./opaque.ts";

const known = new Set(["text", "thinking", "redacted_thinking", "tool_use"]);

const Message = z.object({
	type: z.literal("message").optional(),
	model: z.string().min(1).max(500).optional().catch(undefined),
	/** Blocks of kinds that nobody asked for are passed over. */
	content: z.array(z.looseObject({ type: z.string() })).transform((blocks, context) => {
		const read = z.array(Block).safeParse(blocks.filter((block) => known.has(block.type)));
		if (read.success) return read.data;
		context.addIssue({ code: "custom", message: "holds a block that does not fit" });
		return z.NEVER;
	}),
	stop_reason: z.string().nullish(),
	stop_sequence: z.string().nullish().catch(undefined),
	usage: z
		.object({
			input_tokens: tokenCount,
			output_tokens: tokenCount,
			cache_creation_input_tokens: tokenCount.nullish().catch(undefined),
			cache_read_input_tokens: tokenCount.nullish().catch(undefined),
			output_tokens_details: z.object({ thinking_tokens: tokenCount.nullish() }).nullish().catch(undefined),
		})
		.nullish()
		.catch(undefined),
});

const finishes: Record<string, ChatReply["finish"]> = {
	end_turn: "stop",
	stop_sequence: "stop",
	max_tokens: "length",
	model_context_window_exceeded: "length",
	tool_use: "calls",
};

/** A message's body, as parsed from JSON or as text, to a reply; what does not fit is a `ModelError`. */
export function readMessage(body: unknown, { asked, request }: { asked: string; request: ChatRequest }): ReadReply {
	const parsed = Message.safeParse(body);
	if (!parsed.success) throw unparseableReply("message", body, parsed.error);
	const { content, model, stop_reason, stop_sequence, usage } = parsed.data;
	const text = content.map((block) => (block.type === "text" ? block.text : "")).join("");
	const thoughts = content.flatMap((block) => (block.type === "thinking" && block.thinking ? [block.thinking] : []));
	const calls = content.flatMap((block) =>
		block.type === "tool_use" ? [{ id: block.id, name: block.name, arguments: JSON.stringify(block.input) }] : [],
	);
	const ended = ownField(finishes, stop_reason ?? "end_turn") ?? "other";
	const finish =
		ended === "stop" && calls.length > 0 ? "calls" : ended === "calls" && calls.length === 0 ? "stop" : ended;
	const opaque = toHandBack(content);
	const ignored = [...(request.seed === undefined ? [] : ["seed"]), ...(request.logprobs ? ["logprobs"] : [])];
	return {
		text,
		...(thoughts.length > 0 && { thought: thoughts.join("\n") }),
		...(calls.length > 0 && { calls }),
		...(opaque && { opaque }),
		finish,
		...(finish === "stop" && stop_sequence && { stopped: stop_sequence }),
		model: model ?? asked,
		usage: readUsage(usage),
		...(ignored.length > 0 && { ignored }),
	};
}

/** `input_tokens` are those that no cache had or took. */
function readUsage(usage: z.infer<typeof Message>["usage"]): Usage | undefined {
	const cached = usage?.cache_read_input_tokens;
	const reasoning = usage?.output_tokens_details?.thinking_tokens;
	const inputTokens = (usage?.input_tokens ?? 0) + (cached ?? 0) + (usage?.cache_creation_input_tokens ?? 0);
	if (inputTokens === 0) return undefined;
	return {
		calls: 1,
		inputTokens,
		outputTokens: usage?.output_tokens ?? 0,
		...(typeof cached === "number" && { cachedTokens: cached }),
		...(typeof reasoning === "number" && { reasoningTokens: reasoning }),
	};
}
