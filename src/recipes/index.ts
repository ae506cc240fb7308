/** Building a benchmark: the stage engine, the five recipes, templates without a model, review. */
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
export type { FunnelRow } from "./engine/funnel.ts";
export { gate } from "./engine/gate.ts";
export { type Growing, grow } from "./engine/grow.ts";
export { newItem, reworded } from "./engine/new-item.ts";
export { definePrompt, type Prompt } from "./engine/prompt.ts";
export type { Recipe, RecipeRole } from "./engine/recipe.ts";
export { type Failed, repair } from "./engine/repair.ts";
export { type Build, type BuildOptions, openBuild, runRecipe } from "./engine/run-recipe.ts";
export type { Calls, Kind, Outcome, Piece, Published, Stage, StageContext } from "./engine/stage.ts";

export { inTurns } from "./in-turns.ts";
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
export { isoOf, numberText, timeText, unitText } from "./template/written.ts";
