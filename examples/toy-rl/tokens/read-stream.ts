import { lookAhead, probabilityOf, readToken } from "./policy.ts";
import type { Tape } from "./tape.ts";
import type { Weights } from "./weights.ts";

/**
 * Reads a sequence onto a tape, ready to go back over. Gives the natural logarithms of the probabilities of the tokens that
 * `mask` takes, by place; NaN elsewhere. The first token has none.
 */
export function readStream(
	weights: Weights,
	tape: Tape,
	{ tokens, mask }: { tokens: readonly number[]; mask: ArrayLike<number> },
): Float64Array {
	const logProbabilities = new Float64Array(tokens.length).fill(Number.NaN);
	tape.length = 0;
	for (const [place, token] of tokens.entries()) {
		if (place > 0 && mask[place] === 1) {
			lookAhead(weights, tape, place - 1);
			logProbabilities[place] = Math.log(probabilityOf(tape, place - 1, token));
		}
		readToken(weights, tape, token);
	}
	return logProbabilities;
}
