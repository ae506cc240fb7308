/** Training on what was verified: conversations and pairs, rewards, the environment, toy policies. */
export {
	createEnvironment,
	type Environment,
	type EnvironmentOptions,
	type RewardedEpisode,
} from "./environment/environment.ts";
export {
	createSessions,
	type EpisodeSession,
	type SessionLimits,
	type SessionStep,
	type Sessions,
} from "./environment/sessions.ts";
export {
	countCalls,
	type EpisodeReward,
	isWellFormed,
	type RewardOptions,
	trajectoryReward,
} from "./reward/trajectory-reward.ts";
