import type { EpisodeReward, RepliesReward } from "#training";

/** What a reward was made from, by the names that all faces use. */
export function componentsOf({ value: _value, ...components }: EpisodeReward | RepliesReward) {
	return components;
}

/** Those that are numbers, for trainers that average them. */
export const numbersOf = (reward: EpisodeReward | RepliesReward): Record<string, number> =>
	numbersIn(componentsOf(reward));

export const numbersIn = (row: object): Record<string, number> =>
	Object.fromEntries(Object.entries(row).filter((entry): entry is [string, number] => typeof entry[1] === "number"));
