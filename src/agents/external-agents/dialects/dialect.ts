import type { Usage } from "#domain";
import type { ChatMessage, ChatPart } from "#models";

/** How one provider's form of requests and replies is read, for the record. Nothing here throws, whatever is said. */
export interface Dialect {
	/** Behind the base address. */
	path: string;
	/** The conversation that a request holds; `previous` names the reply that it goes on from instead of repeating it. */
	request(body: unknown, image: ReadImage): { messages: ChatMessage[]; previous?: string };
	reply(body: unknown): ModelReply;
	/** The reply that the events of a stream add up to: their data, parsed, in order. */
	streamed(events: unknown[]): ModelReply;
	/** An error as this form's clients expect it. */
	error(about: { code: string; message: string }): object;
}

/** An image's address, which may hold the image itself, as the part that records keep. */
export type ReadImage = (address: string) => ChatPart;

export interface ModelReply {
	text: string;
	/** Reasoning that came apart from the text. */
	thought?: string;
	calls: { id: string; name: string; arguments: string }[];
	usage: Usage;
	/** As the provider returned it. */
	model?: string;
	/** By which a later request may go on from it. */
	id?: string;
}

export const textPart = (text: string): ChatPart => ({ type: "text", text });

/** Only what there is: the record keeps no empty fields. */
export function modelReply(given: {
	text: string;
	thought?: string | null | undefined;
	calls?: ModelReply["calls"];
	usage: Omit<Usage, "calls" | "cachedTokens" | "reasoningTokens"> & {
		cachedTokens?: number | null | undefined;
		reasoningTokens?: number | null | undefined;
	};
	model?: string | null | undefined;
	id?: string | null | undefined;
}): ModelReply {
	const { inputTokens, outputTokens, cachedTokens, reasoningTokens } = given.usage;
	return {
		text: given.text,
		calls: given.calls ?? [],
		usage: {
			calls: 1,
			inputTokens,
			outputTokens,
			...(typeof cachedTokens === "number" ? { cachedTokens } : {}),
			...(typeof reasoningTokens === "number" ? { reasoningTokens } : {}),
		},
		...(given.thought ? { thought: given.thought } : {}),
		...(given.model ? { model: given.model.slice(0, 500) } : {}),
		...(given.id ? { id: given.id } : {}),
	};
}
