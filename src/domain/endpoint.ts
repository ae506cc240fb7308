import { z } from "zod";

/** What the server of a model may be able to do beside answering, in the words that people read. */
export const abilities = {
	pictures: "pictures",
	tools: "tools",
	parallelTools: "several calls a turn",
	stop: "stop strings",
	logprobs: "log-probabilities",
	output: "structured output",
	seed: "seeds",
	grammar: "grammars",
	reasoning: "reasoning apart",
} as const;
export type Ability = keyof typeof abilities;

/** Whether it can, and how that is known: the address and field that say so, or what a test call saw. */
export const Known = z.object({
	is: z.enum(["yes", "no", "unknown"]),
	/** Absent where it is unknown. */
	from: z.enum(["declared", "tested"]).optional(),
	how: z.string().max(1000),
});
export type Known = z.infer<typeof Known>;

/** What is known of the server of a model. Nothing in it is guessed: what nobody declared and no test showed is unknown. */
export const Endpoint = z.object({
	/** As a run records it. */
	model: z.string(),
	/** Which server it is; absent where its addresses tell of none that is known here. */
	server: z.object({ name: z.string(), version: z.string().max(200).optional() }).optional(),
	/** Tokens of prompt and reply together; absent where it is not declared. */
	context: z.object({ tokens: z.number().int().positive(), how: z.string() }).optional(),
	/** A conversation beyond the context is cut at its beginning, without a word of it. */
	cuts: z.boolean().optional(),
	can: z.record(z.enum(Object.keys(abilities) as [Ability, ...Ability[]]), Known),
	/** Names that the server lists, where the model's is none of them. */
	lists: z.array(z.string()).optional(),
	/** When the test calls were made. */
	tested: z.iso.datetime().optional(),
});
export type Endpoint = z.infer<typeof Endpoint>;
