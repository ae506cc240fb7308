import { z } from "zod";
import { definePrompt } from "../engine/prompt.ts";

/** Whether one evidence gives an answer: Double-Bench's page ground truth (Figure 23). */
export const judgeEvidencePrompt = definePrompt({
	name: "judge-evidence",
	version: 1,
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
