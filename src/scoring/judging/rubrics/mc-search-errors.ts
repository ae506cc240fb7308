import { z } from "zod";
import { defineRubric, reason } from "../define-rubric.ts";
import { inOrder, inWords } from "./label-words.ts";

const labels = {
	"retrieval-failure":
		"evidence that a reference step rests on was searched for and did not come back, or something unrelated did",
	"hallucinated-entity": "an entity, attribute or value is used that neither the question nor anything found states",
	"step-omission": "a reference step that is needed was not made, and its answer was not known otherwise",
	"modality-mismatch":
		"a step looked in the wrong kind of source, such as texts where an image states it, or the other way round",
	"spurious-step": "a step was made that leads nowhere: it answers nothing that is needed, or repeats an earlier one",
	"order-dependency": "a step was made before one whose answer it needs, or ignores that answer",
	"multi-hop-failure":
		"single steps succeeded, but their answers were not joined into the chain that the question asks for",
	"evidence-misinterpretation": "the right evidence came back and was misread",
} as const;
const names = Object.keys(labels) as [keyof typeof labels, ...(keyof typeof labels)[]];

/** MC-Search's eight error types of a trajectory; several may hold, and none. */
export const mcSearchErrors = defineRubric({
	name: "mc-search-errors",
	describe: "Which of MC-Search's eight error types the steps show; several may hold, and none",
	source: "MC-Search, RQ5 (Figure 5) and Appendix H",
	needs: { evidence: true, chain: true, steps: true },
	labels,
	role: "You look for the errors in the steps that a system made to answer a question.",
	task: `Compare the submitted steps with the reference steps, and with the evidence that came back. Name every error type that the steps show; leave out those that you cannot point at. Each is decided for itself, and a right answer may have been reached with errors:
${inWords(labels)}

Reply with one JSON object: {"reason": one to four sentences that point at the steps, "labels": [error types, none if there is no error]}.`,
	reply: z.object({ reason, labels: z.array(z.enum(names)).max(40) }),
	read: ({ reason, labels: found }) => ({ labels: inOrder(names, found), reason }),
	inapplicable({ goldSteps, steps }) {
		if (!goldSteps) return "the task has no gold chain to compare with";
		return steps ? undefined : "only the answer is known, not its steps";
	},
});
