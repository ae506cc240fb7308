/** The prompts of MMhops: bridging, then comparison. */

import { z } from "zod";
import { promptsOf } from "../engine/prompt.ts";

const prompt = promptsOf("mmhops");

/** A sub-question about a named entity with the sentence that answers it: MMhops' bridging (Supplementary). */
export const askAboutEntityPrompt = prompt(
	"ask-about-entity",
	["language", "entity", "passage"],
	z.object({
		question: z.string().max(2000),
		answer: z.string().max(1000),
		sentence: z.string().max(4000),
		aliases: z.array(z.string().max(300)).max(20).default([]),
	}),
);

/** Whether a question needs the entity that it names: MMhops' question quality control (Supplementary). */
export const judgeEntityNeedPrompt = prompt(
	"judge-entity-need",
	["entity", "question"],
	z.object({ needed: z.boolean(), why: z.string().max(1000).default("") }),
);

/** Whether two entries are about one thing: MMhops' removal of near entities before comparison. */
export const judgeSameConceptPrompt = prompt(
	"judge-same-concept",
	["first", "second"],
	z.object({ same: z.boolean() }),
);

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
export const compareEntitiesPrompt = prompt(
	"compare-entities",
	["language", "answers", "firstName", "first", "secondName", "second"],
	z.object({
		question: z.string().max(2000),
		attribute: z.string().max(300).default(""),
		operation: z.enum(comparing).default("difference"),
		bound: z.enum(bounds).nullish(),
		answer: z.string().max(500),
		first: Side,
		second: Side,
	}),
);

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
export const judgeComparisonPrompt = prompt(
	"judge-comparison",
	["firstName", "secondName", "question", "answer", "firstSentence", "secondSentence"],
	z.object({ problem: z.enum(comparisonProblems), why: z.string().max(1000).default("") }),
);

/** Puts pictures in the place of two names: MMhops' rewriting of comparisons (Supplementary). */
export const depictEntitiesPrompt = prompt(
	"depict-entities",
	["language", "firstName", "secondName", "question", "answer"],
	z.object({ question: z.string().min(1).max(2000) }),
);
