import { z } from "zod";
import { definePrompt } from "../engine/prompt.ts";

/** A wording with its parts that can be taken away one by one. */
export const WrittenQuestion = z.object({
	question: z.string().min(1).max(4000),
	clues: z.array(z.string().min(1).max(1000)).max(50).default([]),
});

/** A question for the last entity of a chain, from the end back to its beginning (Table 20). */
export const askChainPrompt = definePrompt({
	name: "ask-chain",
	version: 1,
	variables: ["steps", "chain", "answer"],
	instructions: `
You write one question whose answer is the last entity of a chain of facts. The question takes all {{steps}} steps.

- Go backwards: begin with what is asked for, say what it is to the entity before it, and so on to the first one.
- Name the first entity, once. Name neither the answer nor any entity between.
- Describe each entity between only by its relation to the next, loosely enough that it must be looked up, but so that
  the relation is clear and leads to one thing.
- Give no shortcut: no detail that leads to the answer past a step. One question, one sentence, no list of questions.
- "clues" are the parts of your question that each stand for one step, in the very words of the question.

Reply as {"question": "...", "clues": ["..."]}.`,
	output: WrittenQuestion,
});
