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
export const generateChainPrompt = definePrompt({
	name: "generate-chain",
	version: 1,
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
