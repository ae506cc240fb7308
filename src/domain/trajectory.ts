import { z } from "zod";
import { EvidenceId } from "./evidence.ts";

/** What a search brought back: ids are the knowledge base's, ranks start at 1. */
export const Retrieved = z.object({
	id: EvidenceId,
	score: z.number(),
	rank: z.number().int().positive(),
});

/** Tokens as the provider reported them; calls counts requests that were answered. */
export const Usage = z.object({
	calls: z.number().int().min(0),
	inputTokens: z.number().int().min(0),
	outputTokens: z.number().int().min(0),
	cachedTokens: z.number().int().min(0).optional(),
	reasoningTokens: z.number().int().min(0).optional(),
});
export type Usage = z.infer<typeof Usage>;
export const noUsage: Usage = { calls: 0, inputTokens: 0, outputTokens: 0 };

export const ToolCall = z.object({
	/** Canonical tool name, e.g. `text_search`; what the model wrote when it names no known tool. */
	tool: z.string(),
	arguments: z.record(z.string(), z.unknown()),
	/** False when the call could not be carried out as written: it cost a turn and got an error observation. */
	valid: z.boolean(),
});
export type ToolCall = z.infer<typeof ToolCall>;

export const Step = z.object({
	index: z.number().int().min(0),
	thought: z.string().optional(),
	subQuestion: z.string().optional(),
	call: ToolCall.optional(),
	results: z.array(Retrieved).default([]),
	subAnswer: z.string().optional(),
	usage: Usage.optional(),
	ms: z.number().min(0).default(0),
	error: z.string().optional(),
	/** Characters of the reply behind its first complete action: cut before they entered the history. */
	dropped: z.number().int().min(0).optional(),
});
export type Step = z.infer<typeof Step>;

/** A message as it went over the wire; images by reference, so that it can be shown, replayed and exported. */
export const Message = z.object({
	role: z.enum(["system", "user", "assistant", "tool"]),
	content: z.array(
		z.discriminatedUnion("type", [
			z.object({ type: z.literal("text"), text: z.string() }),
			z.object({ type: z.literal("image"), file: z.string() }),
		]),
	),
});
export type Message = z.infer<typeof Message>;

export const StopReason = z.enum(["answered", "turn-limit", "no-call-limit", "budget", "error"]);
export type StopReason = z.infer<typeof StopReason>;

/** All that an agent left behind on one task. Making it needs an agent; reading it does not. */
export const Trajectory = z.object({
	plan: z.string().optional(),
	steps: z.array(Step),
	answer: z.string().nullable(),
	abstained: z.boolean(),
	stop: StopReason,
	/** What failed, when `stop` is `error`. */
	error: z.object({ boundary: z.enum(["model", "tool", "agent"]), message: z.string() }).optional(),
	/** Made elsewhere and known by its answer alone: what it searched is unknown, so no step is scored. */
	answerOnly: z.literal(true).optional(),
	/** Ids of the models that answered, as the provider returned them, and parameters that it refused. */
	served: z.object({ models: z.array(z.string()), ignored: z.array(z.string()) }).optional(),
	usage: Usage,
	ms: z.number().min(0),
	messages: z.array(Message).default([]),
});
export type Trajectory = z.infer<typeof Trajectory>;

/** The steps that searched and were carried out: what chain metrics count as predicted retrieval steps. */
export function retrievalSteps(trajectory: Trajectory): Step[] {
	return trajectory.steps.filter((step) => step.call?.valid && isSearch(step.call.tool));
}

/** The search tools of every protocol under their canonical names, with the modality each searches. */
export const searchTools = {
	text_search: "text",
	image_search_by_text: "image",
	image_search_by_image: "image",
	page_search: "page",
} as const;
export type SearchTool = keyof typeof searchTools;

export function isSearch(tool: string): tool is SearchTool {
	return Object.hasOwn(searchTools, tool);
}
