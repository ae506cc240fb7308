/** Building a benchmark: the template recipe over a typed graph. */
export { booleanAnswer, numberAnswer, stringAnswer, timeAnswer, unaccented } from "./answers.ts";
export { type ComposedTask, composeTasks, type QuestionPicture } from "./compose.ts";
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
} from "./graph.ts";
export { inTurns } from "./in-turns.ts";
export { findLookAlikes, type LookAlikes } from "./look-alikes.ts";
export { type Photograph, photograph } from "./photograph.ts";
export { seeded } from "./seeded.ts";
export { isoOf, numberText, timeText, unitText } from "./written.ts";
