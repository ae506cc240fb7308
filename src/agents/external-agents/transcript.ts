import { createHash } from "node:crypto";
import { addUsage, noUsage, type Step, type Usage } from "#domain";
import type { ChatMessage, ChatPart } from "#models";
import type { Session } from "../driver/session.ts";
import { saidBefore } from "../tool-call-format/final-answer.ts";
import type { ModelReply } from "./dialects/dialect.ts";

/** Longest text of a message or thought that is recorded, in characters. */
const longestText = 200_000;
/** Conversations beyond these are counted, but their messages are not kept. */
const mostConversations = 200;

/**
 * What a program and its model said to one another, seen from between them. A request that begins as an earlier one did
 * continues that conversation; each other begins its own. A reply belongs to the step of the tool call that follows it,
 * or else is a step by itself.
 */
export interface Transcript {
	readonly usage: Usage;
	/** As the provider returned them. */
	readonly models: string[];
	/** An image's address, which may hold the image, as records keep it. */
	image(address: string): ChatPart;
	/** A request goes out. */
	asked(request: { messages: ChatMessage[]; previous?: string }): Conversation;
	answered(conversation: Conversation, reply: ModelReply, about: { ms: number }): void;
	/** What the next step, a call of this tool, owes to the model: thought, usage, milliseconds. */
	about(tool: string): Partial<Step>;
	/** Nothing more is said: the last replies become steps. */
	close(): void;
}

export interface Conversation {
	name: string;
	messages: ChatMessage[];
	keys: string[];
	replyId?: string | undefined;
}

interface Pending {
	conversation: Conversation;
	reply: ModelReply;
	ms: number;
	/** Names of calls that no step has been made of. */
	calls: string[];
	noted: boolean;
}

/** `images`: the files of question images by the SHA-256 of their bytes. */
export function createTranscript(
	session: Pick<Session, "keep" | "recorder">,
	{ images = new Map() }: { images?: Map<string, string> } = {},
): Transcript {
	const conversations: Conversation[] = [];
	const models = new Set<string>();
	let pending: Pending[] = [];
	let usage = noUsage;

	function note(one: Pending, { last }: { last: boolean }) {
		if (one.noted) return;
		const { reply, conversation, ms } = one;
		one.noted = true;
		session.recorder.note({ ...aboutReply(reply, { conversation, last }), ms });
	}

	return {
		get usage() {
			return usage;
		},
		get models() {
			return [...models];
		},
		image(address) {
			const data = /^data:([\w/+.-]*);base64,/.exec(address);
			const bytes = Buffer.from(data ? address.slice(data[0].length) : address, data ? "base64" : "utf8");
			const hash = createHash("sha256").update(bytes).digest("hex");
			const file = data ? (images.get(hash) ?? `sha256:${hash}`) : address.slice(0, 500);
			return { type: "image", data: Buffer.alloc(0), mediaType: data?.[1] || "image/*", file };
		},
		asked({ messages, previous }) {
			const before = previous === undefined ? undefined : conversations.find(({ replyId }) => replyId === previous);
			const told = [...(before?.messages ?? []), ...messages.map(bounded)];
			const keys = told.map(keyOf);
			const known = before ?? longestBeginning(conversations, keys);
			const conversation = known ?? {
				name: conversations.length === 0 ? "" : `${conversations.length + 1}`,
				messages,
				keys,
			};
			if (!known) conversations.push(conversation);
			// whatever the last reply called has been done by now
			for (const one of pending.filter((each) => each.conversation === conversation)) note(one, { last: false });
			pending = pending.filter((each) => each.conversation !== conversation);
			conversation.messages = told;
			conversation.keys = keys;
			keep(conversation);
			return conversation;
		},
		answered(conversation, reply, { ms }) {
			usage = addUsage(usage, reply.usage);
			if (reply.model !== undefined && models.size < 100) models.add(reply.model);
			pending.push({ conversation, reply, ms, calls: reply.calls.map(({ name }) => name), noted: false });
			conversation.messages = [...conversation.messages, bounded(saidBy(reply))];
			conversation.replyId = reply.id;
			keep(conversation);
		},
		about(tool) {
			// programs put a prefix before the names of tools that they found elsewhere
			const means = new RegExp(`(^|[^a-z])${tool.replace(/\W/g, "\\$&")}$`, "i");
			const named = pending.findLast(({ calls }) => calls.some((name) => means.test(name)));
			const one = named ?? pending.findLast(({ noted }) => !noted);
			if (!one) return {};
			const at = one.calls.findIndex((name) => means.test(name));
			if (at !== -1) one.calls.splice(at, 1);
			const { reply, conversation, ms, noted } = one;
			one.noted = true;
			return noted ? roleOf(conversation) : { ...aboutReply(reply, { conversation, last: false }), ms };
		},
		close() {
			for (const one of pending) note(one, { last: true });
			pending = [];
		},
	};

	function keep({ name, messages }: Conversation) {
		if (conversations.length <= mostConversations) session.keep(messages, { conversation: name });
	}
}

const roleOf = ({ name }: Conversation): Partial<Step> => (name === "" ? {} : { role: `conversation ${name}` });

/** What a reply adds to a step. Of the last one, unless it calls something, only what leads to its answer is a thought. */
function aboutReply(
	{ text, thought, calls, usage }: ModelReply,
	{ conversation, last }: { conversation: Conversation; last: boolean },
): Partial<Step> {
	const thinking = [thought ?? "", calls.length > 0 || !last ? text : saidBefore(text)]
		.filter((part) => part.trim() !== "")
		.join("\n\n");
	return {
		...(thinking === "" ? {} : { thought: thinking.slice(0, longestText) }),
		...roleOf(conversation),
		usage,
	};
}

function saidBy({ text, calls }: ModelReply): ChatMessage {
	return {
		role: "assistant",
		content: text === "" ? [] : [{ type: "text", text }],
		...(calls.length > 0 ? { calls } : {}),
	};
}

const bounded = (message: ChatMessage): ChatMessage => ({
	...message,
	content: message.content.map((part) =>
		part.type === "text" && part.text.length > longestText ? { ...part, text: part.text.slice(0, longestText) } : part,
	),
});

const keyOf = ({ role, content, calls, callId }: ChatMessage): string =>
	createHash("sha256")
		.update(
			JSON.stringify([role, content.map((part) => (part.type === "text" ? part.text : part.file)), calls, callId]),
		)
		.digest("base64");

function longestBeginning(conversations: Conversation[], keys: string[]): Conversation | undefined {
	return conversations
		.filter((one) => one.keys.length > 0 && one.keys.every((key, place) => keys[place] === key))
		.sort((a, b) => b.keys.length - a.keys.length)[0];
}
