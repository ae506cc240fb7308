/** Benchmarks: opening, checking, writing and importing them. */

export type { AnsweredTask, CheckLimits, CheckSubject } from "./check/check.ts";
export { type CheckReport, type CheckSummary, checkBenchmark } from "./check/check-benchmark.ts";
export { benchmarkChecks } from "./check/checks.ts";
export { type CheckFigure, type CheckFinding, type Severity, severities } from "./check/finding.ts";
export type { KnownSet } from "./check/known-set.ts";
export { citedBy } from "./cited-by.ts";
export { deriveBenchmark } from "./derive-benchmark.ts";
export { type BenchmarkDiff, diffBenchmarks } from "./diff/diff-benchmarks.ts";
export { diffEvidence, type EvidenceDiff } from "./diff/diff-evidence.ts";
export { type Format, type Media, type Reading, WaitingPicture } from "./formats/format.ts";
export { formats } from "./formats/formats.ts";
export { type DocumentNames, type JoinedEvidence, joinEvidence } from "./formats/join-evidence.ts";
export { namedFiles } from "./formats/named-files.ts";
export { type ColumnType, writeParquet } from "./formats/parquet-columns.ts";
export { evidenceNotRead, resolveReading, withEvidenceCalled, withPending } from "./formats/resolve.ts";
export { type BrokenRow, type Row, readRows } from "./formats/rows.ts";
export { fusedValue } from "./formats/value-extraction.ts";
export { keepReviews } from "./keep-reviews.ts";
export { mergeBenchmarks } from "./merge-benchmarks.ts";
export { withNumberKind } from "./number-kind.ts";
export {
	type Benchmark,
	openBenchmark,
	readBenchmark,
	type StreamedBenchmark,
	streamBenchmark,
	streamFaulty,
} from "./open-benchmark.ts";
export { type BenchmarkProblem, benchmarkProblems } from "./problems.ts";
export { type SplitLink, splitLinks } from "./split/linked.ts";
export { type SharedAcross, sharedAcross } from "./split/shared-across.ts";
export {
	defaultLinks,
	defaultParts,
	defaultStrata,
	finerLinks,
	type SplitPart,
	splitTasks,
	type TaskSplit,
	taskSplitter,
	withSplit,
} from "./split/split-tasks.ts";
export { benchmarkStatistics } from "./statistics/benchmark-statistics.ts";
export { paperTables } from "./statistics/papers.ts";
export type { StatisticsTable } from "./statistics/table.ts";
export { statesAnswer, type TextReading } from "./text-reading.ts";
export {
	documentName,
	importTranscripts,
	readTranscripts,
	type TranscriptFormatName,
	type TranscriptImport,
	transcriptFormats,
	transcriptTrajectory,
} from "./transcripts/import-transcripts.ts";
export { otlpRequest } from "./transcripts/traces/otlp.ts";
export type {
	FileFormat,
	LineFormat,
	Transcript,
	TranscriptDocument,
	TranscriptFormat,
} from "./transcripts/transcript.ts";
export { waitingPictures } from "./waiting-pictures.ts";
export { writeBenchmark } from "./write-benchmark.ts";
