/** For those who train: the environment in which a policy answers and is rewarded, and the lines of exported files. */
export {
	createEnvironment,
	type Environment,
	type EpisodeSession,
	PreferencePair,
	RetrieverPair,
	type RewardOptions,
	type SessionStep,
	TrainingExample,
} from "#training";
