/** Reading sources into passages, pages and images with stable ids. */
export { type Corpus, openCorpus } from "./corpus.ts";
export { detectLanguage } from "./language.ts";
export { readSources, type SourceProblem } from "./read-sources.ts";
export { createCorpus } from "./write-corpus.ts";
