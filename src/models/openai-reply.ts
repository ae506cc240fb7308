import { z } from "zod";
import type { Usage } from "#domain";
import type { ChatReply } from "./chat-model.ts";
import { ModelError } from "./model-error.ts";

const count = z.number().int().min(0);

/** What is read of a chat completion. Servers add and omit much; a usage that does not fit counts as not reported. */
const Completion = z.object({
	model: z.string().min(1).max(500).optional().catch(undefined),
	choices: z
		.array(
			z.object({
				message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
				finish_reason: z.string().nullish(),
			}),
		)
		.min(1),
	usage: z
		.object({
			prompt_tokens: count,
			completion_tokens: count,
			prompt_tokens_details: z.object({ cached_tokens: count.nullish() }).nullish().catch(undefined),
			completion_tokens_details: z.object({ reasoning_tokens: count.nullish() }).nullish().catch(undefined),
		})
		.nullish()
		.catch(undefined),
});

/** A chat completion's body, as parsed from JSON or as text, to a reply; what does not fit is a `ModelError`. */
export function readCompletion(body: unknown, options: { asked: string }): Omit<ChatReply, "ms"> {
	if (typeof body === "string")
		throw new ModelError(
			`the server sent no chat completion but text that starts "${body.trim().slice(0, 60)}"; check the server's address`,
		);
	const parsed = Completion.safeParse(body);
	if (!parsed.success) {
		const issue = parsed.error.issues[0];
		throw new ModelError(
			`the server sent no chat completion: ${issue?.path.join(".") || "body"}: ${issue?.message ?? "does not fit"}`,
		);
	}
	const { choices, model, usage } = parsed.data;
	const { message, finish_reason } = choices[0] ?? { message: {}, finish_reason: undefined };
	const refused = !message.content && !!message.refusal;
	const text = message.content || message.refusal || "";
	const finish = refused ? "other" : (finishes[finish_reason ?? "stop"] ?? "other");
	// Reasoning may use up the whole token limit, and a filter may leave nothing: those replies are the model's own.
	if (text === "" && finish === "stop") throw new ModelError("the server sent an empty reply");
	return { text, finish, model: model ?? options.asked, usage: readUsage(usage) };
}

const finishes: Record<string, ChatReply["finish"]> = { stop: "stop", length: "length", eos: "stop" };

function readUsage(usage: z.infer<typeof Completion>["usage"]): Usage {
	const cached = usage?.prompt_tokens_details?.cached_tokens;
	const reasoning = usage?.completion_tokens_details?.reasoning_tokens;
	return {
		calls: 1,
		inputTokens: usage?.prompt_tokens ?? 0,
		outputTokens: usage?.completion_tokens ?? 0,
		...(typeof cached === "number" && { cachedTokens: cached }),
		...(typeof reasoning === "number" && { reasoningTokens: reasoning }),
	};
}
