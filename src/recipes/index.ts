/** Building a benchmark: the stage engine, the five recipes, templates without a model, review. */
export { datedTasks } from "./as-of/dated.ts";
export { type AnswersReport, recheckAnswers } from "./as-of/recheck-answers.ts";
export { type AuditGroup, type AuditReport, auditTasks } from "./audit/audit-tasks.ts";
export { graphOfFacts, writeFacts } from "./encyclopedia/graph-of-facts.ts";
export { openEncyclopedia } from "./encyclopedia/open.ts";
export { encyclopediaCases, encyclopediaSample } from "./encyclopedia/testing.ts";
export {
	type BuildManifest,
	buildDrops,
	buildFaults,
	buildItems,
	buildManifest,
	openBuild,
} from "./engine/build-folder.ts";
export { aboutOf, type Check, fail, pass, staleChecks } from "./engine/check.ts";
export { each, source } from "./engine/flow.ts";
export { droppedBy, type FunnelRow } from "./engine/funnel.ts";
export { funnelTable, reasonsOf, topReasons } from "./engine/funnel-table.ts";
export { gate } from "./engine/gate.ts";
export { newItem } from "./engine/new-item.ts";
export { type BuildPlan, type Estimate, planOf, plansOf } from "./engine/plan.ts";
export { definePrompt } from "./engine/prompt.ts";
export { checksOf } from "./engine/recheck.ts";
export type { Recipe, RecipeInputs } from "./engine/recipe.ts";
export { mustBeCast, paramsOf } from "./engine/recipe.ts";
export { type Build, type BuildEnd, runBuild, runRecipe } from "./engine/run-recipe.ts";
export type { Stage } from "./engine/stage.ts";
export { type Failure, type FailureCause, failedTask, failureCauses, failuresOf } from "./from-run/failures.ts";
export { inTurns } from "./in-turns.ts";
export { markdownTable } from "./markdown-table.ts";
export { neededByRuleName } from "./necessity/needed-by-rule.ts";
export { verifyItems } from "./necessity/verify-items.ts";
export { probeSources } from "./probes/probe-sources.ts";
export { recipes } from "./recipes.ts";
export { readStamps, stampBenchmark } from "./refresh/evidence-stamps.ts";
export { refreshBenchmark } from "./refresh/refresh.ts";
export type { AgreementOn } from "./review/agreement.ts";
export { type Applied, applyReviews, outOfReach, recheckRecipe } from "./review/apply-reviews.ts";
export { assign } from "./review/assign.ts";
export { type ReviewForm, readReviewFile, reviewForms, writeReviewFile } from "./review/review-files.ts";
export { openReviewFolder, type ReviewFolder, ReviewPlan } from "./review/review-folder.ts";
export { type ReviewItem, reviewItemOf } from "./review/review-item.ts";
export { type ReviewStanding, reviewInWords, reviewStanding } from "./review/review-standing.ts";
export {
	lastOfEach,
	needsAdjudication,
	policyInWords,
	type Settled,
	type SettlePolicy,
	settle,
	settlePolicies,
} from "./review/settle.ts";
export { editFits } from "./review/table-form.ts";
export { spoil } from "./review/traps.ts";
export { rules } from "./rules/index-of-rules.ts";
export { seeded } from "./seeded.ts";
export { booleanAnswer, numberAnswer, stringAnswer, timeAnswer, unaccented } from "./template/answers.ts";
export { composeTasks } from "./template/compose.ts";
export type {
	ComparisonPhrases,
	GraphEntity,
	GraphFact,
	GraphRelation,
	Language,
	Operation,
	RelationPhrases,
	Statement,
	TypedGraph,
} from "./template/graph.ts";
export { photograph } from "./template/photograph.ts";
export { Phrases } from "./template/phrases.ts";
export { guessPhrases } from "./template/tables/guess-phrases.ts";
export { phrasesYaml, readPhrases } from "./template/tables/phrases-file.ts";
export { readTables } from "./template/tables/read-tables.ts";
export { tableKnowledge } from "./template/tables/table-knowledge.ts";
export { type TypedTable, typeTables } from "./template/tables/type-tables.ts";
export { readTypes, typesYaml } from "./template/tables/types-file.ts";
export { phrasesOfGraph } from "./template/typed-graph.ts";
export { isoOf, numberText, timeText, unitText } from "./template/written.ts";
export { createTemplate } from "./template.ts";
export { type DistractorsProbed, probeDistractors } from "./variants/distractors-probe.ts";
export { type HandedOut, hardDistractors } from "./variants/hard-distractors.ts";
export { rememberingReading, saysAnswer } from "./variants/states-hop.ts";
export { type Substitution, substituteEntityNames } from "./variants/substitute-names.ts";
export { type Counterparts, stillStated, unanswerableCounterparts } from "./variants/unanswerable-counterparts.ts";
export { writeBuild } from "./write-build.ts";
