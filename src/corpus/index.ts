/** Reading sources into passages, pages and images with stable ids. */
export { atOnce } from "./at-once.ts";
export { type Corpus, openCorpus } from "./corpus.ts";
export { detectLanguage } from "./language.ts";
export { mainTextOf, openArchive, openReading, readSources } from "./load-reading.ts";
export type { OpenReadersElsewhere } from "./reading/read-elsewhere.ts";
export { AnnouncedReading, ReadingJob, ReadingOutcome } from "./reading/reading-job.ts";
export { recut } from "./recut.ts";
export { fold, wordsOf } from "./words.ts";
export { createCorpus } from "./write-corpus.ts";
