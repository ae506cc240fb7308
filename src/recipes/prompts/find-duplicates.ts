import { z } from "zod";
import { definePrompt } from "../engine/prompt.ts";

/** Neighbours in a chain that are one and the same thing (Table 19). */
export const findDuplicatesPrompt = definePrompt({
	name: "find-duplicates",
	version: 1,
	variables: ["chain"],
	instructions: `
You look at a chain of numbered entities and name neighbours that are the same thing under two names: synonyms, older
and newer names, an institution and its short form. A thing and its part, its place or its owner are two things.

Reply as {"pairs": [[first number, second number]]}, with an empty list where there are none.`,
	output: z.object({ pairs: z.array(z.tuple([z.number().int(), z.number().int()])).max(100) }),
});
