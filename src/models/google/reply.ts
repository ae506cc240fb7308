import { z } from "zod";
import type { Usage } from "#domain";
import { ownField } from "#domain";
import type { ChatReply } from "../chat-model.ts";
import type { ReadReply } from "../provider.ts";
import { unparseableReply } from "../unparseable.ts";
import { tokenCount } from "../usage.ts";
import { idOf, Part, toHandBack } from "./opaque.ts";

const count = tokenCount.nullish().catch(undefined);

const Generated = z
	.object({
		modelVersion: z.string().min(1).max(500).optional().catch(undefined),
		candidates: z
			.array(
				z.object({
					content: z.object({ parts: z.array(Part).nullish() }).nullish(),
					finishReason: z.string().nullish(),
					logprobsResult: z
						.object({
							chosenCandidates: z.array(z.object({ token: z.string(), logProbability: z.number() })).nullish(),
						})
						.nullish()
						.catch(undefined),
				}),
			)
			.nullish(),
		promptFeedback: z.object({ blockReason: z.string().nullish() }).nullish().catch(undefined),
		usageMetadata: z
			.object({
				promptTokenCount: count,
				candidatesTokenCount: count,
				thoughtsTokenCount: count,
				toolUsePromptTokenCount: count,
				cachedContentTokenCount: count,
			})
			.nullish()
			.catch(undefined),
	})
	.refine((body) => !!body.candidates?.length || !!body.promptFeedback?.blockReason, "holds no candidate");

const finishes: Record<string, ChatReply["finish"]> = { STOP: "stop", MAX_TOKENS: "length" };

/** A body of `generateContent`, as parsed from JSON or as text, to a reply; what does not fit is a `ModelError`. */
export function readGenerated(body: unknown, { asked }: { asked: string }): ReadReply {
	const parsed = Generated.safeParse(body);
	if (!parsed.success) throw unparseableReply("generated content", body, parsed.error);
	const { candidates, modelVersion, usageMetadata } = parsed.data;
	const model = modelVersion ?? asked;
	const usage = readUsage(usageMetadata);
	const [candidate] = candidates ?? [];
	// The prompt itself was refused.
	if (!candidate) return { text: "", finish: "other", model, usage };
	const parts = candidate.content?.parts ?? [];
	const text = parts.map((part) => (part.thought ? "" : (part.text ?? ""))).join("");
	const thought = parts.map((part) => (part.thought ? (part.text ?? "") : "")).join("");
	const calls = parts
		.flatMap(({ functionCall }) => (functionCall ? [functionCall] : []))
		.map((call, index) => ({ id: idOf(call, index), name: call.name, arguments: JSON.stringify(call.args ?? {}) }));
	const ended = ownField(finishes, candidate.finishReason ?? "STOP") ?? "other";
	const finish = ended === "stop" && calls.length > 0 ? "calls" : ended;
	const opaque = toHandBack(parts);
	const tokens = candidate.logprobsResult?.chosenCandidates;
	return {
		text,
		...(thought !== "" && { thought }),
		...(calls.length > 0 && { calls }),
		...(opaque && { opaque }),
		finish,
		...(tokens && { logprobs: tokens.map(({ token, logProbability }) => ({ token, logprob: logProbability })) }),
		model,
		usage,
	};
}

/** Thoughts are not among the candidates' tokens, and are paid for like them. */
function readUsage(usage: z.infer<typeof Generated>["usageMetadata"]): Usage | undefined {
	const cached = usage?.cachedContentTokenCount;
	const reasoning = usage?.thoughtsTokenCount;
	const inputTokens = (usage?.promptTokenCount ?? 0) + (usage?.toolUsePromptTokenCount ?? 0);
	if (inputTokens === 0) return undefined;
	return {
		calls: 1,
		inputTokens,
		outputTokens: (usage?.candidatesTokenCount ?? 0) + (reasoning ?? 0),
		...(typeof cached === "number" && { cachedTokens: cached }),
		...(typeof reasoning === "number" && { reasoningTokens: reasoning }),
	};
}
