import { z } from "zod";
import { definePrompt } from "../engine/prompt.ts";

const score = z.number().int().min(1).max(5);

/** Four scores of a chain: MC-Search's quality (section 2.1). */
export const scoreChainPrompt = definePrompt({
	name: "score-chain",
	version: 1,
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
