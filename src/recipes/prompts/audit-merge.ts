import { z } from "zod";
import { definePrompt } from "../engine/prompt.ts";

/** A model may write a truth value as a word. */
const truth = z.union([z.boolean(), z.enum(["true", "false"]).transform((word) => word === "true")]);
const findingOf = <const Errors extends [string, ...string[]]>(errors: Errors) =>
	z.object({
		valid: truth,
		error_type: z.enum([...errors, "none"]).catch("none" as never),
		justification: z.string().max(2000).default(""),
	});

const reply = `Give {"valid": true or false, "error_type": one of these names, or "none" where it is valid, "justification": one sentence}.`;

/** Whether a chain of inference holds (AgenticRAGTracer, Figures 11 to 13), over all its hops rather than the last two. */
export const auditInference = definePrompt({
	name: "audit-inference",
	version: 1,
	variables: ["hops", "question", "answer"],
	instructions: `
You check a question that was put together from a chain of smaller ones. You see every smaller question with its answer and
its passage, then the question and its answer. It is valid if following the chain through the passages leads to the answer,
step by step, and to no other.

What can be wrong:
- bad_linkage: two neighbouring facts have nothing to do with one another, however alike their words are.
- entity_false_link: they are about different people, places or things that bear the same or nearly the same name.
- trivial_concatenation: facts are only listed side by side; nothing follows from anything.
- other: anything else, such as an answer that the passages do not give, or a condition that was lost.

${reply}`,
	output: findingOf(["bad_linkage", "entity_false_link", "trivial_concatenation", "other"]),
});

/** Whether a comparison holds (AgenticRAGTracer, Figures 14 and 15). */
export const auditComparison = definePrompt({
	name: "audit-comparison",
	version: 1,
	variables: ["hops", "question", "answer"],
	instructions: `
You check a question that compares two things. You see the questions behind it with their answers and passages, then the
question and its answer. It is valid if both values are stated, belong to one measurable thing, and decide the answer.

What can be wrong:
- forced_pairing: the two values are of different kinds, or comparing them means nothing (a moment and a season).
- lacking_evidence: a value is not stated, or not exactly enough to decide (a year against a day of that year).
- trivial_concatenation: the question lists two facts and compares nothing.
- other: anything else.

${reply}`,
	output: findingOf(["forced_pairing", "lacking_evidence", "trivial_concatenation", "other"]),
});
