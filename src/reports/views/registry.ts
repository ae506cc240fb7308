/** Every view, by name: the families of `builders`, in the order they are listed and shown. */
import { acrossBenchmarks } from "./builders/across-benchmarks.ts";
import {
	averageK,
	byAnswerType,
	byK,
	byTopology,
	byTypeAndHops,
	f1ByLength,
	pipelines,
} from "./builders/answer-tables.ts";
import { deltaF1 } from "./builders/delta-f1.ts";
import { failureParts, findings, firstBroken, hopVerdicts, missCauses } from "./builders/diagnosed-runs.ts";
import { byBudget, difficulty } from "./builders/difficulty.ts";
import { errorTypes, firstFailure } from "./builders/error-types.ts";
import { bounds, hitAtK } from "./builders/graded-answers.ts";
import {
	decisiveHopView,
	errorBudgetView,
	interventionsView,
	prefixCurveView,
	trustView,
} from "./builders/intervened-runs.ts";
import { judgeConsistency, judgeSubsets } from "./builders/judge-consistency.ts";
import { judgePairs } from "./builders/judge-pairs.ts";
import { modalityCoverage } from "./builders/modality-coverage.ts";
import { failingLevel, reachedDepth } from "./builders/nested-series.ts";
import { otherGold } from "./builders/other-gold.ts";
import { overConfidence } from "./builders/over-confidence.ts";
import { rewardTerms } from "./builders/reward-terms.ts";
import { abstaining, riskCoverage } from "./builders/risk-coverage.ts";
import { softHps } from "./builders/soft-hps.ts";
import { time } from "./builders/time.ts";
import type { ViewBuilder } from "./view.ts";

export const viewBuilders: readonly ViewBuilder[] = [
	byTopology,
	f1ByLength,
	deltaF1,
	modalityCoverage,
	errorTypes,
	pipelines,
	byK,
	byTypeAndHops,
	averageK,
	difficulty,
	byBudget,
	firstFailure,
	hitAtK,
	bounds,
	byAnswerType,
	acrossBenchmarks,
	hopVerdicts,
	firstBroken,
	findings,
	missCauses,
	failureParts,
	errorBudgetView,
	interventionsView,
	decisiveHopView,
	prefixCurveView,
	trustView,
	reachedDepth,
	failingLevel,
	overConfidence,
	abstaining,
	riskCoverage,
	time,
	rewardTerms,
	judgeConsistency,
	judgeSubsets,
	judgePairs,
	otherGold,
	softHps,
];

export const viewNamed = (name: string): ViewBuilder | undefined =>
	viewBuilders.find((builder) => builder.name === name);
