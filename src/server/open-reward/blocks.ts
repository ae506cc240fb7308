import type { McpContent } from "#agents";
import type { ChatMessage } from "#models";
import { contentOf } from "../environment/tool-result.ts";

/** A piece of what a policy reads, as the Open Reward Standard writes it. */
export type Block = McpContent & { detail: Detail | null };

/** Left to the environment by the standard. */
export type Detail = Readonly<Record<string, unknown>>;

/** The parts of messages one after another, without their roles but in `detail`, where they differ. */
export function blocksOf(messages: readonly ChatMessage[], { roles = false } = {}): Block[] {
	return messages.flatMap((message) =>
		contentOf(message).map((part) => ({ ...part, detail: roles ? { role: message.role } : null })),
	);
}
