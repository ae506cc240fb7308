/** Training on what was verified: conversations and pairs, rewards, the environment. */
export { chainExamples } from "./conversations/chain-examples.ts";
export { type Collected, countedBy } from "./conversations/dropped.ts";
export { TrainingExample } from "./conversations/example.ts";
export { exampleRules } from "./conversations/example-checks.ts";
export { tasksToTrainOn } from "./conversations/held-out.ts";
export { refusedFindings, trajectoryExamples } from "./conversations/trajectory-examples.ts";
export { hasFailed, type Verification, verificationOf } from "./conversations/verification.ts";
export { spokenProtocols, walkedSettings } from "./conversations/walk-chain.ts";
export { actionTools, mostSaid, moveOf, sayTool } from "./environment/actions.ts";
export { aggregate } from "./environment/aggregate.ts";
export {
	createEnvironment,
	type Environment,
	type RepliesReward,
	type RewardedEpisode,
} from "./environment/environment.ts";
export type { EpisodeSession, SessionStep } from "./environment/session.ts";
export { createSessions, type SessionLimits, type Sessions } from "./environment/sessions.ts";
export { type DroppedGroups, type GroupReport, groupReport } from "./groups/group-report.ts";
export { type RewardedGroup, rewardedGroups } from "./groups/reward-records.ts";
export type { Slope } from "./groups/useless-calls.ts";
export { PreferencePair, RetrieverPair } from "./pairs/pair.ts";
export { pairFileProblems, writePairs } from "./pairs/pair-files.ts";
export { type PairedRun, preferencePairs } from "./pairs/preference-pairs.ts";
export { type RetrieverSources, retrieverPairs } from "./pairs/retriever-pairs.ts";
export { judgedOutcome } from "./reward/judged-outcome.ts";
export { type EpisodeReward, type FormatForm, formatForms, type RewardOptions } from "./reward/trajectory-reward.ts";
export { exportRl, type RlFormatName, rlFormats } from "./rl/export-rl.ts";
export type { Writing } from "./writers/conversation-writer.ts";
export { type Template, templates } from "./writers/lengths.ts";
export { preferenceWriters } from "./writers/preference.ts";
export { isClean, type Preflight } from "./writers/preflight.ts";
export { type RetrieverForm, retrieverWriters } from "./writers/retriever.ts";
export { type Device, devices, type Tuning, tunings } from "./writers/setup.ts";
export { rereaderOf, trainerSigns, trainingWriters } from "./writers/trainers.ts";
export type { Trainer } from "./writers/writer.ts";
