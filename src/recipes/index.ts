/** Building a benchmark: the stage engine, the five recipes, templates without a model, review. */
export { type Dated, datedTasks } from "./as-of/dated.ts";
export type { HopLook } from "./as-of/hop-look.ts";
export { type AnswersReport, recheckAnswers, type TaskLook } from "./as-of/recheck-answers.ts";
export { type AuditGroup, type AuditReport, type AuditRow, auditTasks } from "./audit/audit-tasks.ts";
export {
	type Edge,
	type Encyclopedia,
	EncyclopediaError,
	type EncyclopediaImage,
	type EncyclopediaPage,
	type Subject,
} from "./encyclopedia/encyclopedia.ts";
export { graphOfFacts, triplesOf, writeFacts } from "./encyclopedia/graph-of-facts.ts";
export { type LocalSource, localEncyclopedia } from "./encyclopedia/local.ts";
export { type OpenEncyclopedia, openEncyclopedia } from "./encyclopedia/open.ts";
export { recordedEncyclopedia } from "./encyclopedia/recorded.ts";
export { encyclopediaCases, encyclopediaSample } from "./encyclopedia/testing.ts";
export { wikimediaEncyclopedia } from "./encyclopedia/wikimedia/wikimedia.ts";
export {
	type BuildFunnel,
	type BuildManifest,
	buildDrops,
	buildFaults,
	buildItems,
	type Dropped,
	type Faulted,
	openBuild,
} from "./engine/build-folder.ts";
export { mustBeCast, paramsOf } from "./engine/casting.ts";
export {
	aboutOf,
	askedOf,
	type Check,
	checkStage,
	fail,
	pass,
	type RuleCheck,
	skipped,
	staleChecks,
	type Verdict,
} from "./engine/check.ts";
export { choose } from "./engine/choose.ts";
export { across, byItem, each, type Flow, flowOf, source, together } from "./engine/flow.ts";
export { droppedBy, type FunnelRow, shareOf } from "./engine/funnel.ts";
export { funnelTable, reasonsOf, topReasons } from "./engine/funnel-table.ts";
export { gate } from "./engine/gate.ts";
export { type Growing, grow } from "./engine/grow.ts";
export { newItem, reworded } from "./engine/new-item.ts";
export { type BuildPlan, type PlanOptions, planOf, type StagePlan } from "./engine/plan.ts";
export { definePrompt, type Prompt } from "./engine/prompt.ts";
export { checksOf } from "./engine/recheck.ts";
export type { Recipe, RecipeInputs, RecipeRole } from "./engine/recipe.ts";
export { type Failed, repair } from "./engine/repair.ts";
export { type Build, type BuildEnd, type BuildOptions, runBuild, runRecipe } from "./engine/run-recipe.ts";
export type { Calls, Kind, Outcome, Piece, Published, Stage, StageContext } from "./engine/stage.ts";
export { failedTask } from "./from-run/failed-task.ts";
export { type FailedRun, type Failure, type FailureCause, failureCauses, failuresOf } from "./from-run/failures.ts";
export { inTurns } from "./in-turns.ts";
export { markdownTable } from "./markdown-table.ts";
export { probeSources } from "./probes/probe-sources.ts";
export { recipes } from "./recipes.ts";
export { readStamps, stampBenchmark, stampBuild, stampCorpus } from "./refresh/evidence-stamps.ts";
export { refreshBenchmark } from "./refresh/refresh.ts";
export type { Refreshed } from "./refresh/refreshed.ts";
export { type AgreementOn, type ReviewAgreement, type ReviewerReport, reviewAgreement } from "./review/agreement.ts";
export { type Applied, applyReviews } from "./review/apply-reviews.ts";
export { assign } from "./review/assign.ts";
export { type CheckPrecision, checkPrecision } from "./review/check-precision.ts";
export { outOfReach, recheckRecipe } from "./review/recheck.ts";
export { type ReviewForm, readReviewFile, reviewForms, writeReviewFile } from "./review/review-files.ts";
export { openReviewFolder, type ReviewFolder, ReviewPlan, type TrapKey } from "./review/review-folder.ts";
export { type ReviewItem, reviewItemOf } from "./review/review-item.ts";
export { type ReviewStanding, reviewInWords, reviewStanding } from "./review/review-standing.ts";
export { type Settled, type SettlePolicy, settle } from "./review/settle.ts";
export { spoil, type Trap } from "./review/traps.ts";
export { rules } from "./rules/index-of-rules.ts";
export { oneValued } from "./rules/one-valued.ts";
export { type ValueGraph, valuesOfGraph, valuesOfTypedGraph } from "./rules/value-graph.ts";
export { seeded } from "./seeded.ts";
export { booleanAnswer, numberAnswer, stringAnswer, timeAnswer, unaccented } from "./template/answers.ts";
export { type ComposedTask, composeTasks, type QuestionPicture } from "./template/compose.ts";
export type {
	ComparisonPhrases,
	Depiction,
	GraphEntity,
	GraphFact,
	GraphRelation,
	Language,
	Operation,
	RelationPhrases,
	Statement,
	TypedGraph,
} from "./template/graph.ts";
export { findLookAlikes, type LookAlikes } from "./template/look-alikes.ts";
export { type Photograph, photograph } from "./template/photograph.ts";
export { Phrases } from "./template/phrases.ts";
export { guessPhrases } from "./template/tables/guess-phrases.ts";
export { phrasesYaml, readPhrases } from "./template/tables/phrases-file.ts";
export { readTables, type Table } from "./template/tables/read-tables.ts";
export { tableKnowledge } from "./template/tables/table-knowledge.ts";
export { type MeasuredRelation, phrasesOfGraph, typedGraph } from "./template/typed-graph.ts";
export { isoOf, numberText, timeText, unitText } from "./template/written.ts";
export { createTemplate, TemplateParams, template } from "./template.ts";
export { type DistractorsProbed, probeDistractors } from "./variants/distractors-probe.ts";
export { type HandedOut, hardDistractors } from "./variants/hard-distractors.ts";
export { rememberingReading, saysAnswer } from "./variants/states-hop.ts";
export { type Swap, swapEntities } from "./variants/swap-entities.ts";
export { stillStated, type Twins, unanswerableTwins } from "./variants/unanswerable-twins.ts";
export { writeBuild } from "./write-build.ts";
