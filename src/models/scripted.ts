import { noUsage } from "#domain";
import type { ChatModel, ChatReply, ChatRequest } from "./chat-model.ts";
import { ModelError } from "./model-error.ts";

/** What a scripted model says: a text, or whatever else a reply holds (calls, a thought, …). */
export type ScriptedReply = string | Partial<ChatReply>;

/**
 * A model that says what it is told to, for tests and dry runs: a list of replies in order, or a function of the request
 * and of the number of requests before it. It ignores stop strings, as some servers do, and fails when the list is over.
 * A function may throw a `ModelError` to play a failing provider. Tokens are counted as words.
 */
export function scriptedModel(
	replies: ScriptedReply[] | ((request: ChatRequest, n: number) => ScriptedReply),
): ChatModel {
	let asked = 0;
	return {
		id: "scripted",
		async complete(request, { signal } = {}) {
			signal?.throwIfAborted();
			const n = asked;
			asked += 1;
			const said = typeof replies === "function" ? replies(request, n) : replies[n];
			if (said === undefined) throw new ModelError(`scripted: there is no reply number ${n + 1}`);
			const reply = typeof said === "string" ? { text: said } : said;
			const { text = "", calls = [] } = reply;
			const heard = request.messages.flatMap((message) => message.content);
			const inputTokens = heard.reduce((sum, part) => sum + (part.type === "text" ? words(part.text) : 1), 0);
			const outputTokens = words(text) + calls.reduce((sum, call) => sum + 1 + words(call.arguments), 0);
			return {
				text,
				finish: calls.length > 0 ? "calls" : "stop",
				model: "scripted",
				usage: { ...noUsage, calls: 1, inputTokens, outputTokens },
				ms: 0,
				...reply,
			};
		},
	};
}

/** How many words a text has, without making them: a conversation is counted anew with each of its turns. */
function words(text: string): number {
	let count = 0;
	let within = false;
	for (let at = 0; at < text.length; at += 1) {
		const code = text.charCodeAt(at);
		const isSpace = (code <= 32 || code >= 160) && /\s/.test(text.charAt(at));
		if (within && isSpace) count += 1;
		within = !isSpace;
	}
	return within ? count + 1 : count;
}
