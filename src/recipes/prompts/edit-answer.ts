import { z } from "zod";
import { definePrompt } from "../engine/prompt.ts";

/** Mends an answer that was scored low: MC-Search's targeted editing (section 2.1). */
export const editAnswerPrompt = definePrompt({
	name: "edit-answer",
	version: 1,
	variables: ["language", "question", "answer", "steps", "texts", "images", "comment"],
	instructions: `
An answer was found wanting. You are shown the question, the answer, the steps with their evidence (texts with their ids,
images with theirs; the pictures stand before this text in the order of the list), and what was criticised.

Write the answer anew, in {{language}}: exactly what the question asks for, as the evidence has it, and no more. If the
answer is right as it is, or no answer can be given from the evidence, give null.

Reply as {"answer": "…"} or {"answer": null}.`,
	output: z.object({ answer: z.string().min(1).max(2000).nullable() }),
});
