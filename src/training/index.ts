/** Training on what was verified: conversations and pairs, rewards, the environment. */
export { leaksIn } from "./conversations/answer-leak.ts";
export { type ChainExamplesOptions, chainExamples } from "./conversations/chain-examples.ts";
export { type Collected, countedBy, type Dropped } from "./conversations/dropped.ts";
export { copiesIn, mostCopied } from "./conversations/evidence-copy.ts";
export {
	ThoughtBy,
	TrainingExample,
	TrainingImage,
	TrainingMessage,
	TrainingPart,
	TrainingSource,
	TrainingTool,
} from "./conversations/example.ts";
export { type ExampleProblem, exampleProblems, exampleRules } from "./conversations/example-checks.ts";
export { type SplitChoice, tasksToTrainOn } from "./conversations/held-out.ts";
export {
	type FinishedRun,
	refusedFindings,
	type TrajectoryExamplesOptions,
	trajectoryExamples,
} from "./conversations/trajectory-examples.ts";
export { type Verification, verificationOf } from "./conversations/verification.ts";
export { spokenProtocols } from "./conversations/walk-chain.ts";
export { actionTools, answerTool, mostSaid, moveOf, sayTool } from "./environment/actions.ts";
export { aggregate } from "./environment/aggregate.ts";
export {
	createEnvironment,
	type Environment,
	type EnvironmentOptions,
	type RepliesReward,
	type RewardedEpisode,
} from "./environment/environment.ts";
export type { EpisodeSession, SessionStep } from "./environment/session.ts";
export { createSessions, type SessionLimits, type Sessions } from "./environment/sessions.ts";
export { type DroppedGroups, type GroupReport, groupReport } from "./groups/group-report.ts";
export {
	type GroupOptions,
	type RewardedGroup,
	type RewardedRecord,
	rewardedGroups,
} from "./groups/reward-records.ts";
export type { Slope, UselessCallSlope, UselessCalls } from "./groups/useless-calls.ts";
export {
	PairPlace,
	PairRecord,
	PreferencePair,
	RetrieverEvidence,
	RetrieverNegative,
	RetrieverPair,
} from "./pairs/pair.ts";
export { type PairsWritten, pairFileProblems, pairsFile, writePairs } from "./pairs/pair-files.ts";
export {
	type PairedRun,
	type PreferenceOptions,
	type PreferencePairs,
	preferencePairs,
} from "./pairs/preference-pairs.ts";
export {
	type RetrieverOptions,
	type RetrieverPairs,
	type RetrieverSources,
	retrieverPairs,
} from "./pairs/retriever-pairs.ts";
export {
	countCalls,
	type EpisodeReward,
	type FormatForm,
	formatForms,
	isWellFormed,
	type RewardOptions,
	trajectoryReward,
} from "./reward/trajectory-reward.ts";
export { exportRl, type RlExport, type RlExportOptions, type RlFormatName, rlFormats } from "./rl/export-rl.ts";
export { type Template, templates } from "./writers/lengths.ts";
export { type PreferenceWriter, type PreferenceWriting, preferenceWriters } from "./writers/preference.ts";
export { isClean, type Preflight, type PreflightProblem, type ReadRow } from "./writers/preflight.ts";
export { type Trainer, trainingWriters } from "./writers/registry.ts";
export { type Rereader, rereaderOf, trainerSigns } from "./writers/rereader.ts";
export {
	type RetrieverForm,
	type RetrieverWriter,
	type RetrieverWritingOptions,
	retrieverWriters,
} from "./writers/retriever.ts";
export type { RereadOptions, TrainingWriter, Writing, WritingOptions } from "./writers/writer.ts";
