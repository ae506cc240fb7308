/** The prompts of MC-Search, in the order of its stages. */

import { z } from "zod";
import { promptsOf } from "../engine/prompt.ts";

const prompt = promptsOf("mc-search");

const said = z.string().min(1).max(2000);

/** Question, chain and answer in one reply, in MC-Search's fields; `builds_on` adds what a step's order leaves open. */
export const ChainReply = z
	.object({
		question: said,
		answer: said,
		image_ids: z.array(z.string()).max(20).default([]),
		graph_type: z.string(),
		subqa_chain: z
			.array(
				z.object({
					subquestion: said,
					modality: z.enum(["text", "image"]),
					supporting_fact_id: z.string().min(1),
					answer: said,
					/** Earlier steps whose answers it needs, counted from 1. */
					builds_on: z.array(z.number().int().min(1)).max(10),
				}),
			)
			.min(2)
			.max(12),
	})
	.superRefine(({ subqa_chain: steps }, context) => {
		const refuse = (at: number, message: string) =>
			context.addIssue({ code: "custom", path: ["subqa_chain", at], message });
		const seen = new Set<string>();
		for (const [at, { supporting_fact_id: id, builds_on: before }] of steps.entries()) {
			if (seen.has(id)) refuse(at, `supporting_fact_id ${id} is used twice: every step rests on another piece`);
			seen.add(id);
			if (before.some((step) => step > at)) refuse(at, "builds_on may name earlier steps only");
		}
	});
export type ChainReply = z.infer<typeof ChainReply>;

/** One call for a whole chain: MC-Search's data construction (Appendix N). */
export const generateChainPrompt = prompt(
	"generate-chain",
	["topology", "structure", "hops", "compound", "answers", "language", "texts", "images", "example"],
	z.union([ChainReply, z.object({ declined: z.string() })]),
);

/** What questions and answers may be, as a generator is told. */
export const wordings = {
	compound: "It may ask for several things that the steps find; steps over texts may then stand side by side.",
	one: "It is one question, no list of several.",
	full: "The answer is written out: all that the question asks for, in one to three sentences, by names, dates and amounts.",
	bare: "The answer is the bare fact that is asked for.",
} as const;

/** As the shared prompt of that name, for answers that are written out. */
export const answerInFull = prompt(
	"answer-from-evidence",
	["sources", "question", "evidence"],
	z.object({ answer: z.union([z.string().max(2000), z.number().transform(String), z.null()]) }),
);

/** A chain without the steps that it does not need: MC-Search's hop shrinkage (section 2.1). */
export const shrinkChainPrompt = prompt(
	"shrink-chain",
	["language", "question", "answer", "steps", "redundant"],
	z.object({ question: said, steps: z.array(z.object({ id: z.string(), subquestion: said })).max(12) }),
);

/** What a full answer must name: MC-Search's key entities, by which answers are judged. */
export const keyEntitiesPrompt = prompt(
	"key-entities",
	["question", "answer"],
	z.object({ key_entities: z.array(z.string().min(1).max(300)).max(100) }),
);

const score = z.number().int().min(1).max(5);

/** Four scores of a chain: MC-Search's quality (section 2.1). */
export const scoreChainPrompt = prompt(
	"score-chain",
	["question", "answer", "steps", "texts", "images"],
	z.object({ factual: score, necessity: score, clarity: score, alignment: score, comment: z.string() }),
);

/** Mends an answer that was scored low: MC-Search's targeted editing (section 2.1). */
export const editAnswerPrompt = prompt(
	"edit-answer",
	["language", "question", "answer", "steps", "texts", "images", "comment"],
	z.object({ answer: z.string().min(1).max(2000).nullable() }),
);

/** What else could answer a step: MC-Search's uniqueness check within the cluster. */
export const findConfoundersPrompt = prompt(
	"find-confounders",
	["question", "answer", "texts", "images"],
	z.object({ resolving: z.array(z.string()).max(100) }),
);
