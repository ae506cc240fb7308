import { z } from "zod";
import { definePrompt } from "../engine/prompt.ts";

/** What a comparison does with its two values. */
export const comparing = ["argmin", "argmax", "earlier", "greater", "equal"] as const;

/** One question over a chain and a new pair (AgenticRAGTracer, Figures 6 to 10). */
export const mergeQuestions = definePrompt({
	name: "merge-questions",
	version: 1,
	variables: ["most", "kinds", "chain", "question", "pair"],
	instructions: `
You are given a chain of questions with answers and passages, oldest first; the one question that the chain has become; and
a new pair with its passage. Write at most {{most}} questions that need the chain and the new pair. Kinds allowed: {{kinds}}.

inference: the new pair asks about the chain's last answer. Put in its place the question that the chain has become, as a
description. The answer is the new pair's.
comparison: both last answers are values of one measurable thing (two dates, two lengths). Ask which of the two things
they belong to has the smaller or larger value, or whether one has. "operation" is argmin or argmax where the answer is one of
the two; earlier, greater or equal where it is yes or no, seen from the first to the second. "compared" names both things, the
chain's first.

- Everything that the chain's question names stays in: no name, time or condition is lost or loosened.
- No answer on the way stands in the question.
- The passages themselves show that both are about the very same person, place or thing; an equal name is not enough.
- It is one question, not two joined by "and"; nobody can answer it by the new pair alone.
- If the link is weak or in doubt, the list is empty. That is the right reply for most pairs.

Give {"merged": [{"type": "inference" or "comparison", "final_question": "…", "final_answer": "…", "operation": …,
"compared": ["…", "…"]}]}; the last two with comparisons alone.`,
	output: z.object({
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
});
