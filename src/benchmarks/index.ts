/** Benchmarks: opening, checking, writing and importing them. */
export { importMorehopqa, type MorehopqaImport } from "./morehopqa.ts";
export { type Benchmark, openBenchmark } from "./open-benchmark.ts";
export { type BenchmarkProblem, benchmarkProblems } from "./problems.ts";
export {
	importTranscripts,
	type TranscriptFormatName,
	type TranscriptImport,
	transcriptFormats,
} from "./transcripts/import-transcripts.ts";
export { writeBenchmark } from "./write-benchmark.ts";
