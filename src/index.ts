/**
 * Hopscope for programs: the workbench, whose verbs are those of the command line, and the words of what it reads and
 * writes. What one writes agents, metrics and benchmarks with stands in subpaths.
 */
export type { Agent } from "#agents";
export { type Benchmark, openBenchmark } from "#benchmarks";
export {
	type Answer,
	type Chain,
	type Diagnosis,
	type Evidence,
	type Hop,
	HopscopeError,
	type RunManifest,
	type RunRecord,
	type Score,
	type ScoreRow,
	type Setting,
	type Step,
	type Task,
	type Trajectory,
} from "#domain";
export { openRun, type Run } from "#runs";
export type { Scorer } from "#scoring";
export { openWorkbench, type Work, type Workbench, type WorkbenchOptions, type WorkEvent } from "#workbench";
