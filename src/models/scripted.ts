import { noUsage } from "#domain";
import type { ChatModel, ChatRequest } from "./chat-model.ts";
import { ModelError } from "./model-error.ts";

/**
 * A model that says what it is told to, for tests and dry runs: a list of replies in order, or a function of the request
 * and of the number of requests before it. It ignores stop strings, as some servers do, and fails when the list is over.
 * A function may throw a `ModelError` to play a failing provider. Tokens are counted as words.
 */
export function scriptedModel(replies: string[] | ((request: ChatRequest, n: number) => string)): ChatModel {
	let asked = 0;
	return {
		id: "scripted",
		async complete(request, { signal } = {}) {
			signal?.throwIfAborted();
			const n = asked;
			asked += 1;
			const text = typeof replies === "function" ? replies(request, n) : replies[n];
			if (text === undefined) throw new ModelError(`scripted: there is no reply number ${n + 1}`);
			const said = request.messages.flatMap((message) => message.content);
			const inputTokens = said.reduce((sum, part) => sum + (part.type === "text" ? words(part.text) : 1), 0);
			return {
				text,
				finish: "stop",
				model: "scripted",
				usage: { ...noUsage, calls: 1, inputTokens, outputTokens: words(text) },
				ms: 0,
			};
		},
	};
}

const words = (text: string) => text.split(/\s+/).filter((word) => word !== "").length;
