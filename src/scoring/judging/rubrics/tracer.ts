import { z } from "zod";
import { answerRule } from "../answer-rule.ts";
import { defineRubric, type Finding, reason, whole } from "../define-rubric.ts";

/** Right from 1 on. */
const of = (score: number) =>
	score >= 1 ? { value: 1, grade: "right" as const } : { value: 0, grade: "wrong" as const };
const scoredAs = (score: number, reason: string): Finding => ({
	...of(score),
	scores: { answer_score: score },
	reason,
});

/** AgenticRAGTracer: all that is essential of the reference, exactly (2), with more beside it (1), or not (0). */
export const tracer = defineRubric({
	name: "tracer",
	describe: "Keeps all that is essential of the reference: 2 the same, 1 with harmless extras, 0 not; right from 1 on",
	source: "AgenticRAGTracer, Figure 23 and Appendix G",
	headline: "judged right",
	needs: { evidence: false, chain: false },
	scores: { answer_score: { least: 0, most: 2 } },
	scale: { least: 0, most: 2, whole: true, of },
	role: "You grade how well a submitted answer keeps the information of a reference answer.",
	task: `Read the question first: it decides what is essential. Compare with the reference alone, not with what you know. Then give answer_score:
- 2: the submitted answer says the same as a reference answer, in whatever words or form; nothing essential is missing and nothing is wrong. A shorter form that names the same thing in answer to the question is the same.
- 1: it holds all that is essential in a reference answer, and adds something that does not contradict it.
- 0: something essential is missing, or something in it is wrong or contradicts the reference, or it gives no answer, or it leaves open which of several answers it means.

Reply with one JSON object: {"answer_reason": one sentence, "answer_score": 0, 1 or 2}.`,
	reply: z.object({ answer_reason: reason, answer_score: whole(0, 2) }),
	read: ({ answer_reason, answer_score }) => scoredAs(answer_score, answer_reason),
	settled({ submitted, reference }) {
		if (submitted !== null) return undefined;
		return reference.length === 0 ? scoredAs(2, "declined, as is right") : scoredAs(0, "gave no answer");
	},
	rule(shown) {
		const { match, words } = answerRule(shown);
		return scoredAs({ same: 2, held: 1, no: 0 }[match], words);
	},
});
