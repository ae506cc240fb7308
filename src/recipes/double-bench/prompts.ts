/** The prompts of Double-Bench, in the order of its stages. */

import { z } from "zod";
import { definePrompt } from "../engine/prompt.ts";

/** Language and summary of a document (Double-Bench, section 3.1; the summary serves the walks of 3.3). */
export const describeDocumentPrompt = definePrompt("describe-document", 1, {
	variables: ["title", "pages"],
	instructions: `
You are shown the title and the first pages of a document.

- language: the two-letter ISO 639-1 code of the language that most of it is written in.
- summary: in two or three sentences of that language, what the document is about and what somebody would look up in it.

Reply as {"language": "en", "summary": "…"}.`,
	output: z.object({ language: z.string().regex(/^[A-Za-z]{2}$/), summary: z.string().min(1).max(4000) }),
});

/** Whether a part of a page can carry a question: Double-Bench's content filter (section 3.1, Figure 11). */
export const inspectBlockPrompt = definePrompt("inspect-block", 1, {
	variables: ["modality", "block", "caption", "near"],
	instructions: `
You choose parts of documents that questions will be asked about. You are shown one part, a {{modality}}, with its
caption and with what stands before and after it; of figures and tables the picture too, where there is one.

Keep it only if it says something by itself: facts that can be checked, that fit what stands around it, and that are
clear enough to be asked about. Do not keep decoration, what cannot be made out, what has hardly any information, what
has nothing to do with its surroundings, and what belongs to an appendix's listing, a list of references or a list of
contents.

Reply as {"keep": "yes"} or {"keep": "no"}.`,
	output: z.object({ keep: z.enum(["yes", "no"]) }),
});

const output = z.object({ question: z.string().min(1).max(2000), answer: z.string().min(1).max(4000) });

const selfContained = `
- The question can be understood by somebody who has not seen the document, and tells by its own words which subject is
  meant: names, terms, years. No "in this section", "in the table", "in the figure", "according to", "as mentioned".
- It is about what is most telling in the part, not about a detail of its layout.
- The answer stands in the part. Nothing is added to it, nothing guessed.
- Vary what is asked: who, what, when, where, which, and how or why.
- Question and answer are in {{language}}.`;

/** A question about a passage: Double-Bench's single-hop generation (Figure 12). */
export const askTextPrompt = definePrompt("ask-text", 1, {
	variables: ["language", "title", "block"],
	instructions: `
Write one question with its answer about a part of a document. You are shown the document's title and the part.
${selfContained}
- The answer may shorten what the part says.

Reply as {"question": "…", "answer": "…"}.`,
	output,
});

/** A question about a figure or table: Double-Bench's single-hop generation (Figure 13). */
export const askVisualPrompt = definePrompt("ask-visual", 1, {
	variables: ["language", "modality", "title", "block", "caption"],
	instructions: `
Write one question with its answer about a {{modality}} of a document. You are shown the document's title, the
{{modality}} (its picture where there is one, and what is written in it), and its caption.
${selfContained}
- Ask for what it shows about its subject: a value with what it means, a trend, a relation, a cause, a comparison. Do not
  ask how many things are drawn, what colour they have, or what the picture looks like.
- The answer follows from the {{modality}} itself, not from the caption alone.

Reply as {"question": "…", "answer": "…"}.`,
	output,
});

