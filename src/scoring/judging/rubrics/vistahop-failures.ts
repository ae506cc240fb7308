import { z } from "zod";
import { answerRule } from "../answer-rule.ts";
import { defineRubric, reason } from "../define-rubric.ts";
import { inWords } from "./label-words.ts";

const labels = {
	"visual-anchor": "the thing in the question's image that everything hangs on was not looked at, or taken for another",
	"retrieval-drift":
		"searches went astray from what was asked, or the answer rests on outside evidence that does not support it",
	"planning-collapse": "the chain was not followed to its end: steps repeat, stop early, or lose what was being asked",
	"fusion-calculation": "the single facts were found, and were joined, compared or calculated with wrongly",
	"normalisation-boundary":
		"the answer means the same as the reference, or nearly: only its form, unit, precision or name kept it from being accepted",
} as const;
const names = Object.keys(labels) as [keyof typeof labels, ...(keyof typeof labels)[]];

/** VistaHop's five failure types: of an answer that is not right, the earliest one that decided the outcome. */
export const vistahopFailures = defineRubric({
	name: "vistahop-failures",
	describe: "Which of VistaHop's five failure types came first and decided; for answers that are not right",
	source: "VistaHop, Table 9",
	needs: { evidence: true, chain: false, steps: true },
	labels,
	oneLabel: true,
	role: "You find out why a system's answer to a question was not accepted.",
	task: `Follow the submitted steps in order, with the reference steps and the evidence beside them. Find the first failure that decided the outcome: had it not happened, the rest could have gone right. Name that one type, also where later failures follow from it:
${inWords(labels)}

Reply with one JSON object: {"reason": one to four sentences that point at the step, "label": one of the types}.`,
	reply: z.object({ reason, label: z.enum(names) }),
	read: ({ reason, label }) => ({ labels: [label], reason }),
	inapplicable(shown) {
		if (shown.typedRight ?? answerRule(shown).match === "same") return "the answer is right";
		return shown.steps ? undefined : "only the answer is known, not its steps";
	},
});
