import type { Language } from "./language.ts";
import type { Speaker } from "./play.ts";
import { fillDistribution, lookAhead, readToken } from "./policy.ts";
import type { Tape } from "./tape.ts";
import type { Weights } from "./weights.ts";

/** Most tokens of a turn: a proper one has seven. */
export const longestTurn = 12;

/** Places that the longest episode of a language can take: an opening of seven, turns, and seven read after each. */
export const placesFor = ({ limit }: Pick<Language, "limit">): number => 7 + (limit + 1) * longestTurn + limit * 7;

/** The policy in a speaker's place; it samples at temperature 1. */
export interface PolicySpeaker extends Speaker {
	/** By place: the natural logarithm of the token's probability when it came; NaN where nobody asked. */
	logProbabilities: Float64Array;
	/** Sum over the tokens said of the entropy, in nats, that they were drawn with. */
	entropy: number;
}

/** `all`: log-probabilities of what is heard as well, once the opening is over. */
export function createPolicySpeaker(
	weights: Weights,
	tape: Tape,
	{ language, random, all = false }: { language: Language; random: () => number; all?: boolean },
): PolicySpeaker {
	const distribution = new Float64Array(weights.shape.vocabulary);
	const logProbabilities = new Float64Array(tape.tokens.length).fill(Number.NaN);
	tape.length = 0;
	function look(): void {
		lookAhead(weights, tape, tape.length - 1);
		fillDistribution(tape, tape.length - 1, distribution);
	}
	function read(token: number, known: boolean): void {
		if (known) logProbabilities[tape.length] = Math.log(distribution[token] as number);
		readToken(weights, tape, token);
	}
	const speaker: PolicySpeaker = {
		logProbabilities,
		entropy: 0,
		hear(tokens) {
			const known = all && tape.length > 0;
			for (const token of tokens) {
				if (known) look();
				read(token, known);
			}
		},
		speak() {
			const tokens: number[] = [];
			while (tokens.length < longestTurn) {
				look();
				speaker.entropy += entropyOf(distribution);
				const token = draw(distribution, random());
				read(token, true);
				tokens.push(token);
				if (language.stops.has(token)) return { tokens, cut: false };
			}
			return { tokens, cut: true };
		},
	};
	return speaker;
}

function draw(distribution: Float64Array, chance: number): number {
	let left = chance;
	let last = 0;
	for (let token = 0; token < distribution.length; token += 1) {
		const share = distribution[token] as number;
		if (share <= 0) continue;
		last = token;
		left -= share;
		if (left < 0) return token;
	}
	return last;
}

function entropyOf(distribution: Float64Array): number {
	let sum = 0;
	for (let token = 0; token < distribution.length; token += 1) {
		const share = distribution[token] as number;
		if (share > 0) sum -= share * Math.log(share);
	}
	return sum;
}
