/** The prompts of AgenticRAGTracer, in the order of its stages. */

import { z } from "zod";
import { promptsOf } from "../engine/prompt.ts";

const prompt = promptsOf("tracer");

export const subjects = [
	...["art", "business", "film", "geography", "history", "literature"],
	...["military", "music", "politics", "religion", "science", "sport"],
	...["technology", "other"],
] as const;

/** What a passage is about, so that the passages taken differ. */
export const classifySubject = prompt(
	"classify-subject",
	["title", "passage"],
	z.object({ field: z.enum(subjects as unknown as [string, ...string[]]) }),
);

const hasWords = (text: string) => /[\p{L}\p{N}]/u.test(text);

/** Single questions from a passage (AgenticRAGTracer, Figure 5). `about`: a name that they should lead on from. */
export const askFacts = prompt(
	"ask-facts",
	["most", "about", "title", "passage"],
	z.object({
		pairs: z
			.array(
				z.object({ question: z.string().max(1000).refine(hasWords), answer: z.string().max(500).refine(hasWords) }),
			)
			.max(100),
	}),
);

/** The bare answer of a longer one (AgenticRAGTracer, Figure 16). Its form is given by code. */
export const refineAnswer = prompt(
	"refine-answer",
	["question", "answer"],
	z.object({ refined_answer: z.string().min(1).max(500) }),
);

/** Other names of the same thing (AgenticRAGTracer, Figure 17). Dates and numbers are not asked for: code writes them. */
export const listAliases = prompt(
	"list-aliases",
	["answer"],
	z.object({ aliases: z.array(z.string().max(300)).max(100) }),
);

/** What a comparison does with its two values. */
export const comparing = ["argmin", "argmax", "earlier", "greater", "equal"] as const;

/** One question over a chain and a new pair (AgenticRAGTracer, Figures 6 to 10). */
export const mergeQuestions = prompt(
	"merge-questions",
	["most", "kinds", "chain", "question", "pair"],
	z.object({
		merged: z
			.array(
				z.object({
					type: z.enum(["inference", "comparison"]),
					final_question: z
						.string()
						.max(2000)
						.refine((text) => /\p{L}/u.test(text), "a question has words"),
					final_answer: z.string().min(1).max(500),
					operation: z.enum(comparing).nullish(),
					compared: z.tuple([z.string().min(1).max(300), z.string().min(1).max(300)]).nullish(),
				}),
			)
			.max(20),
	}),
);

/** A model may write a truth value as a word. */
const truth = z.union([z.boolean(), z.enum(["true", "false"]).transform((word) => word === "true")]);
const findingOf = <const Errors extends [string, ...string[]]>(errors: Errors) =>
	z.object({
		valid: truth,
		error_type: z.enum([...errors, "none"]).catch("none" as never),
		justification: z.string().max(2000).default(""),
	});

/** Whether a chain of inference holds (AgenticRAGTracer, Figures 11 to 13), over all its hops rather than the last two. */
export const auditInference = prompt(
	"audit-inference",
	["hops", "question", "answer"],
	findingOf(["bad_linkage", "entity_false_link", "trivial_concatenation", "other"]),
);

/** Whether a comparison holds (AgenticRAGTracer, Figures 14 and 15). */
export const auditComparison = prompt(
	"audit-comparison",
	["hops", "question", "answer"],
	findingOf(["forced_pairing", "lacking_evidence", "trivial_concatenation", "other"]),
);
