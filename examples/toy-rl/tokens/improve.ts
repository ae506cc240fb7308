import { policyObjective } from "#scoring";
import type { Adam } from "../adam.ts";
import { pause } from "../pause.ts";
import type { TokenToyCondition } from "./conditions.ts";
import { createLanguage } from "./language.ts";
import { goBack } from "./policy.ts";
import { readStream } from "./read-stream.ts";
import { filterGroups, type SampledEpisode, type SampledGroup, sampleGroup } from "./sample.ts";
import { placesFor } from "./speaker.ts";
import { createTape, type Tape } from "./tape.ts";
import type { Weights } from "./weights.ts";

/** One round: groups sampled, filtered, and trained on. Means are over all sampled episodes, dropped ones included. */
export interface ImprovementRound {
	accuracy: number;
	reward: number;
	wellFormed: number;
	calls: number;
	/** Share of turns that could not be carried out. */
	invalidTurns: number;
	/** Nats a token that the policy said. */
	entropy: number;
	/** Tokens said an episode: percentiles 10, 50 and 90. */
	said: [number, number, number];
	/** Share of tokens, the opening's among them, that carry no loss. */
	maskedTokens: number;
	groups: { hops: number; sampled: number; kept: number }[];
	allRight: number;
	allWrong: number;
	/** Tokens said by the policy, and tokens trained on where they are masked: the same number. */
	sampledTokens: number;
	trainedTokens: number;
	/** Of the update; null where no group was kept. */
	update: {
		/** Largest |ratio - 1| at the first epoch: about 0, or the tokens are not those that were sampled. */
		ratioOff: number;
		/** At the last epoch. */
		clippedHigh: number;
		clippedLow: number;
		dualClipped: number;
		moved: number;
	} | null;
}

export interface ImproveOptions {
	condition: TokenToyCondition;
	random: () => number;
	rounds: number;
	groups: number;
	size: number;
	epochs: number;
	rate: number;
	onRound?: ((round: number) => void) | undefined;
	signal?: AbortSignal | undefined;
}

/** Group-relative policy optimisation by the project's own reward, advantage, filter, mask and objective. */
export async function improve(
	{ weights, gradient, adam }: { weights: Weights; gradient: Weights; adam: Adam },
	options: ImproveOptions,
): Promise<ImprovementRound[]> {
	const { condition, random, rounds, groups: count, size, epochs, rate, onRound, signal } = options;
	const language = await createLanguage(condition.limit);
	const tapes = Array.from({ length: count * size }, () => createTape(weights.shape, placesFor(language)));
	const [tape] = tapes;
	if (!tape) throw new RangeError("a round needs at least one group of one");
	const made: ImprovementRound[] = [];
	for (let round = 0; round < rounds; round += 1) {
		const groups: SampledGroup[] = [];
		while (groups.length < count) {
			await pause(signal);
			const id = `round-${round}-${groups.length}`;
			groups.push(await sampleGroup({ weights, tape }, { id, language, condition, size, random }));
		}
		const filtered = filterGroups(groups, condition.filter);
		const batch = groups.flatMap(({ episodes }, group) =>
			filtered.kept.has(group) ? episodes.map((episode) => ({ ...episode, group })) : [],
		);
		const update = updateBy(batch, { weights, gradient, adam, tapes, epochs, rate, condition });
		made.push({ ...describeRound(groups), ...keptOf(groups, filtered), update });
		onRound?.(round + 1);
	}
	return made;
}

function updateBy(
	batch: readonly (SampledEpisode & { group: number })[],
	options: {
		weights: Weights;
		gradient: Weights;
		adam: Adam;
		tapes: readonly Tape[];
		epochs: number;
		rate: number;
		condition: TokenToyCondition;
	},
): ImprovementRound["update"] {
	const { weights, gradient, adam, tapes, epochs, rate, condition } = options;
	let update: ImprovementRound["update"] = null;
	for (let epoch = 0; epoch < epochs && batch.length > 0; epoch += 1) {
		const objective = objectiveSlope(batch, { weights, gradient, tapes, aggregation: condition.aggregation });
		adam.step(weights.flat, gradient.flat, rate);
		const { clippedHigh, clippedLow, dualClipped, moved, ratio } = objective;
		const ratioOff: number = update?.ratioOff ?? ratio?.off ?? 0;
		update = { ratioOff, clippedHigh, clippedLow, dualClipped, moved };
	}
	return update;
}

/** The clipped objective of a batch; adds its slope by the parameters to `gradient`. */
export function objectiveSlope(
	batch: readonly (Pick<SampledEpisode, "advantage" | "oldLogProbabilities" | "mask"> & {
		stream: { tokens: readonly number[] };
		group: number;
	})[],
	options: {
		weights: Weights;
		gradient: Weights;
		tapes: readonly Tape[];
		aggregation: TokenToyCondition["aggregation"];
	},
) {
	const { weights, gradient, tapes, aggregation } = options;
	const held = batch.flatMap((episode, at) => {
		const tape = tapes[at];
		if (!tape) throw new RangeError("each episode of a batch needs a tape");
		return [{ episode, tape }];
	});
	const responses = held.map(({ episode: { stream, mask, oldLogProbabilities, advantage, group }, tape }) => ({
		logProbabilities: readStream(weights, tape, { tokens: stream.tokens, mask }),
		oldLogProbabilities,
		mask,
		advantage,
		group,
	}));
	const objective = policyObjective(responses, { aggregation });
	for (const [at, { tape }] of held.entries()) goBack(weights, gradient, tape, objective.gradient[at] ?? []);
	return objective;
}

function describeRound(groups: readonly SampledGroup[]) {
	const episodes = groups.flatMap(({ episodes: own }) => own);
	const total = (of: (episode: SampledEpisode) => number) => episodes.reduce((sum, one) => sum + of(one), 0);
	const lengths = episodes.map(({ said }) => said).sort((a, b) => a - b);
	const at = (share: number) => lengths[Math.round(share * (lengths.length - 1))] ?? 0;
	const tokens = total(({ stream }) => stream.tokens.length);
	return {
		accuracy: total(({ reward }) => reward.outcome) / episodes.length,
		reward: total(({ reward }) => reward.value) / episodes.length,
		wellFormed: total(({ reward }) => reward.format) / episodes.length,
		calls: total(({ reward }) => reward.validCalls) / episodes.length,
		invalidTurns: total(({ reward }) => reward.invalidCalls) / total(({ turns }) => turns),
		entropy: total(({ entropy }) => entropy) / total(({ said }) => said),
		said: [at(0.1), at(0.5), at(0.9)] as [number, number, number],
		maskedTokens: 1 - total(({ mask }) => mask.reduce((sum, one) => sum + one, 0)) / tokens,
		sampledTokens: total(({ said }) => said),
		trainedTokens: total(({ mask }) => mask.reduce((sum, one) => sum + one, 0)),
	};
}

function keptOf(groups: readonly SampledGroup[], { kept, allRight, allWrong }: ReturnType<typeof filterGroups>) {
	const byHops = [3, 4].map((hops) => {
		const own = [...groups.entries()].filter(([, group]) => group.hops === hops);
		return { hops, sampled: own.length, kept: own.filter(([at]) => kept.has(at)).length };
	});
	return { groups: byHops, allRight, allWrong };
}
