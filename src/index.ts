/** Hopscope's face for TypeScript programs: the verbs of the command line, and the words they speak. */
export {
	type Agent,
	type AgentContext,
	agents,
	createTools,
	type ExternalAgentOptions,
	externalAgent,
	type Observation,
	settingFor,
	type Tools,
	type Upstream,
} from "#agents";
export { prepareAtlas } from "#atlas";
export { type Benchmark, benchmarkProblems, type Format, formats, openBenchmark, writeBenchmark } from "#benchmarks";
export { createCorpus, openCorpus, readSources } from "#corpus";
export { type DiagnoseOptions, diagnose, errorTypesOf, summariseDiagnoses } from "#diagnosis";
export {
	type Answer,
	type Chain,
	chainProblems,
	type Diagnosis,
	type Evidence,
	type Hop,
	HopscopeError,
	type RunManifest,
	type RunRecord,
	type Score,
	type ScoreRow,
	Setting,
	type Step,
	type Task,
	type TaskView,
	type Topology,
	type Trajectory,
	topologyOf,
} from "#domain";
export { buildKnowledge, type KnowledgeBase, openKnowledge, type Query, type SearchResult } from "#knowledge";
export {
	askForJson,
	type ChatModel,
	type ChatReply,
	type ChatRequest,
	createChatModel,
	createLimiter,
	openCachedReplies,
} from "#models";
export { composeTasks, type TypedGraph } from "#recipes";
export { htmlReport, type ReportRun, reportData, terminalReport } from "#reports";
export { checkCombination, executeRun, openRun, planRun, type RunEvent, readSuite, recordsFrom, scoreRun } from "#runs";
export { interval, metrics, type Scorer, scoreTrajectory, slices, summarise } from "#scoring";
export { type RunningServer, type ServerOptions, startServer } from "#server";
export { openWorkspace } from "#store";
export { openWorkbench, type Workbench, type WorkbenchOptions, type WorkEvent } from "#workbench";
