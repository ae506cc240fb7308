/** For those who fill and search knowledge bases by themselves. */
export { type Corpus, createCorpus, openCorpus, readSources } from "#corpus";
export {
	type BuildOptions,
	buildKnowledge,
	type KnowledgeBase,
	type OpenOptions,
	openKnowledge,
	type Query,
	type SearchResult,
} from "#knowledge";
