import { z } from "zod";
import { type AnswerMatch, answerRule } from "../answer-rule.ts";
import { defineRubric, type Finding, reason, whole } from "../define-rubric.ts";

/** At least 7 right, at most 3 wrong, partly right between. The value is the share of right answers. */
function of(score: number) {
	const grade = score >= 7 ? ("right" as const) : score <= 3 ? ("wrong" as const) : ("partly-right" as const);
	return { value: grade === "right" ? 1 : 0, grade };
}
const scoredAs = (score: number, reason: string): Finding => ({ ...of(score), scores: { score }, reason });

/** Double-Bench: how well the answer meets the reference, from 1 to 10. */
export const doubleBench = defineRubric({
	name: "double-bench",
	describe: "How well the answer meets the reference, 1 to 10: right from 7 on, wrong up to 3, partly right between",
	source: "Double-Bench, 3 (Evaluation Protocol) and Figure 26",
	headline: "judged right",
	needs: { evidence: false, chain: false },
	scores: { score: { least: 1, most: 10 } },
	scale: { least: 1, most: 10, whole: true, of },
	role: "You grade a submitted answer against a reference answer, fairly and evenly.",
	task: `Give one whole number from 1 to 10 as score:
- 9 or 10: right, complete and to the point; nothing essential of the reference is missing.
- 7 or 8: right, and in agreement with the reference; small details may be missing, or it could be said shorter or better.
- 4 to 6: right in part; something that matters is missing, it is vague, or it holds small mistakes.
- 1 to 3: for the most part wrong, beside the question, invented, or no answer.

Reply with one JSON object: {"reason": one sentence, "score": a whole number from 1 to 10}.`,
	reply: z.object({ reason, score: whole(1, 10) }),
	read: ({ reason, score }) => scoredAs(score, reason),
	settled({ submitted, reference }) {
		if (submitted !== null) return undefined;
		return reference.length === 0 ? scoredAs(10, "declined, as is right") : scoredAs(1, "gave no answer");
	},
	rule(shown) {
		const found = answerRule(shown);
		return scoredAs(bandOf(found), found.words);
	},
});

/** The same: 10; held whole: 8 where more than half of the answer is it, else 7; most of its words: 5, some: 3, else 1. */
function bandOf({ match, recall, f1 }: AnswerMatch): number {
	if (match === "same") return 10;
	if (match === "held") return f1 > 0.5 ? 8 : 7;
	if (recall === 1) return 3;
	return recall >= 0.5 ? 5 : recall > 0.25 ? 3 : 1;
}
