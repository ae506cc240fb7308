import { advantage, groupFilter } from "#scoring";
import type { EpisodeReward } from "#training";
import type { TokenToyCondition } from "./conditions.ts";
import { environmentOf, type Language } from "./language.ts";
import { type PlayedEpisode, playEpisode } from "./play.ts";
import { createPolicySpeaker } from "./speaker.ts";
import type { Tape } from "./tape.ts";
import type { Weights } from "./weights.ts";
import { drawWorld } from "./world.ts";

/** One episode of a group, ready to be trained on. */
export interface SampledEpisode extends Omit<PlayedEpisode, "reward"> {
	reward: EpisodeReward;
	/** By place, of the policy that sampled it. */
	oldLogProbabilities: Float64Array;
	/** 1 on the tokens that carry loss under the condition. */
	mask: Uint8Array;
	/** Summed over the tokens said, in nats. */
	entropy: number;
	advantage: number;
}

/** The episodes of one task. */
export interface SampledGroup {
	hops: number;
	episodes: SampledEpisode[];
}

/** Plays one world several times, and weighs each episode against the others of its group. */
export async function sampleGroup(
	{ weights, tape }: { weights: Weights; tape: Tape },
	options: { id: string; language: Language; condition: TokenToyCondition; size: number; random: () => number },
): Promise<SampledGroup> {
	const { id, language, condition, size, random } = options;
	const world = drawWorld(id, random);
	const environment = environmentOf(world, { limit: language.limit, reward: condition.reward });
	const episodes: SampledEpisode[] = [];
	for (let seed = 0; seed < size; seed += 1) {
		const speaker = createPolicySpeaker(weights, tape, { language, random, all: !condition.masked });
		const played = await playEpisode(environment, { task: world.task.id, seed, language, speaker });
		const { tokens, mask, prompt } = played.stream;
		const carries = tokens.map((token, at) =>
			condition.masked ? mask[at] === 1 : at >= prompt && token >= language.silent,
		);
		episodes.push({
			...played,
			reward: await played.reward(),
			oldLogProbabilities: speaker.logProbabilities.subarray(0, tokens.length),
			mask: Uint8Array.from(carries, Number),
			entropy: speaker.entropy,
			advantage: 0,
		});
	}
	const advantages = advantage(episodes.map(({ reward }) => reward.value));
	return {
		hops: world.chain.length,
		episodes: episodes.map((one, at) => ({ ...one, advantage: advantages[at] ?? 0 })),
	};
}

/** Which groups enter an update, and how many had no right answer or no wrong one. */
export function filterGroups(groups: readonly SampledGroup[], filter: TokenToyCondition["filter"]) {
	const correct = groups.map(({ episodes }) => episodes.map(({ reward }) => reward.outcome === 1));
	const { kept, allRight, allWrong } = groupFilter(correct, filter === "none" ? {} : { mode: filter });
	return { kept: new Set(filter === "none" ? groups.keys() : kept), allRight, allWrong };
}
