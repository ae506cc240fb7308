import { z } from "zod";
import { definePrompt } from "../engine/prompt.ts";

/** Operations that a comparison of two quantities may ask for. */
export const comparing = ["difference", "divide", "add", "mean", "argmax", "argmin", "greater", "earlier"] as const;

/** Ends of a range. */
export const bounds = ["highest", "lowest"] as const;

const Side = z.object({
	/** The value as the sentence writes it, with its unit. */
	value: z.string().max(300),
	sentence: z.string().max(4000),
});

/** A comparative question about two entities: MMhops' comparison (Supplementary). */
export const compareEntitiesPrompt = definePrompt({
	name: "compare-entities",
	version: 2,
	variables: ["language", "firstName", "first", "secondName", "second"],
	instructions: `
You are given two entities by name and a part of the article of each. Write one question that compares the two by one
attribute of which both parts give a number, a measure or a year.

- It compares the same attribute of both and nothing else, and names that attribute exactly as the parts have it: the
  maximum where both give a maximum, the opening where both give an opening.
- Both names stand in it in full. It says in which unit the answer is wanted.
- It asks for one thing, not for two ("which is larger, and by how much" asks for two).
- operation says how the answer comes of the two values, first and second in the order in which they are given:
  difference (without sign), divide (first by second), add, mean, argmax or argmin (the answer is the name of the one with
  more or less), greater (yes if first is greater), earlier (yes if first is earlier).
- For each entity: value as its part writes it, with the unit; sentence, the one sentence that says so, copied letter by
  letter. Not "almost", "around" or "more than".
- Where a part gives a range ("3 to 5 m"), value is the whole range, the question asks for one end of it ("the maximum
  length"), and bound is "highest" or "lowest", the same for both. Otherwise bound is null.
- Question and answer are in {{language}}.

Reply as {"question": "…", "attribute": "…", "operation": "…", "bound": null, "answer": "…", "first": {"value": "…",
"sentence": "…"}, "second": {"value": "…", "sentence": "…"}}. If the parts share no such attribute, reply with an empty question and empty
values.`,
	output: z.object({
		question: z.string().max(2000),
		attribute: z.string().max(300).default(""),
		operation: z.enum(comparing).default("difference"),
		bound: z.enum(bounds).nullish(),
		answer: z.string().max(500),
		first: Side,
		second: Side,
	}),
});
