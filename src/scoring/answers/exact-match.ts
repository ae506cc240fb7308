import { type MatchOptions, normalise } from "./normalise.ts";

/**
 * Exact match: 1 if the normalised prediction equals any normalised accepted answer, else 0.
 *
 * Two strings that both normalise to nothing are equal ("" and "", "the" and "a"), in every mode.
 * Source: SQuAD, HotpotQA and MuSiQue evaluation scripts, which agree here.
 */
export function exactMatch(prediction: string, accepted: readonly string[], options: MatchOptions = {}): 0 | 1 {
	const normalised = normalise(prediction, options);
	return accepted.some((answer) => normalise(answer, options) === normalised) ? 1 : 0;
}
