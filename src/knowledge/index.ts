/** Making a corpus searchable (lexical, dense, late interaction, image, graph) and searching it. */
export type { VectorIndex } from "./approximate.ts";
export { type AskedTerm, createBm25 } from "./bm25.ts";
export { buildKnowledge } from "./build.ts";
export type { BuildEncoders, BuildOptions, BuildProblem } from "./build-options.ts";
export { type FakeOptions, fakeKnowledge } from "./fake.ts";
export type { KnowledgeBase } from "./knowledge-base.ts";
export { openConnection, openKnowledge } from "./open-knowledge.ts";
export { type PushOptions, pushKnowledge, type StoredVersion, storedVersions } from "./push.ts";
export type { Filter, IndexName, Query, SearchMode, SearchResult, Target } from "./query.ts";
export type { OpenOptions } from "./query-encoders.ts";
export { searchedIn } from "./searched-in.ts";
export { connectionName, parseConnection, plainAddress, readConnection } from "./service/connection.ts";
