import { z } from "zod";
import { definePrompt } from "../engine/prompt.ts";

/** What can be wrong with a comparison, beside its arithmetic, which is done in code. */
export const comparisonProblems = [
	"none",
	"compound",
	"not-both-named",
	"vague-value",
	"other-attribute",
	"not-stated",
	"other",
] as const;

/** Whether a comparison stands on its sentences: MMhops' verification (Supplementary). */
export const judgeComparisonPrompt = definePrompt({
	name: "judge-comparison",
	version: 1,
	variables: ["firstName", "secondName", "question", "answer", "firstSentence", "secondSentence"],
	instructions: `
You are given two entities by name, a question that compares them, its answer, and a sentence about each. Say what is
wrong with the question, or none. Leave the calculation aside.

- compound: it asks for more than one thing.
- not-both-named: one of the two names is missing or cut short.
- vague-value: a sentence gives its value only roughly ("almost", "around", "more than") or as one of several.
- other-attribute: the sentences are about attributes that are not the same, or not the one asked for (the award of a
  contract is not the start of production).
- not-stated: a sentence does not give the value at all.
- other: anything else that keeps a careful reader from confirming the answer.

Reply as {"problem": "…", "why": "…"}; why is a few words.`,
	output: z.object({ problem: z.enum(comparisonProblems), why: z.string().max(1000).default("") }),
});
