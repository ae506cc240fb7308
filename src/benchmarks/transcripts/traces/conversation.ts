import type { Message } from "#domain";
import { messageText } from "./messages.ts";
import type { Span } from "./span.ts";

/** What went to the models of a trace and came back, without what each call repeats of those before it. */
export interface Conversations {
	messages: Message[];
	/** Replies, in their order, each with the span that it is of. */
	replies: { span: Span; message: Message }[];
	/** What came back to calls, as it stands in messages, by the call's id. */
	results: ReadonlyMap<string, string>;
}

/**
 * Puts the messages of calls to models one behind the other. A call that goes on from what an earlier one ended with joins its
 * conversation; another begins one of its own, named by the agent or its number.
 */
export function conversationsOf(models: readonly Span[], agentOf: (span: Span) => string | undefined): Conversations {
	const open: { name: string | undefined; messages: Message[]; keys: string[] }[] = [];
	const replies: Conversations["replies"] = [];
	const results = new Map<string, string>();
	const messages: Message[] = [];
	for (const [at, span] of models.entries()) {
		const { given = [], said = [] } = span.reading;
		const all = [...given, ...said];
		const keys = all.map(keyOf);
		const joined = open.findLast(
			(one) => one.keys.length <= keys.length && one.keys.every((key, place) => key === keys[place]),
		);
		const name = open.length === 0 ? undefined : (agentOf(span) ?? `${open.length + 1}`);
		const conversation = joined ?? { name, messages: [], keys: [] };
		if (!joined) open.push(conversation);
		const known = conversation.keys.length;
		for (const [place, message] of all.entries()) {
			const isReply = place >= given.length;
			const isCalling = message.role === "assistant" && (message.calls?.length ?? 0) > 0;
			if (message.role === "tool" && message.callId !== undefined) results.set(message.callId, messageText(message));
			if (isReply) replies.push({ span, message });
			// the first call may be handed what was done since the question was asked
			else if (at === 0 && isCalling && place > lastAsked(given)) replies.push({ span, message });
			if (place >= known)
				messages.push(conversation.name === undefined ? message : { ...message, conversation: conversation.name });
		}
		conversation.keys = keys;
	}
	return { messages, replies, results };
}

const lastAsked = (given: readonly Message[]) => given.findLastIndex(({ role }) => role === "user");

const keyOf = (message: Message): string =>
	JSON.stringify([
		...[message.role, messageText(message).trim(), message.callId ?? ""],
		...(message.calls ?? []).map(({ id, name }) => id || name),
	]);
