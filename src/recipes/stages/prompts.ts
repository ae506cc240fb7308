/** Prompts that several recipes share. */

import { z } from "zod";
import { definePrompt } from "../engine/prompt.ts";

/** What a solver may draw on. */
export const sourcesOfAnswers = {
	own: "You may use what you know yourself beside the material.",
	given: "Use the material alone, even where you know better: what it does not state you do not know.",
} as const;

/** Of an answer: more is the material said again, in which any answer may stand. */
const mostCharacters = 500;

/** A solver's part: one question, whatever material a probe hands it, and leave to say that it cannot tell. */
export const answerFromEvidence = definePrompt("answer-from-evidence", 1, {
	variables: ["sources", "question", "evidence"],
	instructions: `
You answer one question. The material may hold pieces of evidence, pictures among them, or nothing at all.

- {{sources}}
- Answer with the bare fact that is asked for (a name, a number with its unit, a date, yes or no), no sentence around it.
- If the question offers a choice, weigh the facts on both sides; where one of them is missing, you cannot tell.
- Never guess. If you cannot tell, the answer is null.

Give {"answer": the fact as text, or null}.`,
	output: z.object({ answer: z.union([z.string().max(mostCharacters), z.number().transform(String), z.null()]) }),
});

/** Whether one evidence gives an answer: Double-Bench's page ground truth (Figure 23). */
export const judgeEvidencePrompt = definePrompt("judge-evidence", 1, {
	variables: ["question", "answer", "evidence"],
	instructions: `
You mark which parts of a library answer a question. You are shown a question, its right answer, and one piece of
evidence: words, and its picture where there is one.

Say "yes" only if whoever reads this piece finds the answer in it, or finds in it the fact that the answer rests on.
Say "no" if it has nothing to do with the question, touches the subject without giving the fact, or gives a part that
leads to the answer only with knowledge from elsewhere or with guessing.

Reply as {"answers": "yes"} or {"answers": "no"}.`,
	output: z.object({ answers: z.enum(["yes", "no"]) }),
});

/** Whether an answer of today says what an earlier one said, in whatever words. */
export const judgeSameAnswerPrompt = definePrompt("judge-same-answer", 1, {
	variables: ["question", "earlier", "today"],
	instructions: `
A question was answered at two times. Say whether both answers give the same fact. Other words, another spelling, a fuller
or shorter name and another way of writing a date or number are the same fact; another thing, another amount beyond
rounding, or another date is not. Judge the two answers alone, not which of them is right.

Reply as {"same": true} or {"same": false}.`,
	output: z.object({ same: z.boolean() }),
});

/** Puts a question in the place of an entity of another: Double-Bench's chaining (Figure 21). */
export const nestQuestionsPrompt = definePrompt("nest-questions", 1, {
	variables: ["language", "inner", "outer", "entity"],
	instructions: `
You are given an inner question, an outer question, and an entity. The entity is the answer of the inner question and
is named in the outer one. Make one question of the two, in {{language}}.

- In the outer question, put a description taken from the inner question in the place of the entity, so that the
  entity's name, and every other name of it, is gone. Everything that the inner question states stays.
- The new question asks what the outer question asks and has its answer.
- It is one grammatical sentence that a person would say. Not "the entity that", "the thing which", "the one that".
- If the sentence could be read in two ways, choose another wording.

Example of the form: from "Which town was the painter born in?" and "Which river runs through Arden?", with the entity
Arden, comes "Which river runs through the town that the painter was born in?".

Reply as {"chained_question": "…"}.`,
	output: z.object({ chained_question: z.string().min(1).max(3000) }),
});
