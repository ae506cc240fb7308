import { z } from "zod";
import { definePrompt } from "../engine/prompt.ts";

const hasWords = (text: string) => /[\p{L}\p{N}]/u.test(text);

/** Single questions from a passage (AgenticRAGTracer, Figure 5). `about`: a name that they should lead on from. */
export const askFacts = definePrompt({
	name: "ask-facts",
	version: 1,
	variables: ["most", "about", "title", "passage"],
	instructions: `
Write at most {{most}} questions, each with its answer, from a passage of an encyclopedia.

- One fact a question, nothing joined to it.
- The answer is a name, a date, or a quantity with its unit that the passage states word for word; never a judgement, a
  description or a bare number.
- The question alone, without the passage, has this one answer: it names its subject in full, and the time where the
  answer depends on it. Ask for nothing of which the passage lists several.
- No superlatives without a measure, no "this passage", no answer in the question.
- Where something is given under "about", ask about it where the passage says enough of it, by exactly that name, and beside
  that for facts of the passage's own subject.
- Where the passage holds no such fact, the list is empty.

Give {"pairs": [{"question": "…", "answer": "…"}]}.`,
	output: z.object({
		pairs: z
			.array(
				z.object({ question: z.string().max(1000).refine(hasWords), answer: z.string().max(500).refine(hasWords) }),
			)
			.max(100),
	}),
});
