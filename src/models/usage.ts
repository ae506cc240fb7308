import { z } from "zod";
import type { Usage } from "#domain";
import type { ChatMessage, ChatReply, ChatRequest } from "./chat-model.ts";

/** A count of tokens as a server reports it. No context holds a thousand million: what says so was not counted. */
export const tokenCount = z.number().int().min(0).max(1_000_000_000);

/**
 * What a call took whose server reports nothing that can be: four bytes a token, a thousand tokens an image. Counted as
 * nothing, it would let a budget run for ever.
 */
export function estimatedUsage(
	{ messages, tools }: Pick<ChatRequest, "messages" | "tools">,
	{ text, thought = "", calls = [] }: Pick<ChatReply, "text" | "thought" | "calls">,
): Usage {
	const written = calls.reduce((sum, call) => sum + tokensOf(call.name + call.arguments), 0);
	return {
		calls: 1,
		inputTokens: messageTokens(messages) + (tools ? tokensOf(JSON.stringify(tools)) : 0),
		outputTokens: tokensOf(text) + tokensOf(thought) + written,
		estimated: 1,
	};
}

/** Roughly what messages take. */
export function messageTokens(messages: readonly ChatMessage[]): number {
	let tokens = 0;
	for (const { content } of messages)
		for (const part of content) tokens += part.type === "text" ? tokensOf(part.text) : 1000;
	return tokens;
}

const tokensOf = (text: string) => Math.ceil(Buffer.byteLength(text) / 4);
