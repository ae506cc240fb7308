import { z } from "zod";
import { definePrompt } from "../engine/prompt.ts";

/** What a solver may draw on. */
export const sourcesOfAnswers = {
	own: "You may use what you know yourself beside the material.",
	given: "Use the material alone, even where you know better: what it does not state you do not know.",
} as const;

/** Of an answer: more is the material said again, in which any answer may stand. */
const mostCharacters = 500;

/** A solver's part: one question, whatever material a probe hands it, and leave to say that it cannot tell. */
export const answerFromEvidence = definePrompt({
	name: "answer-from-evidence",
	version: 1,
	variables: ["sources", "question", "evidence"],
	instructions: `
You answer one question. The material may hold pieces of evidence, pictures among them, or nothing at all.

- {{sources}}
- Answer with the bare fact that is asked for (a name, a number with its unit, a date, yes or no), no sentence around it.
- If the question offers a choice, weigh the facts on both sides; where one of them is missing, you cannot tell.
- Never guess. If you cannot tell, the answer is null.

Give {"answer": the fact as text, or null}.`,
	output: z.object({ answer: z.union([z.string().max(mostCharacters), z.number().transform(String), z.null()]) }),
});
