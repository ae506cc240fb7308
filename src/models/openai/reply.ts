import { z } from "zod";
import type { Usage } from "#domain";
import { freeRecord, ownField } from "#domain";
import type { ChatReply, ToolRequest } from "../chat-model.ts";
import { ModelError } from "../model-error.ts";
import type { ReadReply } from "../provider.ts";
import { unparseableReply } from "../unparseable.ts";
import { tokenCount } from "../usage.ts";
import { Reasoning, thoughtOf, toHandBack } from "./opaque.ts";

/** Text, or parts of it; Mistral's models think in parts of their own. */
const Content = z.union([
	z.string(),
	z.array(
		z.object({
			type: z.string(),
			text: z.string().optional(),
			thinking: z
				.array(z.object({ text: z.string().optional() }))
				.optional()
				.catch(undefined),
		}),
	),
]);
type Content = z.infer<typeof Content> | null | undefined;

const textIn = (content: Content): string =>
	typeof content === "string"
		? content
		: (content ?? []).map(({ type, text }) => (type === "text" ? (text ?? "") : "")).join("");

const thinkingIn = (content: Content): string =>
	typeof content === "string"
		? ""
		: (content ?? []).flatMap(({ thinking = [] }) => thinking.map(({ text = "" }) => text)).join("");

const Call = z.object({
	id: z.string().max(500).nullish(),
	function: z.object({
		name: z.string().max(500),
		// Text by the rules; some servers send the object itself.
		arguments: z.union([z.string(), freeRecord(z.unknown())]).nullish(),
	}),
});

/** What is read of a chat completion. Servers add and omit much; a usage that does not fit counts as not reported. */
const Completion = z.object({
	model: z.string().min(1).max(500).optional().catch(undefined),
	choices: z
		.array(
			z.object({
				message: Reasoning.extend({
					content: Content.nullish(),
					refusal: z.string().nullish(),
					tool_calls: z.array(Call).nullish(),
				}),
				finish_reason: z.string().nullish(),
				/** Of a choice that gateways end with the reason `error`. */
				error: z.unknown().optional(),
				/** The stop string, or a token's number: vLLM's and SGLang's names. */
				stop_reason: z.union([z.string(), z.number()]).nullish().catch(undefined),
				matched_stop: z.union([z.string(), z.number()]).nullish().catch(undefined),
				logprobs: z
					.object({ content: z.array(z.object({ token: z.string(), logprob: z.number() })).nullish() })
					.nullish()
					.catch(undefined),
			}),
		)
		.min(1),
	usage: z
		.object({
			prompt_tokens: tokenCount,
			completion_tokens: tokenCount,
			prompt_tokens_details: z.object({ cached_tokens: tokenCount.nullish() }).nullish().catch(undefined),
			completion_tokens_details: z.object({ reasoning_tokens: tokenCount.nullish() }).nullish().catch(undefined),
		})
		.nullish()
		.catch(undefined),
});
type Choice = z.infer<typeof Completion>["choices"][number];

/**
 * A chat completion's body, as parsed from JSON or as text, to a reply; what does not fit is a `ModelError`. A reply
 * without any text is the model's own: small models end at once, a stop string may come first, reasoning may use up the
 * whole token limit. Were it an error, a model that says nothing would be left out of its own score.
 */
export function readCompletion(body: unknown, options: { asked: string }): ReadReply {
	const parsed = Completion.safeParse(body);
	if (!parsed.success) throw unparseableReply("chat completion", body, parsed.error);
	const { choices, model, usage } = parsed.data;
	const [choice] = choices;
	if (!choice) throw new ModelError("the server sent no chat completion");
	const { message, logprobs } = choice;
	if (choice.finish_reason === "error")
		throw new ModelError(`the reply was broken off: ${JSON.stringify(choice.error ?? "without a reason")}`, {
			kind: "transient",
		});
	const calls = (message.tool_calls ?? []).map(callOf);
	const refused = textIn(message.content) === "" && !!message.refusal;
	const text = textIn(message.content) || message.refusal || "";
	const thought = [thoughtOf(message), thinkingIn(message.content)].filter(Boolean).join("\n");
	const finish = refused ? "other" : finishOf(choice, calls);
	const stopped = [choice.stop_reason, choice.matched_stop].find((one) => typeof one === "string" && one !== "");
	const opaque = calls.length > 0 ? toHandBack(message) : undefined;
	return {
		text,
		...(thought !== "" && { thought }),
		...(calls.length > 0 && { calls }),
		...(opaque && { opaque }),
		finish,
		...(finish === "stop" && typeof stopped === "string" && { stopped }),
		...(logprobs?.content && { logprobs: logprobs.content }),
		model: model ?? options.asked,
		usage: usage?.prompt_tokens ? readUsage(usage) : undefined,
	};
}

function callOf({ id, function: { name, arguments: given } }: z.infer<typeof Call>, index: number): ToolRequest {
	const text = typeof given === "string" ? given : JSON.stringify(given ?? {});
	return { id: id || `call_${index}`, name, arguments: text };
}

const finishes: Record<string, ChatReply["finish"]> = {
	stop: "stop",
	eos: "stop",
	length: "length",
	tool_calls: "calls",
	function_call: "calls",
};

/** Some servers say `stop` for a reply with calls, and some `tool_calls` for one without. */
function finishOf({ finish_reason }: Choice, calls: ToolRequest[]): ChatReply["finish"] {
	const finish = ownField(finishes, finish_reason ?? "stop") ?? "other";
	if (finish === "stop" || finish === "calls") return calls.length > 0 ? "calls" : "stop";
	return finish;
}

function readUsage(usage: NonNullable<z.infer<typeof Completion>["usage"]>): Usage {
	const cached = usage.prompt_tokens_details?.cached_tokens;
	const reasoning = usage.completion_tokens_details?.reasoning_tokens;
	return {
		calls: 1,
		inputTokens: usage.prompt_tokens,
		outputTokens: usage.completion_tokens,
		...(typeof cached === "number" && { cachedTokens: cached }),
		...(typeof reasoning === "number" && { reasoningTokens: reasoning }),
	};
}
