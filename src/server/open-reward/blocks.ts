import type { ChatMessage } from "#models";

/** A piece of what a policy reads, as the Open Reward Standard writes it. */
export type Block =
	| { type: "text"; text: string; detail: Detail | null }
	/** `data`: base64. */
	| { type: "image"; data: string; mimeType: string; detail: Detail | null };

/** Left to the environment by the standard. */
export type Detail = Readonly<Record<string, unknown>>;

/** The parts of messages one after another, without their roles but in `detail`, where they differ. */
export function blocksOf(messages: readonly ChatMessage[], { roles = false } = {}): Block[] {
	return messages.flatMap(({ role, content }) =>
		content.map((part): Block => {
			const detail = roles ? { role } : null;
			if (part.type === "text") return { type: "text", text: part.text, detail };
			return { type: "image", data: part.data.toString("base64"), mimeType: part.mediaType, detail };
		}),
	);
}
