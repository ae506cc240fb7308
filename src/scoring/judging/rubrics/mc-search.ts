import { z } from "zod";
import { defineRubric, whole } from "../define-rubric.ts";

const most = 5;
const dimension = { least: 0, most };

/** MC-Search: four dimensions, each from 0 to 5; the value is their mean over 5. No grade is published, so none is given. */
export const mcSearch = defineRubric({
	name: "mc-search",
	describe:
		"Accuracy, entities, coherence and alignment, each 0 to 5, and their mean; compares the steps where there are any",
	source: "MC-Search, Appendix P",
	headline: "mean score (0 to 1)",
	needs: { evidence: false, chain: false, steps: true },
	scores: { accuracy: dimension, entities: dimension, coherence: dimension, alignment: dimension },
	scale: { least: 0, most, whole: false, of: (score) => ({ value: score / most, grade: null }) },
	role: "You grade a submitted answer against a reference answer, strictly and without taking sides.",
	task: `Use what is shown and nothing that you know beside it. Whether the reference is true is not asked: only whether the submitted answer agrees with it. An answer that claims to lack information, or is null, where there is a reference answer, is marked down. Give each a whole number from 0 to 5:
- accuracy: it answers the question, agrees with the reference in facts and relations, and contradicts none.
- entities: the entities, values and relations that the reference needs are there, and are right.
- coherence: the steps, where there are any, follow from one another; nothing leaps or conflicts; the end follows from them.
- alignment: it keeps to what was given, follows the reference steps where they apply, and adds nothing without grounds.
The numbers mean: 5 nothing to object to; 4 small flaws; 3 gaps that are noticed; 2 large gaps, or weak; 1 wrong for the most part; 0 nothing given, or beside the question.

Reply with one JSON object: {"scores": {"accuracy": number, "entities": number, "coherence": number, "alignment": number}}.`,
	reply: z.object({
		scores: z.object({
			accuracy: whole(0, most),
			entities: whole(0, most),
			coherence: whole(0, most),
			alignment: whole(0, most),
		}),
	}),
	read({ scores }) {
		const sum = Object.values(scores).reduce((total, score) => total + score, 0);
		return { value: sum / (4 * most), scores };
	},
	settled({ submitted, reference }) {
		if (submitted !== null || reference.length === 0) return undefined;
		return { value: 0, scores: { accuracy: 0, entities: 0, coherence: 0, alignment: 0 }, reason: "gave no answer" };
	},
});
