/** Every view, by name: a builder a file in `builders`, in the order they are listed and shown. */

import { acrossBenchmarks } from "./builders/across-benchmarks.ts";
import { averageK } from "./builders/average-k.ts";
import { bounds } from "./builders/bounds.ts";
import { byAnswerType } from "./builders/by-answer-type.ts";
import { byK } from "./builders/by-k.ts";
import { byTopology } from "./builders/by-topology.ts";
import { byTypeAndHops } from "./builders/by-type-and-hops.ts";
import { decisiveHopView } from "./builders/decisive-hop.ts";
import { deltaF1 } from "./builders/delta-f1.ts";
import { byBudget, difficulty } from "./builders/difficulty.ts";
import { errorBudgetView } from "./builders/error-budget.ts";
import { errorTypes } from "./builders/error-types.ts";
import { f1ByLength } from "./builders/f1-by-length.ts";
import { failingLevel } from "./builders/failing-level.ts";
import { failureParts } from "./builders/failure-parts.ts";
import { findings } from "./builders/findings.ts";
import { firstBroken } from "./builders/first-broken.ts";
import { firstFailure } from "./builders/first-failure.ts";
import { hitAtK } from "./builders/hit-at-k.ts";
import { hopVerdicts } from "./builders/hop-verdicts.ts";
import { interventionsView } from "./builders/interventions.ts";
import { judgeConsistency, judgeSubsets } from "./builders/judge-consistency.ts";
import { judgePairs } from "./builders/judge-pairs.ts";
import { missCauses } from "./builders/miss-causes.ts";
import { modalityCoverage } from "./builders/modality-coverage.ts";
import { otherGold } from "./builders/other-gold.ts";
import { overConfidence } from "./builders/over-confidence.ts";
import { pipelines } from "./builders/pipelines.ts";
import { prefixCurveView } from "./builders/prefix-curve.ts";
import { reachedDepth } from "./builders/reached-depth.ts";
import { rewardTerms } from "./builders/reward-terms.ts";
import { abstaining, riskCoverage } from "./builders/risk-coverage.ts";
import { softHps } from "./builders/soft-hps.ts";
import { time } from "./builders/time.ts";
import { trustView } from "./builders/trust.ts";
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
