import type { RuleCheck } from "../engine/check.ts";
import { entityAnswer, noBareNumber, shortAnswer, singleAnswer } from "./answer-form.ts";
import { answerNotInQuestion } from "./answer-not-in-question.ts";
import { bridgesHidden, bridgesMentioned, bridgesNamedOnce, noNumericBridge } from "./bridges.ts";
import { distinctAnswers, distinctEvidence } from "./distinct-hops.ts";
import { longerThanBefore, yearsKept } from "./kept-facts.ts";
import {
	hiddenNamesAbsent,
	noNameQuestion,
	noSourceReference,
	questionLength,
	refersToImage,
	singleQuestion,
	unitAsked,
} from "./question-wording.ts";
import { newestNotWhole, noTrivialConcatenation } from "./trivial-concatenation.ts";

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
