/** The prompts of MMhops: bridging, then comparison. */

import { z } from "zod";
import { definePrompt } from "../engine/prompt.ts";

/** A sub-question about a named entity with the sentence that answers it: MMhops' bridging (Supplementary). */
export const askAboutEntityPrompt = definePrompt("ask-about-entity", 2, {
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

/** Whether a question needs the entity that it names: MMhops' question quality control (Supplementary). */
export const judgeEntityNeedPrompt = definePrompt("judge-entity-need", 1, {
	variables: ["entity", "question"],
	instructions: `
You are given the name of an entity and a question about it. Say whether the question can be answered only by somebody
who knows which entity is meant.

needed is false if any of these holds:
- the question would have the same answer, and could be answered, with the name blotted out, since another name, title
  or description in it leads there by itself;
- the question is about something else that is only called after the entity or belongs to it, and names that;
- the entity's name does not stand in it in full.
Otherwise needed is true, even if the question is hard or odd.

Reply as {"needed": true, "why": "…"} or {"needed": false, "why": "…"}; why is a few words.`,
	output: z.object({ needed: z.boolean(), why: z.string().max(1000).default("") }),
});

/** Whether two entries are about one thing: MMhops' removal of near entities before comparison. */
export const judgeSameConceptPrompt = definePrompt("judge-same-concept", 1, {
	variables: ["first", "second"],
	instructions: `
You are given the beginnings of two encyclopedia articles. Say whether they are about the same thing, or one of them about
a part, a version or another name of the other, so that a comparison of the two would be pointless. Two different things
of one kind are not the same.

Reply as {"same": true} or {"same": false}.`,
	output: z.object({ same: z.boolean() }),
});

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
export const compareEntitiesPrompt = definePrompt("compare-entities", 2, {
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
export const judgeComparisonPrompt = definePrompt("judge-comparison", 1, {
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

/** Puts pictures in the place of two names: MMhops' rewriting of comparisons (Supplementary). */
export const depictEntitiesPrompt = definePrompt("depict-entities", 1, {
	variables: ["language", "firstName", "secondName", "question", "answer"],
	instructions: `
You are given a question that compares two entities, and its answer. The first entity is shown in the first image, the
second in the second. Write the question so that somebody who sees the images and not the names understands it.

- Say "the … in the first image" and "the … in the second image" (or what {{language}} says for it), with the kind of
  thing that it is: animal, building, vehicle. Neither name nor any part of it is left.
- The meaning, the unit and the answer stay. If the answer is the name of one of them, add "(answer the name)".
- It is short, and sounds as a person would ask.

Reply as {"question": "…"}.`,
	output: z.object({ question: z.string().min(1).max(2000) }),
});
