/** Diagnosis: which hop of a chain breaks, why, and what it costs. Records in, findings and run plans out. */

export { type ErrorAgreement, errorAgreement, judgedRightIn } from "./agreement.ts";
export { type Confusion, confusionOf } from "./confusion.ts";
export { type DecisiveHop, decisiveHops } from "./decisive-hop.ts";
export { type DiagnoseInput, type DiagnoseOptions, diagnose, diagnoserVersion } from "./diagnose.ts";
export { type DiagnosedRecord, diagnoseRecords } from "./diagnose-records.ts";
export { type BudgetPart, budgetParts, type ErrorBudget, errorBudget } from "./error-budget.ts";
export { type ErrorView, type ErrorViewName, errorTypesOf, errorViews, showsErrorType } from "./error-views.ts";
export {
	budgetKinds,
	type InterventionPlan,
	type PlanChoices,
	planInterventions,
	trustKinds,
} from "./intervention-plan.ts";
export {
	type MissOptions,
	withMissCauses,
} from "./miss-cause.ts";
export { expectedOf, type PlantedRecord, plantedRecords, type Truth } from "./planted.ts";
export { lossOf, type PlantedBudget, plantedBudget } from "./planted-budget.ts";
export { type CurvePoint, type PrefixCurve, prefixCurve } from "./prefix-curve.ts";
export type { Recovery } from "./recovery.ts";
export { type Replay, type ReplayedHop, type ReplayOptions, replayQueries } from "./replay.ts";
export type { Rerun, RerunItem } from "./reruns.ts";
export type { EvidenceOf, SearchAgain, SearchedIds } from "./search-again.ts";
export { type Share, shareOf } from "./shares.ts";
export {
	type DiagnosedItem,
	type DiagnosisSummary,
	type HopsAt,
	missCauses,
	type Reasons,
	summariseDiagnoses,
} from "./summarise.ts";
export { type Trust, type TrustPart, trustOf } from "./trust.ts";
