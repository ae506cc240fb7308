/** VistaHop's prompts from a chain to a checked question, alone and fused. */

import { z } from "zod";
import { definePrompt } from "../engine/prompt.ts";

/** A wording with its parts that can be taken away one by one. */
export const WrittenQuestion = z.object({
	question: z.string().min(1).max(4000),
	clues: z.array(z.string().min(1).max(1000)).max(50).default([]),
});

/** A question for the last entity of a chain, from the end back to its beginning (Table 20). */
export const askChainPrompt = definePrompt("ask-chain", 1, {
	variables: ["steps", "chain", "answer"],
	instructions: `
You write one question whose answer is the last entity of a chain of facts. The question takes all {{steps}} steps.

- Go backwards: begin with what is asked for, say what it is to the entity before it, and so on to the first one.
- Name the first entity, once. Name neither the answer nor any entity between.
- Describe each entity between only by its relation to the next, loosely enough that it must be looked up, but so that
  the relation is clear and leads to one thing.
- Give no shortcut: no detail that leads to the answer past a step. One question, one sentence, no list of questions.
- "clues" are the parts of your question that each stand for one step, in the very words of the question.

Reply as {"question": "...", "clues": ["..."]}.`,
	output: WrittenQuestion,
});

/** The question with its first entity replaced by a look at the image (Table 24). */
export const pointAtImagePrompt = definePrompt("point-at-image", 1, {
	variables: ["phrase", "description", "several", "question", "name", "type", "caption"],
	instructions: `
A question names an entity that can be seen in an image. You replace that name, and nothing else, by a pointer to the
image such as "the company {{phrase}}" or "this person {{phrase}}", fitting the entity's type.

- Use the words "{{phrase}}" as they stand.
- {{description}}
- {{several}}
- The name must be gone, with its abbreviations and other spellings, and nothing may say what the entity is called.
- Leave every other part of the question as it is.
- "clues" are the parts of the new question that each stand for one step, in its very words.

Reply as {"question": "...", "clues": ["..."]}.`,
	output: WrittenQuestion,
});

/** The question in plain words, with nothing that tells who or what is in the image (Table 25). */
export const simplifyQuestionPrompt = definePrompt("simplify-question", 1, {
	variables: ["phrase", "description", "question"],
	instructions: `
You make a question about an image plainer, so that it can be answered only by whoever looks at the image.

- {{description}}
- The words "{{phrase}}" stay exactly as they are.
- Plain words for pompous ones; decoration that changes nothing goes.
- Numbers and dates that the way to the answer does not need go, or become vague.
- Every fact that the way to the answer needs stays, with its relations. The answer must remain the same.
- "clues" are the parts of the new question that each stand for one step, in its very words.

Reply as {"question": "...", "clues": ["..."]}.`,
	output: WrittenQuestion,
});

/** A solver without the image says what the text alone gives away (Table 21). */
export const solveBlindPrompt = definePrompt("solve-blind", 1, {
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

/** What a blind answer says about a question (Table 22). */
export const judgeLeakPrompt = definePrompt("judge-leak", 1, {
	variables: ["question", "answer", "blind", "clues"],
	instructions: `
A question about an image was given to someone who could not see the image. You know the right answer. "blind" is what
was said ("(nothing)" if nothing), "clues" what it was taken from. Decide what is wrong with the question, if anything.

- "whole": the blind answer is right, and every detail of the question was needed for it.
- "leaks": the blind answer is right, and a part of the text was enough or gave it away.
- "ambiguous": the question can be read in more than one way. "under-specified": it lacks what is needed even with the
  image. "non-unique": more than one answer is right.
- "sound": none of these. A wrong or missing blind answer alone is no fault.

"feedback" says in one or two sentences what to change, without the answer itself.

Reply as {"verdict": "sound", "feedback": "..."}.`,
	output: z.object({
		verdict: z.enum(["sound", "whole", "leaks", "ambiguous", "under-specified", "non-unique"]),
		feedback: z.string().max(2000).default(""),
	}),
});

/** The question rewritten so that the text no longer gives the answer away (Table 23). */
export const hideCluesPrompt = definePrompt("hide-clues", 1, {
	variables: ["phrase", "question", "problem", "chain", "answer"],
	instructions: `
A question about an image can be answered without the image, or is unclear. You see what was found. Rewrite it.

- The image is still needed: the words "{{phrase}}" stay, and nothing says what the thing in the image is called.
- The way to the answer stays the same, step by step; the answer stays the same.
- Say the steps more loosely or by relation; name neither the answer nor any entity of the chain.
- "clues" are the parts of the new question that each stand for one step, in its very words.

Reply as {"question": "...", "clues": ["..."]}.`,
	output: WrittenQuestion,
});

/** How a number is made of an answer (Table 26). */
export const extractValuePrompt = definePrompt("extract-value", 1, {
	variables: ["methods", "question", "answer"],
	instructions: `
You choose how to make a number of an answer, so that anyone who has the answer comes to the same number:

{{methods}}

A year, count or measure is best used as it is; a name by its letters; a phrase by its length.

Reply as {"method": one of the names above, "value": the number, "how": "the steps"}.`,
	output: z.object({ method: z.string().max(80), value: z.number().nullable(), how: z.string().max(1000).default("") }),
});

/** Several questions about one image as one, over what each of them leads to (Tables 27 and 28). */
export const fuseQuestionsPrompt = definePrompt("fuse-questions", 1, {
	variables: ["form", "rules", "parts"],
	instructions: `
You join questions about one image into one question that needs all of them. {{form}}

{{rules}}
- Point to each part by what its own question says; every part keeps the steps that lead to its answer.
- Name no answer and no entity on the way, and give no value.

Reply as {"operation": "...", "question": "...", "result": the final answer as text, "clues": ["..."]}, where "clues" are
the parts of your question in its very words.`,
	output: z.object({
		operation: z.string().max(40),
		question: z.string().min(1).max(6000),
		result: z.union([z.string().max(1000), z.number().transform(String)]),
		clues: z.array(z.string().min(1).max(2000)).max(50).default([]),
	}),
});

/** Whether a proposed answer is right, for the probability that is put on it. */
export const confirmAnswerPrompt = definePrompt("confirm-answer", 1, {
	variables: ["question", "proposed"],
	instructions: `
You see a question about an image, the image, and a proposed answer. Say whether the proposed answer is right.

Reply as {"right": true} or {"right": false}.`,
	output: z.object({ right: z.boolean() }),
});

/** One criterion of the final look at an item (Table 6). */
export const meetCriterionPrompt = definePrompt("meet-criterion", 1, {
	variables: ["criterion", "question", "answer", "chain", "evidence"],
	instructions: `
You check one thing about a question on an image, and nothing else:

{{criterion}}

"chain" is the way to the answer, step by step. Go by the chain and the evidence; where they do not show that it holds,
it does not.

Reply as {"holds": true or false, "reason": "one sentence"}.`,
	output: z.object({ holds: z.boolean(), reason: z.string().max(1000) }),
});
