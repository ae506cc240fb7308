/** Building a benchmark: the template recipe over a typed graph. */
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
export { findLookAlikes, type LookAlikes } from "./look-alikes.ts";
export { type Photograph, photograph } from "./photograph.ts";
