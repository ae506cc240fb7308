import type { RuleCheck } from "../engine/check.ts";
import { noBareNumber, shortAnswer, singleAnswer } from "./answer-form.ts";
import { answerNotInQuestion } from "./answer-not-in-question.ts";
import { bridgesHidden, bridgesMentioned, noNumericBridge } from "./bridges.ts";
import { distinctAnswers } from "./distinct-hops.ts";
import { longerThanBefore, yearsKept } from "./kept-facts.ts";
import { noNameQuestion, noSourceReference, singleQuestion } from "./question-wording.ts";
import { newestNotWhole, noTrivialConcatenation } from "./trivial-concatenation.ts";

/**
 * The structural rules of AgenticRAGTracer's paper and released code, as one preset: what a single question must be, and
 * what a merged one must be. They are that benchmark's taste (no numbers, no "and"), not a measure of any other's.
 */
export const tracerRules: Readonly<Record<"atomic" | "merged", readonly RuleCheck[]>> = {
	atomic: [
		// ten words are too many there
		shortAnswer({ most: 9 }),
		singleAnswer(),
		noBareNumber(),
		answerNotInQuestion({ matching: "released" }),
		singleQuestion(),
		noNameQuestion(),
		noSourceReference({ matching: "released" }),
	],
	merged: [
		distinctAnswers(),
		noNumericBridge(),
		bridgesMentioned({ matching: "released" }),
		bridgesHidden(),
		longerThanBefore({ least: 3 }),
		newestNotWhole(),
		noTrivialConcatenation(),
		yearsKept(),
	],
};
