/** The prompts of AgenticRAGTracer, in the order of its stages. */

import { z } from "zod";
import { definePrompt } from "../engine/prompt.ts";

export const subjects = [
	...["art", "business", "film", "geography", "history", "literature"],
	...["military", "music", "politics", "religion", "science", "sport"],
	...["technology", "other"],
] as const;

/** What a passage is about, so that the passages taken differ. */
export const classifySubject = definePrompt("classify-subject", 1, {
	variables: ["title", "passage"],
	instructions: `
Say which of these fields the passage's subject belongs to: ${subjects.join(", ")}. Take the one that a library would shelve
it under; "other" where none fits.

Give {"field": "…"}.`,
	output: z.object({ field: z.enum(subjects as unknown as [string, ...string[]]) }),
});

const hasWords = (text: string) => /[\p{L}\p{N}]/u.test(text);

/** Single questions from a passage (AgenticRAGTracer, Figure 5). `about`: a name that they should lead on from. */
export const askFacts = definePrompt("ask-facts", 1, {
	variables: ["most", "about", "title", "passage"],
	instructions: `
Write at most {{most}} questions, each with its answer, from a passage of an encyclopedia.

- One fact a question, nothing joined to it.
- The answer is a name, a date, or a quantity with its unit that the passage states word for word; never a judgement, a
  description or a bare number.
- The question alone, without the passage, has this one answer: it names its subject in full, and the time where the
  answer depends on it. Ask for nothing of which the passage lists several.
- No superlatives without a measure, no "this passage", no answer in the question.
- Where something is given under "about", ask about it where the passage says enough of it, by exactly that name, and beside
  that for facts of the passage's own subject.
- Where the passage holds no such fact, the list is empty.

Give {"pairs": [{"question": "…", "answer": "…"}]}.`,
	output: z.object({
		pairs: z
			.array(
				z.object({ question: z.string().max(1000).refine(hasWords), answer: z.string().max(500).refine(hasWords) }),
			)
			.max(100),
	}),
});

/** The bare answer of a longer one (AgenticRAGTracer, Figure 16). Its form is given by code. */
export const refineAnswer = definePrompt("refine-answer", 1, {
	variables: ["question", "answer"],
	instructions: `
Shorten an answer to what its question asks for.

- Take words from the answer alone. Add nothing, conclude nothing.
- Leave out nothing that was asked for; of a comparison keep both sides and how they compare.
- Keep numbers, dates, units, currencies and ordinals.

Give {"refined_answer": "…"}.`,
	output: z.object({ refined_answer: z.string().min(1).max(500) }),
});

/** Other names of the same thing (AgenticRAGTracer, Figure 17). Dates and numbers are not asked for: code writes them. */
export const listAliases = definePrompt("list-aliases", 1, {
	variables: ["answer"],
	instructions: `
List other ways in which the thing named is commonly written: abbreviations, short forms, other spellings, other names.

- Each means the very same thing wherever it stands: nothing wider, nothing narrower, nothing that needs a context.
- The given form comes first. If there is no other, it stands alone.

Give {"aliases": ["…"]}.`,
	output: z.object({ aliases: z.array(z.string().max(300)).max(100) }),
});

/** What a comparison does with its two values. */
export const comparing = ["argmin", "argmax", "earlier", "greater", "equal"] as const;

/** One question over a chain and a new pair (AgenticRAGTracer, Figures 6 to 10). */
export const mergeQuestions = definePrompt("merge-questions", 1, {
	variables: ["most", "kinds", "chain", "question", "pair"],
	instructions: `
You are given a chain of questions with answers and passages, oldest first; the one question that the chain has become; and
a new pair with its passage. Write at most {{most}} questions that need the chain and the new pair. Kinds allowed: {{kinds}}.

inference: the new pair asks about the chain's last answer. Put in its place the question that the chain has become, as a
description. The answer is the new pair's.
comparison: both last answers are values of one measurable thing (two dates, two lengths). Ask which of the two things
they belong to has the smaller or larger value, or whether one has. "operation" is argmin or argmax where the answer is one of
the two; earlier, greater or equal where it is yes or no, seen from the first to the second. "compared" names both things, the
chain's first.

- Everything that the chain's question names stays in: no name, time or condition is lost or loosened.
- No answer on the way stands in the question.
- The passages themselves show that both are about the very same person, place or thing; an equal name is not enough.
- It is one question, not two joined by "and"; nobody can answer it by the new pair alone.
- If the link is weak or in doubt, the list is empty. That is the right reply for most pairs.

Give {"merged": [{"type": "inference" or "comparison", "final_question": "…", "final_answer": "…", "operation": …,
"compared": ["…", "…"]}]}; the last two with comparisons alone.`,
	output: z.object({
		merged: z
			.array(
				z.object({
					type: z.enum(["inference", "comparison"]),
					final_question: z
						.string()
						.max(2000)
						.refine((text) => /\p{L}/u.test(text), "a question has words"),
					final_answer: z.string().min(1).max(500),
					operation: z.enum(comparing).nullish(),
					compared: z.tuple([z.string().min(1).max(300), z.string().min(1).max(300)]).nullish(),
				}),
			)
			.max(20),
	}),
});

/** A model may write a truth value as a word. */
const truth = z.union([z.boolean(), z.enum(["true", "false"]).transform((word) => word === "true")]);
const findingOf = <const Errors extends [string, ...string[]]>(errors: Errors) =>
	z.object({
		valid: truth,
		error_type: z.enum([...errors, "none"]).catch("none" as never),
		justification: z.string().max(2000).default(""),
	});

const reply = `Give {"valid": true or false, "error_type": one of these names, or "none" where it is valid, "justification": one sentence}.`;

/** Whether a chain of inference holds (AgenticRAGTracer, Figures 11 to 13), over all its hops rather than the last two. */
export const auditInference = definePrompt("audit-inference", 1, {
	variables: ["hops", "question", "answer"],
	instructions: `
You check a question that was put together from a chain of smaller ones. You see every smaller question with its answer and
its passage, then the question and its answer. It is valid if following the chain through the passages leads to the answer,
step by step, and to no other.

What can be wrong:
- bad_linkage: two neighbouring facts have nothing to do with one another, however alike their words are.
- entity_false_link: they are about different people, places or things that bear the same or nearly the same name.
- trivial_concatenation: facts are only listed side by side; nothing follows from anything.
- other: anything else, such as an answer that the passages do not give, or a condition that was lost.

${reply}`,
	output: findingOf(["bad_linkage", "entity_false_link", "trivial_concatenation", "other"]),
});

/** Whether a comparison holds (AgenticRAGTracer, Figures 14 and 15). */
export const auditComparison = definePrompt("audit-comparison", 1, {
	variables: ["hops", "question", "answer"],
	instructions: `
You check a question that compares two things. You see the questions behind it with their answers and passages, then the
question and its answer. It is valid if both values are stated, belong to one measurable thing, and decide the answer.

What can be wrong:
- forced_pairing: the two values are of different kinds, or comparing them means nothing (a moment and a season).
- lacking_evidence: a value is not stated, or not exactly enough to decide (a year against a day of that year).
- trivial_concatenation: the question lists two facts and compares nothing.
- other: anything else.

${reply}`,
	output: findingOf(["forced_pairing", "lacking_evidence", "trivial_concatenation", "other"]),
});
