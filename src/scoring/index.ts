/** Metrics and statistics: what trajectories are measured by, one function each, and how sure the numbers are. */

export { krippendorffAlpha } from "./agreement/alpha-krippendorff.ts";
export type { Estimate } from "./agreement/estimate.ts";
export { cohenKappa } from "./agreement/kappa-cohen.ts";
export { fleissKappa } from "./agreement/kappa-fleiss.ts";
export { pearson } from "./agreement/pearson.ts";
export { spearman } from "./agreement/spearman.ts";
export { declines } from "./answers/declines.ts";
export { tokenF1 } from "./answers/token-f1.ts";
export { type ByAgent, relativeTimes } from "./behaviour/efficiency.ts";
export { failingLevels } from "./behaviour/failing-level.ts";
export {
	actionsIn,
	type FormatHealth,
	formatHealth,
	type HealthFacts,
	healthFacts,
	healthOf,
	isIllFormed,
} from "./behaviour/format-health.ts";
export { type AnsweredRow, answerOutcomes, overConfidence } from "./behaviour/over-confidence.ts";
export { reachedDepth, type SeriesTask } from "./behaviour/reached-depth.ts";
export { repeatAgreement } from "./behaviour/repeat-agreement.ts";
export { type RankedAnswer, riskCoverage } from "./behaviour/risk-coverage.ts";
export { stepsByOutcome } from "./behaviour/steps-by-outcome.ts";
export { type Aimed, aimsAt, createAim, lookingOf } from "./chain/aim.ts";
export { type SearchModality, storedAs } from "./chain/modality-coverage.ts";
export { dependentPairs } from "./chain/order.ts";
export { softHitsPerStep } from "./chain/soft-hits-per-step.ts";
export { maximumWeightMatching } from "./chain/weighted-matching.ts";
export { type Comparison, compareRuns } from "./compare.ts";
export { answerPresence, documentKind } from "./construction/answer-presence.ts";
export { chainDiversity } from "./construction/chain-diversity.ts";
export { difficulty, levelOf } from "./construction/difficulty.ts";
export { type HopRole, haveUtility, mentionsAny } from "./construction/have-utility.ts";
export { succession, visualDependence } from "./construction/visual-dependence.ts";
export { type GateDecision, gate } from "./gate.ts";
export { clusterOf, type ScoredItem } from "./items-by-task.ts";
export { askAll } from "./judging/ask-all.ts";
export { type Asker, createAsker, type Question } from "./judging/asker.ts";
export { askCount, askLabelled } from "./judging/calibration/ask-labelled.ts";
export { type Calibration, calibrate, type DimensionReport } from "./judging/calibration/calibrate.ts";
export type { Agreement } from "./judging/calibration/compare-raters.ts";
export { correctedAccuracy } from "./judging/calibration/corrected-accuracy.ts";
export { answerId, drawAnswers, labelledAnswers, type RunAnswer } from "./judging/calibration/draw-answers.ts";
export type { LabelAgreement, LabelReport } from "./judging/calibration/label-report.ts";
export { itemsFromRows, labelRows, mergeLabels } from "./judging/calibration/label-rows.ts";
export { labelsAsked } from "./judging/calibration/label-sheet.ts";
export { preference } from "./judging/calibration/preference.ts";
export { gradeSaid, R1SearcherLine, r1SearcherItem } from "./judging/calibration/r1-searcher.ts";
export { ragcheckerItems } from "./judging/calibration/ragchecker.ts";
export type { Reading } from "./judging/calibration/reading.ts";
export { runAnswers, runReadings } from "./judging/calibration/run-answers.ts";
export type { Consistency } from "./judging/calibration/subsets.ts";
export { hashOf } from "./judging/hash-of.ts";
export { holdsAnswer } from "./judging/holds-answer.ts";
export { judgeRecords, outstandingVerdicts } from "./judging/judge-records.ts";
export { judgedScore } from "./judging/judged-metric.ts";
export { judgedRows } from "./judging/judged-rows.ts";
export { type JudgeSeen, judgesIn } from "./judging/judges-in.ts";
export { createModelJudge } from "./judging/model-judge.ts";
export type { Judge, Judged, JudgedReply, Rubric, Shown } from "./judging/rubric.ts";
export { rubrics } from "./judging/rubrics.ts";
export { createRuleJudge, ruleId } from "./judging/rule-judge.ts";
export { sameModelIn } from "./judging/same-model.ts";
export { shownOf } from "./judging/shown-of.ts";
export { drawnOrder } from "./judging/shown-order.ts";
export { summariseVerdicts, type VerdictSummary } from "./judging/summarise-verdicts.ts";
export { isJudged, stampOf, verdictsOf } from "./judging/verdicts-of.ts";
export { type Metric, measureLine, metricGroups } from "./metric.ts";
export { metrics, scorerOf, scorers } from "./metrics.ts";
export { ownScorers } from "./own-scorer.ts";
export { byDeltaStep, deltaStepOf, isTextOnly, modalityCoverageTable } from "./plot-data.ts";
export type { Apart } from "./race/apart.ts";
export { looksOver } from "./race/looks.ts";
export { type Finisher, finish, losers, type RaceRules, type Racer, type Stand } from "./race/race.ts";
export { workedRecord } from "./record-metric.ts";
export { scoreBy, scorerVersion, scoreTrajectory } from "./score-trajectory.ts";
export { scoredRecord } from "./scored-record.ts";
export { type EvidenceById, isShownIn, type Scorer, type ScorerWords, wordsOf } from "./scorer.ts";

export { noValue, sliceNames, slices } from "./slices.ts";
export { type ClusteredPpi, clusteredPpi, type PartlyLabelled } from "./statistics/clustered-ppi.ts";
export { type Interval, interval, outcomesInterval } from "./statistics/interval.ts";
export { type Latency, latencyOf } from "./statistics/latency.ts";
export { benjaminiHochberg, holm } from "./statistics/many.ts";
export { mean } from "./statistics/moments.ts";
export { paired } from "./statistics/paired.ts";
export { seededRandom } from "./statistics/random.ts";
export { type RatioInterval, ratioInterval } from "./statistics/ratio-interval.ts";
export { type RepeatSpread, repeatSpread } from "./statistics/repeat-spread.ts";
export { type SharesDifference, sharesDifference } from "./statistics/two-shares.ts";
export { wilson } from "./statistics/wilson.ts";
export { type Summary, summarise } from "./summarise.ts";
export { type AdvantageMode, advantage } from "./training/advantage.ts";
export type { Aggregation } from "./training/aggregation.ts";
export { type FilterMode, groupFilter } from "./training/group-filter.ts";
export { lossMask, type Writer } from "./training/loss-mask.ts";
export { policyObjective, type SampledResponse } from "./training/policy-objective.ts";
export { type CallCount, type Reward, type RewardOptions, reward } from "./training/reward.ts";
export { tokenMask } from "./training/token-mask.ts";
export { type CalendarDate, readDates } from "./typed/date-text.ts";
export { monthNumbers } from "./typed/month-names.ts";
export { type Quantity, readQuantities } from "./typed/number-text.ts";
export { isTypedRight, typedAccuracy } from "./typed/typed-accuracy.ts";
export { convertUnit } from "./typed/units.ts";
