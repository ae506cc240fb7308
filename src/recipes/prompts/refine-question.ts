import { z } from "zod";
import { definePrompt } from "../engine/prompt.ts";

/** Makes a question that too many pages answer mean one of them: Double-Bench's refinement (Figure 24). */
export const refineQuestionPrompt = definePrompt({
	name: "refine-question",
	version: 1,
	variables: ["language", "question", "answer", "truth", "others"],
	instructions: `
A question is too open: several pages answer it. Make it mean the page called "truth" and no other.

- Compare that page (the first picture, where there are pictures) with the others. Find a detail of it that the others
  lack or state otherwise and that helps to tell what is asked for: a name, a date, a place, a condition, a method.
- Write the question again with that detail worked in, in {{language}}. It must still have the same answer, must not
  hold the answer, and must read as somebody would ask who has never seen these pages: no mention of a page, a table,
  a figure, a document or "the text".

Reply as {"reason": "the detail and why it tells the page apart", "question": "…"}.`,
	output: z.object({ reason: z.string(), question: z.string().min(1).max(2000) }),
});
