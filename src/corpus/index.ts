/** Reading sources into passages, pages and images with stable ids. */
export { atOnce } from "./at-once.ts";
export { type Corpus, openCorpus } from "./corpus.ts";
export { detectLanguage } from "./language.ts";
export { mainTextOf, readSources } from "./load-reading.ts";
export { remembering } from "./remembering.ts";
export { fold, wordsOf } from "./words.ts";
export { createCorpus } from "./write-corpus.ts";
