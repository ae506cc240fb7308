import { z } from "zod";
import { definePrompt } from "../engine/prompt.ts";

/** A sub-question about a named entity with the sentence that answers it: MMhops' bridging (Supplementary). */
export const askAboutEntityPrompt = definePrompt({
	name: "ask-about-entity",
	version: 2,
	variables: ["language", "entity", "passage"],
	instructions: `
You are given the name of an entity and a passage of its encyclopedia article. Write one question about the entity that
the passage answers.

- The name stands in the question once, letter by letter as given, and the question is about the entity itself: not about
  something whose name merely contains it.
- Without the name nobody could answer: no second name, date or description singles out what is asked for.
- There is exactly one answer, a name, a number with its unit, or an exact date, in a few words. If it changes with time,
  the question says for when; if it has a unit, the question says in which it is wanted.
- sentence is the one sentence of the passage that says so, copied letter by letter. It speaks of the entity and holds
  the answer.
- aliases are other names for the answer that stand in the passage; none for numbers and dates.
- Question and answer are in {{language}}.

Reply as {"question": "…", "answer": "…", "sentence": "…", "aliases": ["…"]}. If the passage allows no such question,
reply as {"question": "", "answer": "", "sentence": ""}.`,
	output: z.object({
		question: z.string().max(2000),
		answer: z.string().max(1000),
		sentence: z.string().max(4000),
		aliases: z.array(z.string().max(300)).max(20).default([]),
	}),
});
