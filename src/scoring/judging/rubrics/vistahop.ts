import { z } from "zod";
import { answerRule } from "../answer-rule.ts";
import { defineRubric, type Finding, reason } from "../define-rubric.ts";

const of = (equivalent: boolean) =>
	equivalent ? { value: 1, grade: "right" as const } : { value: 0, grade: "wrong" as const };
const withoutLooking = (equivalent: boolean, reason: string): Finding => ({
	...of(equivalent),
	relevant: [],
	support: null,
	reason,
});

/** VistaHop: whether the answer means the same as the reference; beside it, what the evidence has to do with it. */
export const vistahop = defineRubric({
	name: "vistahop",
	describe: "Whether the answer means the same as the reference; beside it, which evidence bears on it and supports it",
	source: "VistaHop, 4 (Validation Agent of VistaArena); its prompt is not published",
	headline: "Pass@1",
	needs: { evidence: true, chain: false },
	scale: { least: 0, most: 1, whole: true, of: (score) => of(score >= 1) },
	times: 5,
	role: "You check the answer that a system gave to a question.",
	task: `Decide, each for itself:
1. equivalent: whether the submitted answer says the same as a reference answer. Other spellings, formats and notations of the same thing are the same, and correct details beside it do no harm. It is not equivalent when it is wrong, when it lacks a part of what was asked, when it leaves open which of several things it means, or when it does not answer. Decide this by the reference alone.
2. relevant: the numbers of the evidence texts that help to answer the question.
3. support: whether the evidence bears out the submitted answer: "full", "part", or "none". Without evidence: "none".

Reply with one JSON object: {"reason": one or two sentences, "equivalent": true or false, "relevant": [numbers], "support": "full", "part" or "none"}.`,
	reply: z.object({
		reason,
		equivalent: z.boolean(),
		relevant: z.array(z.int().min(1)).max(100),
		support: z.enum(["full", "part", "none"]),
	}),
	read({ reason, equivalent, relevant, support }, { evidence }) {
		const ids = [...new Set(relevant)].flatMap((number) => evidence[number - 1]?.id ?? []);
		return { ...of(equivalent), relevant: ids, support: evidence.length === 0 ? null : support, reason };
	},
	settled({ submitted, reference }) {
		if (submitted !== null) return undefined;
		return reference.length === 0
			? withoutLooking(true, "declined, as is right")
			: withoutLooking(false, "gave no answer");
	},
	rule(shown) {
		const { match, words } = answerRule(shown);
		return { ...of(match === "same"), reason: words };
	},
});
