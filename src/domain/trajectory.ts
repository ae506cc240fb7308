import { z } from "zod";
import { EvidenceId } from "./evidence.ts";
import { freeRecord } from "./free-keys.ts";
import { Intervened } from "./intervention.ts";
import { Box } from "./layout.ts";

/** What a search brought back: ids are the knowledge base's, or addresses of web pages; ranks start at 1. */
export const Retrieved = z.object({
	id: EvidenceId,
	score: z.number(),
	rank: z.number().int().positive(),
});

/** Tokens as the provider reported them, or estimated where it did not; calls counts requests that were answered. */
export const Usage = z.object({
	calls: z.number().int().min(0),
	inputTokens: z.number().int().min(0),
	outputTokens: z.number().int().min(0),
	cachedTokens: z.number().int().min(0).optional(),
	reasoningTokens: z.number().int().min(0).optional(),
	/** Money, in the currency of the configured prices; absent where no price is known. */
	cost: z.number().min(0).optional(),
	/** Of the calls, those answered from cached responses: nothing was sent and nothing paid. */
	kept: z.number().int().min(0).optional(),
	/** Of the calls, those whose tokens are estimated by length: the server reported none, or what cannot be. */
	estimated: z.number().int().min(0).optional(),
});
export type Usage = z.infer<typeof Usage>;
export const noUsage: Usage = { calls: 0, inputTokens: 0, outputTokens: 0 };

/** What two parts of some work used together; what neither reports stays absent. A sum ends at what a record can hold. */
export function addUsage(a: Usage, b: Usage): Usage {
	const sum = { ...a };
	for (const [name, value] of Object.entries(b) as [keyof Usage, number | undefined][])
		if (value !== undefined) sum[name] = Math.min((sum[name] ?? 0) + value, Number.MAX_SAFE_INTEGER);
	return sum;
}

/** Calls that were sent: those answered from cached responses cost nothing. */
export const sentCalls = ({ calls, kept = 0 }: Usage): number => calls - kept;

export const ToolCall = z.object({
	/** Canonical tool name, e.g. `text_search`; what the model wrote when it names no known tool. */
	tool: z.string(),
	arguments: freeRecord(z.unknown()),
	/** False when the call could not be carried out as written: it cost a turn and got an error observation. */
	valid: z.boolean(),
	/** Part of the invocation that the step before it began: an action that names two images is one call, looked up in two. */
	joined: z.literal(true).optional(),
	/** The tool's own name, where it was called elsewhere by another than `tool`. */
	own: z.string().optional(),
	/** Results that the model asked for, where it chose; `arguments.k` is what was granted. */
	asked: z.number().int().positive().optional(),
});
export type ToolCall = z.infer<typeof ToolCall>;

/**
 * How a reply departs from its protocol's format although its action could be carried out. `no-thought`: no thought in its
 * tags. `outside-tags`: words that stand in no tags. `stray-tag`: a tag without its partner, or one within another.
 * `forged-observation`: tags that only the environment writes. `no-box`: an answer without the box that it belongs in.
 */
export const FormatFault = z.enum(["no-thought", "outside-tags", "stray-tag", "forged-observation", "no-box"]);
export type FormatFault = z.infer<typeof FormatFault>;

export const Step = z.object({
	index: z.number().int().min(0),
	/** The reply that it was made in, counted from 0: calls of one reply share it. Absent: a round of its own. */
	round: z.number().int().min(0).optional(),
	thought: z.string().optional(),
	subQuestion: z.string().optional(),
	call: ToolCall.optional(),
	results: z.array(Retrieved).default([]),
	subAnswer: z.string().optional(),
	usage: Usage.optional(),
	ms: z.number().min(0).default(0),
	error: z.string().optional(),
	/** Indexes of searches whose rankings this step puts into one: what the agent was given of them, in its order. */
	merges: z.array(z.number().int().min(0)).optional(),
	/** Which part of an agent of several made this step, e.g. `seeker`. */
	role: z.string().optional(),
	/** Characters of the reply behind its first complete action: cut before they entered the history. */
	dropped: z.number().int().min(0).optional(),
	/** Where the reply is not as its protocol writes it; absent where it is, and in protocols without a strict form. */
	malformed: z.array(FormatFault).min(1).optional(),
	/** The box a crop was cut by: absolute pixels of the question image, and why its convention is doubtful, if it is. */
	crop: z
		.object({
			image: z.string(),
			box: Box,
			suspect: z.string().optional(),
		})
		.optional(),
});
export type Step = z.infer<typeof Step>;

/**
 * A message as it went over the wire; images by reference, so that it can be shown, replayed and exported. A reference
 * to a part of an image ends in a media fragment: `images/1.png#xywh=10,20,30,40`, in pixels of that image.
 */
