import { z } from "zod";
import { definePrompt } from "../engine/prompt.ts";

/** How a number is made of an answer (Table 26). */
export const extractValuePrompt = definePrompt({
	name: "extract-value",
	version: 1,
	variables: ["methods", "question", "answer"],
	instructions: `
You choose how to make a number of an answer, so that anyone who has the answer comes to the same number:

{{methods}}

A year, count or measure is best used as it is; a name by its letters; a phrase by its length.

Reply as {"method": one of the names above, "value": the number, "how": "the steps"}.`,
	output: z.object({ method: z.string().max(80), value: z.number().nullable(), how: z.string().max(1000).default("") }),
});
