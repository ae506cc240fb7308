import { questionOf } from "#domain";
import { answerPresence, mentionsAny } from "#scoring";
import { fail, pass, type RuleCheck } from "../engine/check.ts";
import { isComparison } from "./comparison.ts";
import { rule } from "./rule.ts";

/**
 * No accepted form of the answer stands in the question, by whole words. Comparisons and choices, which must name what
 * they offer, are exempt. `released` reads as AgenticRAGTracer's code does: the answer as it is written, anywhere in the
 * normalised question, or more than half of its words.
 */
export function answerNotInQuestion({ matching = "words" }: { matching?: "words" | "released" } = {}): RuleCheck {
	const about = { name: "answer-not-in-question", params: { matching } };
	return rule({ ...about, concerns: (item) => !isComparison(item) }, (item) => {
		const question = questionOf(item);
		const { value, accepted } = item.answer;
		const given =
			matching === "released" ? answerPresence(value, question).value === 1 : mentionsAny(accepted, [question]);
		return given ? fail("answer_in_question", value) : pass();
	});
}
