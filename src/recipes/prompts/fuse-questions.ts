import { z } from "zod";
import { definePrompt } from "../engine/prompt.ts";

/** Several questions about one image as one, over what each of them leads to (Tables 27 and 28). */
export const fuseQuestionsPrompt = definePrompt({
	name: "fuse-questions",
	version: 1,
	variables: ["form", "rules", "parts"],
	instructions: `
You join questions about one image into one question that needs all of them. {{form}}

{{rules}}
- Point to each part by what its own question says; every part keeps the steps that lead to its answer.
- Name no answer and no entity on the way, and give no value.

Reply as {"operation": "...", "question": "...", "result": the final answer as text, "clues": ["..."]}, where "clues" are
the parts of your question in its very words.`,
	output: z.object({
		operation: z.string().max(40),
		question: z.string().min(1).max(6000),
		result: z.union([z.string().max(1000), z.number().transform(String)]),
		clues: z.array(z.string().min(1).max(2000)).max(50).default([]),
	}),
});
