/** The prompts of MC-Search, in the order of its stages. */

import { z } from "zod";
import { definePrompt } from "../engine/prompt.ts";

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
export const generateChainPrompt = definePrompt("generate-chain", 1, {
	variables: ["topology", "structure", "hops", "language", "texts", "images", "example"],
	instructions: `
Make one hard question that can only be answered in several steps of looking things up, with its steps and its answer.
You are shown pieces of evidence that have to do with each other: texts with their ids, images with theirs (the pictures
stand before this text in the order of the list), and possibly a simple question about them, as an idea only.

The question's shape is "{{topology}}": {{structure}}
It has {{hops}} steps.

- Each step is one sub-question that one piece of evidence answers by itself. Name that piece by its id as
  supporting_fact_id; no piece serves two steps. modality is "text" or "image", as the piece is.
- builds_on lists the numbers (from 1) of the earlier steps whose answers the sub-question needs. A step that builds on
  another asks about that step's answer by name.
- Answers stand in the evidence. Nothing comes from anywhere else.
- The question asks for what the last step finds, through all the steps before it. It names none of the answers on the
  way, and is no list of several questions.
- image_ids are the images that the steps use. Everything is in {{language}}.

Reply as {"question": "…", "answer": "…", "image_ids": ["…"], "graph_type": "{{topology}}", "subqa_chain":
[{"subquestion": "…", "modality": "text", "supporting_fact_id": "…", "answer": "…", "builds_on": []}]}.
If this evidence allows no such question, reply as {"declined": "why"}.`,
	output: z.union([ChainReply, z.object({ declined: z.string() })]),
});

/** A chain without the steps that it does not need: MC-Search's hop shrinkage (section 2.1). */
export const shrinkChainPrompt = definePrompt("shrink-chain", 1, {
	variables: ["language", "question", "answer", "steps", "redundant"],
	instructions: `
A question comes with its answer and its steps. Some steps were found to be of no use: the answer is reached without
them. Take them out.

- Write the question so that it no longer speaks of what those steps find. Its answer stays exactly as it is.
- Write each step that stays so that it needs none of those taken out; change no more than that requires. Its own answer
  and its evidence stay.
- Use every id that stays once, and no other. Everything is in {{language}}.

Reply as {"question": "…", "steps": [{"id": "…", "subquestion": "…"}]}.`,
	output: z.object({ question: said, steps: z.array(z.object({ id: z.string(), subquestion: said })).max(12) }),
});

/** What a full answer must name: MC-Search's key entities, by which answers are judged. */
export const keyEntitiesPrompt = definePrompt("key-entities", 1, {
	variables: ["question", "answer"],
	instructions: `
List what an answer must name to be complete: the people, places, works, things, dates and amounts of the right answer
that the question asks for. Copy each as the answer writes it. Leave out what the question names already and words that
say nothing by themselves.

Reply as {"key_entities": ["…"]}.`,
	output: z.object({ key_entities: z.array(z.string().min(1).max(300)).max(30) }),
});

const score = z.number().int().min(1).max(5);

/** Four scores of a chain: MC-Search's quality (section 2.1). */
export const scoreChainPrompt = definePrompt("score-chain", 1, {
	variables: ["question", "answer", "steps", "texts", "images"],
	instructions: `
Score a question, its answer and its steps from 1 (useless) to 5 (without fault). You are shown the evidence of the steps
(texts with their ids, images with theirs; the pictures stand before this text in the order of the list).

- factual: question, answers and steps say only what the evidence states or shows.
- necessity: every step is needed to reach the answer.
- clarity: question and steps can be understood and mean one thing.
- alignment: images are used for what is seen in them, texts for what they state, and both fit each other.

Reply as {"factual": 5, "necessity": 5, "clarity": 5, "alignment": 5, "comment": "what is wrong, if anything"}.`,
	output: z.object({ factual: score, necessity: score, clarity: score, alignment: score, comment: z.string() }),
});

/** Mends an answer that was scored low: MC-Search's targeted editing (section 2.1). */
export const editAnswerPrompt = definePrompt("edit-answer", 1, {
	variables: ["language", "question", "answer", "steps", "texts", "images", "comment"],
	instructions: `
An answer was found wanting. You are shown the question, the answer, the steps with their evidence (texts with their ids,
images with theirs; the pictures stand before this text in the order of the list), and what was criticised.

Write the answer anew, in {{language}}: exactly what the question asks for, as the evidence has it, and no more. If the
answer is right as it is, or no answer can be given from the evidence, give null.

Reply as {"answer": "…"} or {"answer": null}.`,
	output: z.object({ answer: z.string().min(1).max(2000).nullable() }),
});

/** What else could answer a step: MC-Search's uniqueness check within the cluster. */
export const findConfoundersPrompt = definePrompt("find-confounders", 1, {
	variables: ["question", "answer", "texts", "images"],
	instructions: `
A step of a longer question has its answer from one piece of evidence. You are shown the step and other pieces about the
same subject (texts with their ids, images with theirs; the pictures stand before this text in the order of the list).

List the ids of those that by themselves settle the step, be it with the answer given or with another that fits the
step as well. Pieces that only touch the subject are not listed.

Reply as {"resolving": ["…"]}, with an empty list if there are none.`,
	output: z.object({ resolving: z.array(z.string()).max(100) }),
});
