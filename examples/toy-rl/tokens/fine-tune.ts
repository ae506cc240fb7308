import type { Adam } from "../adam.ts";
import { pause } from "../pause.ts";
import { createDemonstrator, type Noise, noiseless, usualNoise } from "./demonstrator.ts";
import { environmentOf, type Language } from "./language.ts";
import { playEpisode, type Stream } from "./play.ts";
import { goBack } from "./policy.ts";
import { readStream } from "./read-stream.ts";
import type { Tape } from "./tape.ts";
import type { Weights } from "./weights.ts";
import { drawWorld, pick } from "./world.ts";

/** An episode that the demonstrator plays in a world of its own. */
export async function demonstrate(
	language: Language,
	{ random, noise = usualNoise }: { random: () => number; noise?: Noise },
): Promise<Stream> {
	const world = drawWorld("shown", random);
	const speaker = createDemonstrator(language, noise, random);
	const environment = environmentOf(world, { limit: language.limit });
	return (await playEpisode(environment, { task: world.task.id, seed: 0, language, speaker })).stream;
}

/**
 * Cross-entropy of what the demonstrator said, the mean over its tokens; adds its slope to `gradient`. Nothing that it only
 * read carries loss.
 */
export function fineTuningLoss(
	streams: readonly Stream[],
	{ weights, gradient, tape }: { weights: Weights; gradient: Weights; tape: Tape },
): number {
	const trained = streams.reduce((sum, stream) => sum + stream.trained, 0);
	let loss = 0;
	for (const { tokens, mask } of streams) {
		const logProbabilities = readStream(weights, tape, { tokens, mask });
		const slopes = logProbabilities.map((logProbability) => {
			if (Number.isNaN(logProbability)) return 0;
			loss -= logProbability / trained;
			return -1 / trained;
		});
		goBack(weights, gradient, tape, slopes);
	}
	return loss;
}

/** Fine-tunes for some steps, each on some of the demonstrations, drawn anew. Gives the mean loss of the last tenth. */
export async function fineTune(
	{ weights, gradient, tape, adam }: { weights: Weights; gradient: Weights; tape: Tape; adam: Adam },
	options: {
		demonstrations: readonly Stream[];
		random: () => number;
		steps: number;
		batch: number;
		rate: number;
		signal?: AbortSignal | undefined;
	},
): Promise<number> {
	const { demonstrations, random, steps, batch, rate, signal } = options;
	let late = 0;
	const from = steps - Math.ceil(steps / 10);
	for (let step = 0; step < steps; step += 1) {
		await pause(signal);
		const streams = Array.from({ length: batch }, () => pick(demonstrations, random));
		const loss = fineTuningLoss(streams, { weights, gradient, tape });
		adam.step(weights.flat, gradient.flat, rate);
		if (step >= from) late += loss / (steps - from);
	}
	return late;
}

/**
 * How surely the policy copies: over faultless episodes, the mean probability of each entity that a found passage gave and
 * the next search or the answer names.
 */
export async function copying(
	{ weights, tape }: { weights: Weights; tape: Tape },
	{ language, random, episodes }: { language: Language; random: () => number; episodes: number },
): Promise<number> {
	const { vocabulary } = language;
	const opens = new Set([vocabulary.idOf("<text_search>"), vocabulary.idOf("<answer>")]);
	const informed = vocabulary.idOf("\n</information>");
	let sum = 0;
	let count = 0;
	for (let episode = 0; episode < episodes; episode += 1) {
		const { tokens, mask } = await demonstrate(language, { random, noise: noiseless });
		const logProbabilities = readStream(weights, tape, { tokens, mask });
		for (const [place, token] of tokens.entries()) {
			if (!opens.has(token) || mask[place] !== 1 || !tokens.slice(0, place).includes(informed)) continue;
			sum += Math.exp(logProbabilities[place + 1] ?? Number.NaN);
			count += 1;
		}
	}
	return sum / count;
}
