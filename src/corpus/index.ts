/** Reading sources into passages, pages and images with stable ids. */
export { type Corpus, openCorpus } from "./corpus.ts";
export { detectLanguage } from "./language.ts";
export { type ReadOptions, readSources, type SourceProblem } from "./read-sources.ts";
export { type CorpusWriter, createCorpus } from "./write-corpus.ts";
