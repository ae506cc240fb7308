import { startsDeclining } from "./declines.ts";
import { type MatchOptions, normalise, tokens } from "./normalise.ts";

/**
 * Token F1, in [0, 1]: 2PR / (P + R) over bags of normalised tokens, the best over the accepted answers.
 *
 * Edge cases: no common token is 0, so two empty strings are 0, except in mode `musique`, where they are 1. In modes
 * `hopscope`, `hotpot` and `tracer-released`, a pair of which either side normalises to yes, no or noanswer and which
 * differs scores 0. In `hopscope` and `tracer-released`, a prediction that opens with the declining sentence of
 * AgenticRAGTracer's prompt scores 0.
 * Source: SQuAD 1.1, `hotpot_evaluate_v1.py`, MuSiQue's `metrics/answer.py`, AgenticRAGTracer's `evaluation.py`.
 */
export function tokenF1(prediction: string, accepted: readonly string[], options: MatchOptions = {}): number {
	const { mode = "hopscope" } = options;
	if ((mode === "hopscope" || mode === "tracer-released") && startsDeclining(prediction)) return 0;
	const normalised = normalise(prediction, options);
	const bag = tokens(normalised, options);
	let best = 0;
	for (const answer of accepted) {
		const gold = normalise(answer, options);
		if (mode !== "squad" && mode !== "musique" && normalised !== gold && (closed.has(normalised) || closed.has(gold)))
			continue;
		best = Math.max(best, bagF1(bag, tokens(gold, options), mode === "musique" ? 1 : 0));
	}
	return best;
}

const closed = new Set(["yes", "no", "noanswer"]);

function bagF1(prediction: string[], gold: string[], bothEmpty: number): number {
	if (prediction.length === 0 && gold.length === 0) return bothEmpty;
	const left = new Map<string, number>();
	for (const token of gold) left.set(token, (left.get(token) ?? 0) + 1);
	let common = 0;
	for (const token of prediction) {
		const count = left.get(token) ?? 0;
		if (count === 0) continue;
		left.set(token, count - 1);
		common += 1;
	}
	if (common === 0) return 0;
	const precision = common / prediction.length;
	const recall = common / gold.length;
	return (2 * precision * recall) / (precision + recall);
}
