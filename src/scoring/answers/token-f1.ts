import { defineMetric } from "../metric.ts";
import { startsDeclining } from "./declines.ts";
import { byWords } from "./matching-input.ts";
import { answerTokens, type MatchOptions } from "./normalise.ts";

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
	const bag = answerTokens(prediction, options);
	const whole = mode !== "squad" && mode !== "musique";
	let best = 0;
	for (const answer of accepted) {
		const gold = answerTokens(answer, options);
		if (whole && (isClosed(bag) || isClosed(gold)) && !(bag.length === gold.length && bag[0] === gold[0])) continue;
		best = Math.max(best, bagF1(bag, gold, mode === "musique" ? 1 : 0));
	}
	return best;
}

const closed = new Set(["yes", "no", "noanswer"]);
const isClosed = (bag: readonly string[]) => bag.length === 1 && closed.has(bag[0] ?? "");

function bagF1(prediction: string[], gold: string[], bothEmpty: number): number {
	if (prediction.length === 0 && gold.length === 0) return bothEmpty;
	const common = gold.length <= fewTokens ? commonToFew(prediction, gold) : commonToMany(prediction, gold);
	if (common === 0) return 0;
	const precision = common / prediction.length;
	const recall = common / gold.length;
	return (2 * precision * recall) / (precision + recall);
}

/** So many gold tokens fit the bits of an integer, and are found faster by looking at each than by counting them. */
const fewTokens = 30;

function commonToFew(prediction: string[], gold: string[]): number {
	let common = 0;
	let taken = 0;
	for (const token of prediction) {
		for (let at = gold.indexOf(token); at >= 0; at = gold.indexOf(token, at + 1)) {
			if (taken & (1 << at)) continue;
			taken |= 1 << at;
			common += 1;
			break;
		}
	}
	return common;
}

function commonToMany(prediction: string[], gold: string[]): number {
	const left = new Map<string, number>();
	for (const token of gold) left.set(token, (left.get(token) ?? 0) + 1);
	let common = 0;
	for (const token of prediction) {
		const count = left.get(token) ?? 0;
		if (count === 0) continue;
		left.set(token, count - 1);
		common += 1;
	}
	return common;
}

const words = byWords(tokenF1);

export const f1Metric = defineMetric({
	name: "f1",
	group: "answers",
	describe: "Overlap of a prediction's words with an accepted answer's, the best over the accepted answers.",
	formula: "2PR / (P + R) over bags of normalised tokens; the maximum over accepted",
	range: "0 to 1",
	edges:
		"No common token: 0, so two empty texts score 0 (1 in mode musique). Yes, no and noanswer must agree entirely (not in squad, musique). A prediction that opens by declining: 0 (not in squad, hotpot, musique). No prediction: unscored.",
	source: "SQuAD 1.1, HotpotQA, MuSiQue, AgenticRAGTracer evaluation scripts, by mode",
	example: { prediction: "Barack Obama, the 44th president", accepted: ["Barack Obama"] },
	input: words.input,
	compute: words.compute,
	record: {
		heading: "F1",
		meaning: "Overlap of words between the answer and the best accepted answer, averaged over tasks.",
		needs: ["answer"],
		direction: "higher",
		unit: "percent",
		aggregation: "share",
		tables: ["terminal", "page", "compare"],
		example: 0.8,
		score: words.score,
	},
});
