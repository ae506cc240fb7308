import { z } from "zod";
import { Box, freeRecord } from "#domain";

/** Whose words a turn's thought are: the agent's own, a model's that was asked for them, or a fixed sentence. */
export const ThoughtBy = z.enum(["model", "agent", "template"]);
export type ThoughtBy = z.infer<typeof ThoughtBy>;

/** A part of a message; `image` is an index into the example's images. */
export const TrainingPart = z.discriminatedUnion("type", [
	z.object({ type: z.literal("text"), text: z.string() }),
	z.object({ type: z.literal("image"), image: z.number().int().min(0) }),
]);
export type TrainingPart = z.infer<typeof TrainingPart>;

/** One turn. `train`: whether a trainer puts loss on it; only assistant turns are ever trained on. */
export const TrainingMessage = z.object({
	role: z.enum(["system", "user", "assistant", "tool"]),
	content: z.array(TrainingPart),
	/** Calls in the provider's own form; `arguments` is JSON in a string, as the model writes it. */
	calls: z.array(z.object({ id: z.string(), name: z.string(), arguments: z.string() })).optional(),
	/** Of a tool's message: the call that it answers. */
	callId: z.string().optional(),
	train: z.boolean(),
	thoughtBy: ThoughtBy.optional(),
});
export type TrainingMessage = z.infer<typeof TrainingMessage>;

/** An image as it is shown: `file` is an absolute path while in memory; writers copy it beside their own files. */
export const TrainingImage = z.object({
	id: z.string().min(1),
	file: z.string().min(1),
	sha256: z
		.string()
		.regex(/^[0-9a-f]{64}$/)
		.optional(),
	/** Only this part of the image is shown, in its own pixels. */
	box: Box.optional(),
});
export type TrainingImage = z.infer<typeof TrainingImage>;

/** A function as it is offered to the model; `parameters` is a JSON Schema. */
export const TrainingTool = z.object({
	name: z.string().min(1),
	description: z.string(),
	parameters: freeRecord(z.unknown()),
});

/** Where an example comes from: a verified chain walked through the tools, or a trajectory of a run. */
export const TrainingSource = z.object({
	kind: z.enum(["chain", "trajectory"]),
	benchmark: z.string(),
	run: z.string().optional(),
	/** The protocol that the conversation is written in. */
	agent: z.string(),
	setting: z.string().optional(),
	repeat: z.number().int().min(0).optional(),
});
export type TrainingSource = z.infer<typeof TrainingSource>;

/**
 * One conversation to learn from, in no trainer's form yet. `system` stands beside the messages, which then hold no
 * system turn of their own.
 */
export const TrainingExample = z.object({
	id: z.string().min(1),
	task: z.string().min(1),
	source: TrainingSource,
	system: z.string().optional(),
	tools: z.array(TrainingTool).optional(),
	messages: z.array(TrainingMessage).min(1),
	images: z.array(TrainingImage).default([]),
	tags: freeRecord(z.string()).default({}),
});
export type TrainingExample = z.infer<typeof TrainingExample>;
