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
	/** Functions that the model may call in the provider's own form. */
	tools?: ToolDeclaration[];
	/** `none`: tools stay declared, so that requests share their beginning, but must not be called. `auto` by default. */
	toolChoice?: "auto" | "none" | "required";
	/** The reply is to be JSON that fits this schema; `askForJson` validates and repairs. */
	output?: { name: string; schema: JsonSchema };
	/** The last message is the assistant's and is to be continued rather than answered; not every server can. */
	continues?: boolean;
	/** Generation stops before the first of these; not every server obeys. */
	stop?: string[];
	temperature?: number;
	/** Share of probability that is sampled from. */
	topP?: number;
	/** Most tokens of the reply. */
	maxTokens?: number;
	/** Makes sampling repeatable where the server offers it. */
	seed?: number;
	/** Asks for the log-probability of every token of the reply, where the server offers it. */
	logprobs?: boolean;
	/** A grammar (GBNF) that the reply is held to; only servers that take one can be sent it. */
	grammar?: string;
	/** Further fields of the body, as this server takes them. */
	extra?: Record<string, unknown>;
	/** Which of several independent samples of the same request this is; cached replies are kept apart by it. */
	sample?: number;
}

/** A JSON Schema, as it goes over the wire. */
export type JsonSchema = Record<string, unknown>;

/** A function that a model may call; `parameters` is the JSON Schema of one object. */
export interface ToolDeclaration {
	name: string;
	description: string;
	parameters: JsonSchema;
}

/** A call as a model made it; `arguments` is the text it wrote, which may be no JSON. */
export interface ToolRequest {
	/** The provider's id of the call, by which its result is answered. */
	id: string;
	name: string;
	arguments: string;
}

export interface ChatMessage {
	/** `tool`: the result of one call; a provider that takes no images there is sent them in a user message behind it. */
	role: "system" | "user" | "assistant" | "tool";
	content: ChatPart[];
	/** Of an assistant: the calls it made. */
	calls?: ToolRequest[];
	/** Of a tool: the call that it answers. */
	callId?: string;
	/** What a provider needs back unaltered with this turn (signatures of thoughts); opaque to everyone else. */
	opaque?: unknown;
}

export type ChatPart =
	| { type: "text"; text: string }
	/** `data` is the encoded file; `file` is the name that records keep in its place. In user and tool messages. */
	| { type: "image"; data: Buffer; mediaType: string; file: string };

export interface ChatReply {
	text: string;
	/** Reasoning that the provider returned apart from the text. */
	thought?: string;
	calls?: ToolRequest[];
	/** To hand back as `ChatMessage.opaque` of the assistant's turn. */
	opaque?: unknown;
	/**
	 * `stop`: the model ended or met a stop string; `calls`: it waits for results; `length`: cut by the token limit;
	 * `other`: refused, filtered, …
	 */
	finish: "stop" | "calls" | "length" | "other";
	/** The stop string that ended the reply, where the server says so; the text does not hold it. */
	stopped?: string;
	/** One entry a token, natural logarithms. */
	logprobs?: { token: string; logprob: number }[];
	/** The model as the provider returned it. */
	model: string;
	usage: Usage;
	/** Milliseconds from the first attempt to the reply, waiting included. */
	ms: number;
	/** Request parameters that this model refuses and that were therefore left out. */
	ignored?: string[];
	/** Answered from cached replies: nothing was sent. */
	kept?: true;
}
