import type { ChatModel, ChatRequest } from "./chat-model.ts";
import { textOf } from "./message-text.ts";
import { ModelError } from "./model-error.ts";

/** Characters of a token where nothing was counted yet: more than any usual text has. */
const most = 8;
/** From here on a server may have cut what it counted. */
const full = 0.9;

/**
 * A model of a server that cuts without a word what outgrows its context (`tokens`): what has more tokens than that, by what
 * the server itself counted of earlier requests, is an overflow and is not sent. Pictures count for nothing, and the estimate
 * errs to the side of sending. For one conversation after another of one task: what was counted depends on nothing else.
 */
export function withinContext(model: ChatModel, tokens: number): ChatModel {
	let perToken: number | undefined;
	return {
		...model,
		async complete(request, options) {
			const characters = charactersOf(request);
			const least = Math.floor(characters / (perToken ?? most));
			if (least > tokens)
				throw new ModelError(
					`${model.id}: the conversation of some ${least} tokens exceeds the model's context length of ${tokens}, and its server would cut it without a word`,
				);
			const reply = await model.complete(request, options);
			const { inputTokens, estimated = 0 } = reply.usage;
			if (estimated === 0 && inputTokens > 0 && inputTokens < full * tokens && !hasPictures(request))
				perToken = Math.max(perToken ?? 0, characters / inputTokens);
			return reply;
		},
	};
}

const charactersOf = ({ messages, tools = [] }: ChatRequest): number =>
	messages.reduce(
		(sum, message) => sum + textOf(message).length + (message.calls ? JSON.stringify(message.calls).length : 0),
		tools.length === 0 ? 0 : JSON.stringify(tools).length,
	);

const hasPictures = ({ messages }: ChatRequest): boolean =>
	messages.some(({ content }) => content.some(({ type }) => type === "image"));
