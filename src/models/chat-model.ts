import type { Usage } from "#domain";

/** A language model that continues a conversation. One shape for every provider and for the scripted fake. */
export interface ChatModel {
	/** What a run records: provider, model and, unless it is the provider's own, the server. Never a key. */
	id: string;
	/**
	 * The reply to the conversation so far. A provider's failure is a `ModelError`; an abort rejects with the signal's
	 * reason. The request is not altered.
	 */
	complete(request: ChatRequest, options: { signal?: AbortSignal }): Promise<ChatReply>;
}

export interface ChatRequest {
	messages: ChatMessage[];
	/** Generation stops before the first of these; not every server obeys. */
	stop?: string[];
	temperature?: number;
	/** Most tokens of the reply. */
	maxTokens?: number;
	/** Makes sampling repeatable where the server offers it. */
	seed?: number;
}

export interface ChatMessage {
	role: "system" | "user" | "assistant";
	content: ChatPart[];
}

export type ChatPart =
	| { type: "text"; text: string }
	/** `data` is the encoded file; `file` is the name that records keep in its place. Only in user messages. */
	| { type: "image"; data: Buffer; mediaType: string; file: string };

export interface ChatReply {
	text: string;
	/** `stop`: the model ended or met a stop string; `length`: cut by the token limit; `other`: refused, filtered, … */
	finish: "stop" | "length" | "other";
	/** The model as the provider returned it. */
	model: string;
	usage: Usage;
	/** Milliseconds from the first attempt to the reply, waiting included. */
	ms: number;
	/** Request parameters that this model refuses and that were therefore left out. */
	ignored?: string[];
}
