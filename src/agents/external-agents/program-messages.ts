import { z } from "zod";
import { EvidenceId, Retrieved, Setting, StopReason, ToolCall, Usage } from "#domain";

/*
 * What is said between Hopscope and a program that is an agent. Everything here goes to or comes from somebody else's
 * code, in any language: the generated JSON Schemas in docs/schemas are its reference.
 */

/** Longest answer, in characters. */
export const longestAnswer = 100_000;
/** Most steps that one task may report. */
export const mostSteps = 10_000;

const text = z.string().max(1_000_000);

/** The one request for a task: a line of JSON on standard input, or the body of a POST. */
export const TaskRequest = z.object({
	version: z.literal(1),
	task: z.object({
		id: z.string(),
		question: z.string(),
		/** BCP 47, `und` where unknown. */
		language: z.string(),
		/** In the order in which `image` counts them. */
		images: z.array(
			z.object({
				mediaType: z.string(),
				width: z.number().int().positive(),
				height: z.number().int().positive(),
				/** Absolute path of a copy: for a program on this machine. */
				file: z.string().optional(),
				/** The file in base64: for a program over HTTP. */
				data: z.string().optional(),
			}),
		),
	}),
	setting: Setting,
	/** 0-based; repeats of a task are independent samples. */
	repeat: z.number().int().min(0),
	/** Where to search; absent for a program on another machine. Calls made there are recorded and need no step. */
	tools: z
		.object({
			/** `POST URL/NAME` with the arguments as JSON. */
			url: z.string(),
			/** The same tools by the Model Context Protocol, streamable HTTP. */
			mcp: z.string(),
			/** For `Authorization: Bearer`. Good for this task only. */
			token: z.string(),
			names: z.array(z.string()),
		})
		.optional(),
	/** The run's model, where it names one: calls made there are recorded, and the program needs no key. */
	model: z
		.object({
			name: z.string(),
			/** Answers `/chat/completions`, `/responses` and `/messages`, as far as the provider does. */
			url: z.string(),
			/** Stands for the key. */
			token: z.string(),
		})
		.optional(),
});
export type TaskRequest = z.infer<typeof TaskRequest>;

/** No task uses a million million of anything: what says so was not counted. */
const ReportedUsage = Usage.refine((usage) => Object.values(usage).every((amount = 0) => amount <= 1e12), {
	message: "reports more than can be used",
});

/** A step that the program took by itself: searches elsewhere, thoughts. */
export const ReportedStep = z.object({
	thought: text.optional(),
	subQuestion: text.optional(),
	call: ToolCall.extend({
		tool: z.string().min(1).max(100),
		arguments: ToolCall.shape.arguments.default({}),
		valid: z.boolean().default(true),
	}).optional(),
	/** Best first: ids of the knowledge base, or objects with their score; ranks follow from the order. */
	results: z
		.array(z.union([EvidenceId, Retrieved.pick({ id: true }).extend({ score: z.number().default(0) })]))
		.max(1000)
		.default([]),
	subAnswer: text.optional(),
	usage: ReportedUsage.optional(),
	ms: z.number().min(0).default(0),
	error: text.optional(),
	role: z.string().max(100).optional(),
});
export type ReportedStep = z.infer<typeof ReportedStep>;

/** Ends a task. */
export const Final = z.object({
	answer: z.union([
		z.string().max(longestAnswer),
		z.number().transform(String),
		z.boolean().transform((said) => (said ? "yes" : "no")),
		z.null(),
	]),
	/** Declined to answer; without it, where `answer` is null. */
	abstained: z.boolean().optional(),
	cited: z.array(EvidenceId).max(1000).optional(),
	plan: text.optional(),
	stop: StopReason.exclude(["error"]).default("answered"),
	/** Of model calls that Hopscope did not see and no step tells. */
	usage: ReportedUsage.optional(),
});
export type Final = z.infer<typeof Final>;

/** One line of what a program streams back: steps in order, then one final or one error. */
export const ProgramLine = z.union([
	z.strictObject({ step: ReportedStep }),
	z.strictObject({ final: Final }),
	/** It failed, and a resumed run is to try the task again. */
	z.strictObject({ error: z.string().max(10_000) }),
]);
export type ProgramLine = z.infer<typeof ProgramLine>;
