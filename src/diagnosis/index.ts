/** Diagnosis: which hop of a chain breaks, why, and what it costs. Records in, findings and run plans out. */

export { type ErrorAgreement, errorAgreement, judgedRightIn } from "./agreement.ts";
export type { DiagnosedItem } from "./alike-records.ts";
export { type Break, breakIn, breaksOf } from "./breaks.ts";
export { type FailureCauses, type FailurePart, failureParts } from "./causes.ts";
export { type DiagnoseInput, type DiagnoseOptions, diagnose, diagnoserVersion } from "./diagnose.ts";
export { type DiagnosedRecord, diagnoseRecords } from "./diagnose-records.ts";
export {
	type ErrorView,
	type ErrorViewName,
	errorTypeShare,
	errorTypesOf,
	errorViews,
	restsOnReading,
	showsErrorType,
} from "./error-views.ts";
export {
	type Attributed,
	type AttributionOutcome,
	type AttributionRow,
	attribute,
	attributionOutcomes,
	attributionRows,
	isSound,
	predictionOf,
	unobservedSizes,
} from "./injected/attribution.ts";
export { attributionBaselines } from "./injected/baselines.ts";
export { type Confusion, confusionOf } from "./injected/confusion.ts";
export { type InjectedRecord, injectedRecords, type Truth } from "./injected/injected.ts";
export { type InjectedBudget, injectedBudget } from "./injected/injected-budget.ts";
export { type DecisiveHop, decisiveHops } from "./interventions/decisive-hop.ts";
export { type BudgetPart, budgetParts, type ErrorBudget, errorBudget } from "./interventions/error-budget.ts";
export {
	budgetKinds,
	type InterventionPlan,
	type PlanChoices,
	planInterventions,
	trustKinds,
} from "./interventions/intervention-plan.ts";
export { type CurvePoint, type PrefixCurve, prefixCurve } from "./interventions/prefix-curve.ts";
export type { Recovery } from "./interventions/recovery.ts";
export type { Rerun, RerunItem } from "./interventions/reruns.ts";
export {
	askedOf,
	canBeSettled,
	planSettling,
	type SettlingOptions,
	type SettlingSize,
	settled,
	settlingSize,
} from "./interventions/settle.ts";
export { type Trust, type TrustPart, trustOf } from "./interventions/trust.ts";
export {
	lookIntoMisses,
	type Miss,
	type MissKey,
	type MissOptions,
	missesOf,
	withMisses,
} from "./misses/miss-cause.ts";
export { type Replay, type ReplayedHop, type ReplayOptions, replayQueries } from "./misses/replay.ts";
export type { EvidenceOf, SearchAgain, SearchedIds } from "./misses/search-again.ts";
export { outstandingReadings, type ReadHopsOptions, readHops } from "./reader/read-hops.ts";
export { leastAgreement, type ReaderAgreement, type ReadVerdict } from "./reader/reader-agreement.ts";
export { type ReaderJob, readerJobs } from "./reader/reader-jobs.ts";
export { readerPrompt } from "./reader/reader-question.ts";
export type { ReaderStamp } from "./reader/readings.ts";
export { type ReaderReport, withReadings } from "./reader/with-readings.ts";
export { isReadingComparable, type ReadingSeen, readingSeen } from "./reading-coverage.ts";
export { type BoundedShare, notObservable, type Share, shareOf } from "./shares.ts";
export {
	type DiagnosisSummary,
	type HopsAt,
	missCauses,
	type Reasons,
	summariseDiagnoses,
} from "./summarise.ts";
export {
	agreementWithGold,
	type GoldAgreement,
	type GoldPair,
	leastCorrelation,
	type ReadBothWays,
} from "./without-gold/agreement-with-gold.ts";
export { drawPseudoHops } from "./without-gold/draw-pseudo-hops.ts";
export {
	type Drift,
	type DriftOptions,
	type DriftReport,
	driftOf,
	type FlagDay,
	WatchedTrace,
} from "./without-gold/drift.ts";
export {
	type CalibratedFlag,
	type FlagShare,
	flagCounts,
	flagShares,
	type ReadLine,
} from "./without-gold/flag-shares.ts";
export { goldFreeLine } from "./without-gold/gold-free-line.ts";
export { type HopJob, hopJobs, type ReadRecord } from "./without-gold/judge/hop-jobs.ts";
export { hopJudgePrompt } from "./without-gold/judge/hop-question.ts";
export { type JudgeHopsOptions, judgeHops, outstandingHops } from "./without-gold/judge/judge-hops.ts";
export { type HopJudgeReport, withJudged } from "./without-gold/judge/with-judged.ts";
export { type GoldFreeContext, readWithoutGold } from "./without-gold/read-without-gold.ts";