/** Makes a question that too many pages answer mean one of them: Double-Bench's refinement (Figure 24). */
export const refineQuestionPrompt = definePrompt("refine-question", 1, {
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

/** The last look at a single-hop question: Double-Bench's filter (Figures 14 and 15). */
export const inspectQuestionPrompt = definePrompt("inspect-question", 1, {
	variables: ["question", "answer", "evidence"],
	instructions: `
You decide whether a question with its answer is worth keeping for testing search over documents. You also see the
pages that it is said to be answered by.

Faults, the gravest first; name the first that you find:
- "source-reference": it speaks of "the text", "the table", "the image", "the given information" or the like.
- "vague": it does not name what it is about, so that many documents could be meant.
- "unsupported": the answer, or a part of it, does not stand on the pages, or is wrong.
- "inference": it needs more than the pages say.
- "meaningless": it is about an appendix's listing, a list of references, or a picture without meaning; it asks for no
  fact, value, process or idea.

Reply as {"reason": "one or two sentences", "keep": "yes" or "no", "fault": one of the names above, or "none"}.`,
	output: z
		.object({
			reason: z.string(),
			keep: z.enum(["yes", "no"]),
			fault: z.enum(["none", "source-reference", "vague", "unsupported", "inference", "meaningless"]),
		})
		.refine(({ keep, fault }) => (keep === "yes") === (fault === "none"), {
			message: "keep is yes if and only if fault is none",
		}),
});

const short = z.string().max(200);

/** Facts of a page as directed relations with their quotes: what Double-Bench takes LightRAG for (section 3.3). */
export const extractRelationsPrompt = definePrompt("extract-relations", 1, {
	variables: ["title", "text"],
	instructions: `
List the facts that a page of a document states, as relations between named things.

- subject and object: names of particular things, or values (dates, amounts with their unit), as the page writes them.
  Write a pronoun as the name it stands for if the page gives that name; else leave the fact out.
- relation: a short phrase that reads from subject to object and is exact enough that subject and relation leave only
  this object: "was proposed by", "has the capital". Never "is related to", "is associated with", "mentions" or the like.
- quote: the shortest run of words of the page that states the fact, copied character by character.
- types: what subject and object are, one word each.
- aliases: two names that the page itself gives to one thing, with the quote that holds both; usually there are none.
- Only what the page states.

Reply as {"triples": [{"subject": "…", "relation": "…", "object": "…", "quote": "…", "types": ["…", "…"]}], "aliases":
[{"name": "…", "alias": "…", "quote": "…"}]}. A page without facts gives empty lists.`,
	output: z.object({
		triples: z
			.array(
				z.object({
					subject: short,
					relation: short,
					object: short,
					quote: z.string().max(4000),
					types: z.array(short).max(2).default([]),
				}),
			)
			.max(500),
		aliases: z
			.array(z.object({ name: short, alias: short, quote: z.string().max(4000) }))
			.max(200)
			.default([]),
	}),
});

/** What somebody could want to know who begins at an entity: Double-Bench's intent (section 3.3). */
export const inferIntentPrompt = definePrompt("infer-intent", 1, {
	variables: ["language", "entity", "summary", "facts"],
	instructions: `
Somebody looks into a document, beginning at one thing that it speaks of. You are shown that thing, a summary of the
document, and some facts about the thing. Say in one sentence, in {{language}}, what this reader most likely wants to
find out by following facts from there. A real interest, not a list.

Reply as {"intent": "…"}.`,
	output: z.object({ intent: z.string().min(1).max(1000) }),
});

/** The next step of a walk: Double-Bench's relation selection (Figures 18 and 19). */
export const chooseRelationPrompt = definePrompt("choose-relation", 1, {
	variables: ["entity", "intent", "candidates"],
	instructions: `
You lead a walk along a graph of facts. You are at one entity; a reader's intent is given; the candidates are the facts
that lead on, numbered from 0. Choose the one after which a question has one answer only.

- Given the entity and the relation, the thing at the other end must be the only one that fits, also for a reader who
  knows more than this graph.
- Among such, take the one that serves the intent best.
- A relation that only says that two things have to do with each other ("is related to") may never be chosen.
- If none of them will do, choose null.

Reply as {"reasoning": "why this one", "selected_index": a number or null}.`,
	output: z.object({ reasoning: z.string(), selected_index: z.number().int().min(0).nullable() }),
});

/** A question about one fact: Double-Bench's step question (Figure 20). */
export const askRelationPrompt = definePrompt("ask-relation", 1, {
	variables: ["language", "entity", "fact", "asked"],
	instructions: `
Write one short question, in {{language}}, for the thing at the other end of a fact. You are shown the entity that the
question starts from, the fact, and the thing that is asked for.

- The question names the entity as it is written, states the relation exactly, and asks for the other end.
- It does not hold the answer. No "the entity that", no mention of a document.
- The answer is the thing asked for, as it is named. A name in capitals only is written as one usually writes it.

Reply as {"question": "…", "answer": "…"}.`,
	output: z.object({ question: z.string().min(1).max(1000), answer: z.string().min(1).max(400) }),
});

/** The checklist for questions of several hops: Double-Bench's multi-hop filter (Figure 22). */
export const inspectWalkPrompt = definePrompt("inspect-walk", 1, {
	variables: ["question", "answer", "steps"],
	instructions: `
You examine a question that was put together from steps along a graph of facts. You see the question, its answer, and
the steps: each with its question, its answer, and the fact as entity, relation, entity. Go through the list and name the
first point that is not met.

- "uniqueness", which counts most: in every step, entity and relation leave one answer only, also for somebody who knows
  more than these facts; and no step's question holds its own answer.
- "necessity": every step is needed. Each step's answer is what its question asks for, and without any one of them the
  last answer could not be reached.
- "clarity": the question is fluent, can be understood by itself, is exact enough to have this answer only, does not hold
  it, and nowhere says "the entity that", "the thing which" or the like.
- "significance": somebody could want to know it; it is neither trivial nor far-fetched.

Reply as {"reason": "what you found", "keep": "yes" or "no", "failed": one of the names above, or "none"}.`,
	output: z
		.object({
			reason: z.string(),
			keep: z.enum(["yes", "no"]),
			failed: z.enum(["none", "uniqueness", "necessity", "clarity", "significance"]),
		})
		.refine(({ keep, failed }) => (keep === "yes") === (failed === "none"), {
			message: "keep is yes if and only if failed is none",
		}),
});
