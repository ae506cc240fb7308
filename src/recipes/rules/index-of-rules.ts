import type { RuleCheck } from "../engine/check.ts";
import { entityAnswer, noBareNumber, shortAnswer, singleAnswer } from "./answer-form.ts";
import { bridgesHidden, bridgesMentioned, bridgesNamedOnce, noNumericBridge } from "./bridges.ts";
import {
	distinctAnswers,
	distinctEvidence,
	longerThanBefore,
	newestNotWhole,
	noTrivialConcatenation,
	yearsKept,
} from "./distinct-hops.ts";
import {
	answerNotInQuestion,
	hiddenNamesAbsent,
	noNameQuestion,
	noSourceReference,
	questionLength,
	refersToImage,
	singleQuestion,
	unitAsked,
} from "./question-wording.ts";

/** Every rule by its name, with its default settings: what calibration and cross-audits go through. */
export const rules: Readonly<Record<string, RuleCheck>> = Object.fromEntries(
	[
		shortAnswer(),
		singleAnswer(),
		noBareNumber(),
		entityAnswer(),
		answerNotInQuestion(),
		bridgesMentioned(),
		bridgesHidden(),
		bridgesNamedOnce(),
		noNumericBridge(),
		distinctAnswers(),
		distinctEvidence(),
		singleQuestion(),
		noSourceReference(),
		noNameQuestion(),
		refersToImage(),
		hiddenNamesAbsent(),
		unitAsked(),
		questionLength(),
		noTrivialConcatenation(),
		newestNotWhole(),
		yearsKept(),
		longerThanBefore(),
	].map((check) => [check.name, check]),
);

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
