import { z } from "zod";
import { definePrompt } from "../engine/prompt.ts";

/** A question about one fact: Double-Bench's step question (Figure 20). */
export const askRelationPrompt = definePrompt({
	name: "ask-relation",
	version: 1,
	variables: ["language", "entity", "fact", "asked"],
	instructions: `
Write one short question, in {{language}}, for the thing at the other end of a fact. You are shown the entity that the
question starts from, the fact, and the thing that is asked for.

- The question names the entity as it is written, states the relation exactly, and asks for the other end.
- It does not hold the answer. No "the entity that", no mention of a document.
- The answer is the thing asked for, as it is named. A name in capitals only is written as one usually writes it.

Reply as {"question": "…", "answer": "…"}.`,
	output: z.object({ question: z.string().min(1).max(1000), answer: z.string().min(1).max(400) }),
});
