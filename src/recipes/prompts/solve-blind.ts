import { z } from "zod";
import { definePrompt } from "../engine/prompt.ts";

/** A solver without the image says what the text alone gives away (Table 21). */
export const solveBlindPrompt = definePrompt({
	name: "solve-blind",
	version: 1,
	variables: ["question"],
	instructions: `
You see a question about an image, but not the image. If the text alone, with what you know, lets you tell the answer,
give it; otherwise the answer is null.

Reply as {"answer": the bare fact or null, "confidence": 0 to 1, "clues": "which words led you there"}.`,
	output: z.object({
		answer: z.union([z.string().max(2000), z.number().transform(String), z.null()]),
		confidence: z.number().min(0).max(1),
		clues: z.string().max(2000).default(""),
	}),
});