export const Message = z.object({
	role: z.enum(["system", "user", "assistant", "tool"]),
	/** Which conversation it belongs to, in an agent of several. */
	conversation: z.string().optional(),
	/** Reasoning that the provider returned apart from the text. */
	thought: z.string().optional(),
	/** Calls in the provider's own form, with their arguments as the model wrote them. */
	calls: z.array(z.object({ id: z.string(), name: z.string(), arguments: z.string() })).optional(),
	callId: z.string().optional(),
	content: z.array(
		z.discriminatedUnion("type", [
			z.object({ type: z.literal("text"), text: z.string() }),
			z.object({ type: z.literal("image"), file: z.string() }),
		]),
	),
});
export type Message = z.infer<typeof Message>;

/**
 * Something that a foreign trace recorded beside the steps: an embedding, a chain, a guardrail, or what its reader does not
 * know. Kept as it was found.
 */
export const OtherSpan = z.object({
	/** Its name in the trace. */
	name: z.string(),
	/** What the trace says it is, e.g. `embedding`; `unknown` where it does not say. */
	kind: z.string(),
	/** How many steps had begun before it. */
	step: z.number().int().min(0),
	ms: z.number().min(0),
	error: z.string().optional(),
	/** As the trace has them, long ones cut. */
	attributes: freeRecord(z.unknown()),
});
export type OtherSpan = z.infer<typeof OtherSpan>;

/**
 * How an attempt ended. `turn-limit`, `no-call-limit`: at the protocol's own limit, without an answer. `context-limit`: the
 * conversation no longer fitted the model's context, so no answer came; like a limit, and no fault of a provider's.
 * `budget`: the run's was used up. `error`: something broke.
 */
export const StopReason = z.enum(["answered", "turn-limit", "no-call-limit", "context-limit", "budget", "error"]);
export type StopReason = z.infer<typeof StopReason>;

/** All that an agent left behind on one task. Making it needs an agent; reading it does not. */
export const Trajectory = z.object({
	plan: z.string().optional(),
	steps: z.array(Step),
	answer: z.string().nullable(),
	abstained: z.boolean(),
	stop: StopReason,
	/** What failed, when `stop` is `error`; what the model's server said, when it is `context-limit`. */
	error: z.object({ boundary: z.enum(["model", "tool", "agent", "benchmark"]), message: z.string() }).optional(),
	/** Made elsewhere and known by its answer alone: what it searched is unknown, so no step is scored. */
	answerOnly: z.literal(true).optional(),
	/** Made by an agent that searches and answers nothing by design: its answer is not scored. */
	searchOnly: z.literal(true).optional(),
	/** Ids of the models that answered, as the provider returned them, and parameters that it refused. */
	served: z.object({ models: z.array(z.string()), ignored: z.array(z.string()) }).optional(),
	usage: Usage,
	ms: z.number().min(0),
	messages: z.array(Message).default([]),
	/** Ids of evidence that the agent itself says its answer rests on; those it retrieved stand in the steps. */
	cited: z.array(EvidenceId).optional(),
	/** Of one read from a trace: what else that recorded and is no step. */
	others: z.array(OtherSpan).optional(),
	/** Made under an intervention: what that did here. */
	intervened: Intervened.optional(),
});
export type Trajectory = z.infer<typeof Trajectory>;

/** Whether a record holds an answer: there is one, and it does not decline. Having ended is no answer. */
export const isAnswered = ({ answer, abstained }: Pick<Trajectory, "answer" | "abstained">): boolean =>
	!abstained && answer !== null && answer.trim() !== "";

/** What became of the calls that an agent wrote: all of them, those carried out, and those that were rejected. */
export interface CallCounts {
	written: number;
	executed: number;
	rejected: number;
}

/** Counts calls of any tool. A reply that holds no call at all is none, though it stands among the steps as invalid. */
export function callCounts({ steps }: Pick<Trajectory, "steps">): CallCounts {
	const written = steps.filter(({ call, error = "" }) => call && (call.valid || !noCall.test(error)));
	const executed = written.filter(({ call }) => call?.valid).length;
	return { written: written.length, executed, rejected: written.length - executed };
}

/** How the errors of steps begin whose reply neither called nor answered. */
const noCall = /^(?:no-action|unclosed-thought|truncated)(?::|$)/;

/** Groups steps by the reply that they were made in; a step that names none is a round of its own. In order. */
export function roundsOf<Made extends Pick<Step, "round">>(steps: readonly Made[]): Made[][] {
	const rounds = new Map<number | Made, Made[]>();
	for (const step of steps) {
		const key = step.round ?? step;
		rounds.set(key, [...(rounds.get(key) ?? []), step]);
	}
	return [...rounds.values()];
}

/** Results that a search asked for: what the model said, else what was granted, else what came back. */
export function askedResults({ call, results }: Pick<Step, "call" | "results">): number {
	const granted = call?.arguments.k;
	return call?.asked ?? (typeof granted === "number" ? granted : results.length);
}

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
	web_search: "text",
	web_image_search: "image",
} as const;
export type SearchTool = keyof typeof searchTools;

export function isSearch(tool: string): tool is SearchTool {
	return Object.hasOwn(searchTools, tool);
}

/** Searches of the live web: what they bring back has addresses for ids. */
export const isWebSearch = (tool: string): boolean => tool === "web_search" || tool === "web_image_search";
