import { z } from "zod";

const common = {
	/** The answer as it would be written to a reader. */
	value: z.string(),
	/** Every form that counts as right, `value` among them. */
	accepted: z.array(z.string()).min(1),
	/** Entities that a full answer names (MC-Search's entity coverage). */
	keyEntities: z.array(z.string()).optional(),
	/** The day for which it was found right, where it can change: `YYYY-MM-DD`. */
	asOf: z
		.string()
		.regex(/^\d{4}-\d{2}-\d{2}$/)
		.optional(),
};

/**
 * What a number is: counts, years, ordinals and identifiers are right only exactly; a tolerance is for measures, shares
 * and money, where the benchmark states one.
 */
export const numberKinds = ["count", "year", "ordinal", "identifier", "measure", "share", "money"] as const;
export const NumberKind = z.enum(numberKinds);
export type NumberKind = z.infer<typeof NumberKind>;

export const NumberAnswer = z.object({
	value: z.number(),
	/** Absent where the source does not tell: then scored exactly. */
	kind: NumberKind.optional(),
	/** Closed interval that counts as right, where the benchmark states one. */
	range: z.tuple([z.number(), z.number()]).optional(),
	unit: z.string().optional(),
	/** Relative tolerance where the benchmark states one, e.g. 0.05. */
	tolerance: z.number().min(0).optional(),
});

export const TimeAnswer = z.object({
	/** `YYYY`, `YYYY-MM` or `YYYY-MM-DD`, a minus sign before years BCE. */
	iso: z.string().regex(/^-?\d{4,6}(-\d{2}(-\d{2})?)?$/),
	precision: z.enum(["year", "month", "day"]),
});

/** What a task or a hop accepts as right. `none` means that declining is the right answer; `unknown` that nobody said what is right, so that no answer is scored. */
export const Answer = z.discriminatedUnion("type", [
	z.object({ type: z.literal("string"), ...common }),
	z.object({ type: z.literal("number"), ...common, number: NumberAnswer }),
	z.object({ type: z.literal("time"), ...common, time: TimeAnswer }),
	z.object({ type: z.literal("boolean"), ...common, value: z.enum(["yes", "no"]) }),
	z.object({ type: z.literal("list"), ...common, items: z.array(z.string()).min(1) }),
	z.object({ type: z.literal("text"), ...common }),
	z.object({ type: z.literal("none"), ...common }),
	z.object({ type: z.literal("unknown"), ...common, value: z.string().max(0), accepted: z.array(z.string()).max(0) }),
]);
export type Answer = z.infer<typeof Answer>;
export type AnswerType = Answer["type"];
