/** Prompts that several recipes share. */

import { z } from "zod";
import { promptsOf } from "../engine/prompt.ts";

const prompt = promptsOf("shared");

/** What a solver may draw on. */
export const sourcesOfAnswers = {
	own: "You may use what you know yourself beside the material.",
	given: "Use the material alone, even where you know better: what it does not state you do not know.",
} as const;

/** Of an answer: more is the material said again, in which any answer may stand. */
const mostCharacters = 500;

/** A solver's part: one question, whatever material a probe hands it, and leave to say that it cannot tell. */
export const answerFromEvidence = prompt(
	"answer-from-evidence",
	["sources", "question", "evidence"],
	z.object({ answer: z.union([z.string().max(mostCharacters), z.number().transform(String), z.null()]) }),
);

/** How far an answer says what the right one says: AgenticRAGTracer's judge (Figure 23). */
export const judgeEquivalence = prompt(
	"judge-equivalence",
	["question", "right", "given"],
	z.object({
		score: z.union([z.literal(0), z.literal(1), z.literal(2)]),
		reason: z.string().max(2000).default(""),
	}),
);

/** Whether one evidence gives an answer: Double-Bench's page ground truth (Figure 23). */
export const judgeEvidencePrompt = prompt(
	"judge-evidence",
	["question", "answer", "evidence"],
	z.object({ answers: z.enum(["yes", "no"]) }),
);

/** Whether an answer of today says what an earlier one said, in whatever words. */
export const judgeSameAnswerPrompt = prompt(
	"judge-same-answer",
	["question", "earlier", "today"],
	z.object({ same: z.boolean() }),
);

/** Puts a question in the place of an entity of another: Double-Bench's chaining (Figure 21). */
export const nestQuestionsPrompt = prompt(
	"nest-questions",
	["language", "inner", "outer", "entity"],
	z.object({ chained_question: z.string().min(1).max(3000) }),
);
