import type { Task, Trajectory } from "#domain";
import { seededRandom } from "#scoring";
import type { EpisodeReward } from "#training";
import { pause } from "../pause.ts";
import { environmentOf, type Language } from "./language.ts";
import { type PlayedEpisode, playEpisode } from "./play.ts";
import { createPolicySpeaker } from "./speaker.ts";
import type { Tape } from "./tape.ts";
import type { Weights } from "./weights.ts";
import { drawWorld } from "./world.ts";

/** Seed of the first world held out: the same ones for every policy, so that they can be compared task by task. */
const heldOut = 900_000_000;

/** What a policy does in worlds that it was not trained in, one sampled episode each. Shares are in [0, 1]. */
export interface TokenEvaluation {
	episodes: number;
	accuracy: number;
	/** By the number of hops. */
	byHops: { hops: number; episodes: number; accuracy: number }[];
	/** Means an episode: valid calls; of those, calls that brought no gold evidence that was not there before. */
	calls: number;
	uselessCalls: number;
	/** Share of episodes without a malformed turn, and of turns that could not be carried out. */
	wellFormed: number;
	invalidTurns: number;
	/** Mean number of tokens said in an episode. */
	said: number;
}

export async function evaluateTokens(
	{ weights, tape }: { weights: Weights; tape: Tape },
	options: { language: Language; random: () => number; episodes: number; signal?: AbortSignal | undefined },
): Promise<TokenEvaluation> {
	const { language, random, episodes, signal } = options;
	const played: Scored[] = [];
	while (played.length < episodes) {
		await pause(signal);
		const { task, knowledge, chain } = drawWorld(`held-out-${played.length}`, seededRandom(heldOut + played.length));
		const environment = environmentOf({ task, knowledge }, { limit: language.limit });
		const speaker = createPolicySpeaker(weights, tape, { language, random });
		const episode = await playEpisode(environment, { task: task.id, seed: 0, language, speaker });
		const reward = await episode.reward();
		played.push({ ...episode, reward, hops: chain.length, useless: uselessCalls(task, episode.trajectory) });
	}
	return { ...summaryOf(played), byHops: byHops(played) };
}

interface Scored extends Omit<PlayedEpisode, "reward"> {
	reward: EpisodeReward;
	hops: number;
	useless: number;
}

function summaryOf(played: readonly Scored[]): Omit<TokenEvaluation, "byHops"> {
	const share = (of: (episode: Scored) => number) =>
		played.reduce((sum, episode) => sum + of(episode), 0) / played.length;
	return {
		episodes: played.length,
		accuracy: share(({ reward }) => reward.outcome),
		calls: share(({ reward }) => reward.validCalls),
		uselessCalls: share(({ useless }) => useless),
		wellFormed: share(({ reward }) => reward.format),
		invalidTurns: share(({ reward }) => reward.invalidCalls) / share(({ turns }) => turns),
		said: share(({ said }) => said),
	};
}

function byHops(played: readonly Scored[]): TokenEvaluation["byHops"] {
	return [3, 4].map((hops) => {
		const own = played.filter((episode) => episode.hops === hops);
		const right = own.filter(({ reward }) => reward.outcome === 1).length;
		return { hops, episodes: own.length, accuracy: right / own.length };
	});
}

/** Valid calls that brought no gold evidence which no call before had brought. */
export function uselessCalls(task: Task, { steps }: Pick<Trajectory, "steps">): number {
	const wanted = new Set(task.chain?.hops.flatMap(({ evidence }) => evidence) ?? []);
	let useless = 0;
	for (const { call, results } of steps) {
		if (!call?.valid) continue;
		const brought = results.filter(({ id }) => wanted.delete(id));
		if (brought.length === 0) useless += 1;
	}
	return useless;
}
