/** Metrics and statistics: what trajectories are measured by, one function each, and how sure the numbers are. */

export { type AlphaLevel, krippendorffAlpha } from "./agreement/alpha-krippendorff.ts";
export { type BlandAltman, blandAltman } from "./agreement/bland-altman.ts";
export type { Estimate, Label } from "./agreement/estimate.ts";
export { cohenKappa, type KappaWeights } from "./agreement/kappa-cohen.ts";
export { fleissKappa } from "./agreement/kappa-fleiss.ts";
export { pearson } from "./agreement/pearson.ts";
export { spearman } from "./agreement/spearman.ts";
export { declines } from "./answers/declines.ts";
export { tokenF1 } from "./answers/token-f1.ts";
export { averageK } from "./behaviour/average-k.ts";
export { type ByAgent, type RelativeTime, relativeTimes } from "./behaviour/efficiency.ts";
export { type FailingLevels, failingLevels } from "./behaviour/failing-level.ts";
export { actionsIn, type FormatHealth, formatHealth, isIllFormed } from "./behaviour/format-health.ts";
export { type AnsweredRow, answerOutcomes, type HitOutcome, overConfidence } from "./behaviour/over-confidence.ts";
export { type LadderTask, reachedDepth } from "./behaviour/reached-depth.ts";
export { repeatAgreement } from "./behaviour/repeat-agreement.ts";
export { type RankedAnswer, type RiskCoverage, riskCoverage } from "./behaviour/risk-coverage.ts";
export { type SteppedTask, stepsByOutcome } from "./behaviour/steps-by-outcome.ts";
export { utilisation } from "./behaviour/utilisation.ts";
export { type Aimed, aimsAt, createAim, type Looking, leastSimilarity, lookingOf } from "./chain/aim.ts";
export { type Anchors, anchors, type Crop, type ImageRegion } from "./chain/anchors.ts";
export { type SearchModality, searchModalities, storedAs } from "./chain/modality-coverage.ts";
export { dependentPairs } from "./chain/order.ts";
export { softHitsPerStep } from "./chain/soft-hits-per-step.ts";
export { maximumWeightMatching, type WeightedMatching } from "./chain/weighted-matching.ts";
export { type Comparison, compareRuns } from "./compare.ts";
export { answerPresence, documentKind } from "./construction/answer-presence.ts";
export { chainDiversity } from "./construction/chain-diversity.ts";
export { difficulty, levelOf } from "./construction/difficulty.ts";
export { type HopRole, haveUtility, mentionsAny } from "./construction/have-utility.ts";
export { succession, visualDependence } from "./construction/visual-dependence.ts";
export { askAll, type Told } from "./judging/ask-all.ts";
export { type Asked, type Asker, createAsker, type Question } from "./judging/asker.ts";
export { type AskOptions, askCount, askLabelled } from "./judging/calibration/ask-labelled.ts";
export {
	type CalibrateOptions,
	type Calibration,
	calibrate,
	type DimensionReport,
} from "./judging/calibration/calibrate.ts";
export type { Agreement } from "./judging/calibration/compare-raters.ts";
export { type CorrectedAccuracy, correctedAccuracy } from "./judging/calibration/corrected-accuracy.ts";
export { answerId, drawAnswers, labelledAnswers, type RunAnswer } from "./judging/calibration/draw-answers.ts";
export type { LabelAgreement, LabelReport } from "./judging/calibration/label-report.ts";
export { itemsFromRows, labelRows, mergeLabels } from "./judging/calibration/label-rows.ts";
export { preference, type ShownPair } from "./judging/calibration/preference.ts";
export { gradeSaid, R1SearcherLine, r1SearcherItem } from "./judging/calibration/r1-searcher.ts";
export { ragcheckerItems } from "./judging/calibration/ragchecker.ts";
export type { Measured } from "./judging/calibration/rater-pairs.ts";
export type { Reading } from "./judging/calibration/reading.ts";
export { runAnswers, runReadings } from "./judging/calibration/run-answers.ts";
export { allocate, type Drawn, sampleItems } from "./judging/calibration/sample.ts";
export { type Consistency, disjointSubsets } from "./judging/calibration/subsets.ts";
export { hashOf } from "./judging/hash-of.ts";
export { holdsAnswer } from "./judging/holds-answer.ts";
export { type JudgeOptions, judgeRecords, outstandingVerdicts } from "./judging/judge-records.ts";
export { judgedRows } from "./judging/judged-rows.ts";
export { type JudgeSeen, judgesIn } from "./judging/judges-in.ts";
export { createModelJudge } from "./judging/model-judge.ts";
export { type PositionEffect, type PositionedValue, positionEffect } from "./judging/position-effect.ts";
export type { Judge, Judged, JudgedReply, Rubric, Shown, ShownEvidence, ShownStep } from "./judging/rubric.ts";
export { rubrics } from "./judging/rubrics.ts";
export { createRuleJudge, ruleId } from "./judging/rule-judge.ts";
export { sameModelIn } from "./judging/same-model.ts";
export { shownOf } from "./judging/shown-of.ts";
export { drawnOrder, firstOf } from "./judging/shown-order.ts";
export { summariseVerdicts, type VerdictSummary } from "./judging/summarise-verdicts.ts";
export { isJudged, stampOf, verdictsOf } from "./judging/verdicts-of.ts";
export { type Metric, type MetricGroup, type MetricResult, measureLine, metricGroups } from "./metric.ts";
export { metrics } from "./metrics.ts";
export { byDeltaStep, isTextOnly, type ModalityCoverageRow, modalityCoverageTable } from "./plot-data.ts";
export { isShare, judgedScore, type ScoreName, scoreNames } from "./score-names.ts";
export { scorerVersion, scoreTrajectory } from "./score-trajectory.ts";
export { clusterOf, type ScoreChoice, type ScoredItem } from "./scores-by-task.ts";
export { noValue, sliceNames, slices } from "./slices.ts";
export { type ClusteredPpi, clusteredPpi, type PartlyLabelled } from "./statistics/clustered-ppi.ts";
export type { JudgedLabels } from "./statistics/corrected.ts";
export { type Interval, interval } from "./statistics/interval.ts";
export { benjaminiHochberg, holm } from "./statistics/many.ts";
export { mean } from "./statistics/moments.ts";
export { type Paired, paired } from "./statistics/paired.ts";
export { type Ppi, ppi } from "./statistics/ppi.ts";
export { seededRandom } from "./statistics/random.ts";
export { type RatioInterval, ratioInterval } from "./statistics/ratio-interval.ts";
export { type RepeatSpread, repeatSpread } from "./statistics/repeat-spread.ts";
export { type JudgeRates, type RoganGladen, roganGladen } from "./statistics/rogan-gladen.ts";
export { wilson } from "./statistics/wilson.ts";
export { type Summary, summarise } from "./summarise.ts";
export { type AdvantageMode, advantage } from "./training/advantage.ts";
export type { Aggregation } from "./training/aggregation.ts";
export { type FilterMode, type GroupFilter, groupFilter } from "./training/group-filter.ts";
export { type LossMask, lossMask, type Writer } from "./training/loss-mask.ts";
export { type OverlongLimits, overlongPenalty } from "./training/overlong-penalty.ts";
export {
	type ObjectiveOptions,
	type PolicyObjective,
	policyObjective,
	type SampledResponse,
} from "./training/policy-objective.ts";
export { type CallCount, type Reward, type RewardInput, type RewardOptions, reward } from "./training/reward.ts";
export { type TokenMask, tokenMask } from "./training/token-mask.ts";
export { type CalendarDate, readDates } from "./typed/date-text.ts";
export { type Quantity, readQuantities } from "./typed/number-text.ts";
export { acceptedIn, isTypedRight, type TypedVerdict, typedAccuracy } from "./typed/typed-accuracy.ts";
export { convertUnit } from "./typed/units.ts";
