import { describe, expect, test } from "vitest";
import { seededRandom } from "#scoring";
import { fineTuningLoss } from "./fine-tune.ts";
import { objectiveSlope } from "./improve.ts";
import { fillDistribution, lookAhead, readToken } from "./policy.ts";
import { readStream } from "./read-stream.ts";
import { createTape } from "./tape.ts";
import { createWeights, drawWeights } from "./weights.ts";

const shape = { vocabulary: 9, silent: 2, hidden: 6, pointer: 3 };
const random = seededRandom(5);
const weights = drawWeights(shape, random);
const tapes = [createTape(shape, 12), createTape(shape, 12), createTape(shape, 12)];
const [tape = createTape(shape, 12)] = tapes;

const sequence = (length: number) => [0, 3, ...Array.from({ length }, () => 2 + Math.floor(random() * 7))];
/** Silent tokens are read but never trained on. */
const sequences = [sequence(6), [...sequence(4), 1, 5, 3], sequence(9)].map((tokens) => {
	const mask = tokens.map((token, at) => (at > 2 && token >= shape.silent && at % 4 !== 0 ? 1 : 0) as 0 | 1);
	return { tokens, mask, prompt: 2, trained: mask.filter((one) => one === 1).length };
});

/** The largest difference of a gradient from central differences, by the size of both. */
function offBy(loss: () => number, gradient: Float64Array): number {
	let off = 0;
	for (const at of weights.flat.keys()) {
		const held = weights.flat[at] ?? 0;
		const [above, below] = [1e-5, -1e-5].map((step) => {
			weights.flat[at] = held + step;
			return loss();
		});
		weights.flat[at] = held;
		const numeric = ((above ?? 0) - (below ?? 0)) / 2e-5;
		const own = gradient[at] ?? 0;
		off = Math.max(off, Math.abs(numeric - own) / Math.max(1e-3, Math.abs(numeric) + Math.abs(own)));
	}
	return off;
}

describe("the slopes of the policy agree with finite differences", () => {
	test("of the fine-tuning loss", () => {
		const gradient = createWeights(shape);
		fineTuningLoss(sequences, { weights, gradient, tape });
		const scratch = createWeights(shape);
		const loss = () => fineTuningLoss(sequences, { weights, gradient: scratch, tape });
		expect(offBy(loss, gradient.flat)).toBeLessThan(1e-4);
		const parts = [gradient.recurrent, gradient.query, gradient.key, gradient.gate, gradient.output];
		for (const part of parts) expect(part.some((slope) => Math.abs(slope) > 1e-4)).toBe(true);
	});

	test.each([
		"token-mean",
		"group-token-mean",
		"seq-mean-token-mean",
	] as const)("of the clipped objective, by %s, with some tokens clipped", (aggregation) => {
		// how much likelier each token was when it was sampled: within the clips and beyond them on both sides
		const shifts = [0.05, -0.12, 0.6, -0.6, 1.5];
		const batch = sequences.map(({ tokens, mask }, at) => ({
			stream: { tokens },
			mask: Uint8Array.from(mask),
			oldLogProbabilities: readStream(weights, tape, { tokens, mask }).map(
				(value, place) => value + (shifts[(place + at) % shifts.length] ?? 0),
			),
			advantage: [1.2, -0.7, -1.4][at] ?? 0,
			group: at === 0 ? 0 : 1,
		}));
		const gradient = createWeights(shape);
		const objective = objectiveSlope(batch, { weights, gradient, tapes, aggregation });
		expect(objective.clippedHigh).toBeGreaterThan(0);
		expect(objective.clippedLow).toBeGreaterThan(0);
		const scratch = createWeights(shape);
		const loss = () => objectiveSlope(batch, { weights, gradient: scratch, tapes, aggregation }).value ?? Number.NaN;
		expect(offBy(loss, gradient.flat)).toBeLessThan(1e-4);
	});
});

test("probabilities sum to 1, and silent tokens have none though they were read", () => {
	tape.length = 0;
	const distribution = new Float64Array(shape.vocabulary);
	for (const token of [0, 1, 4, 1, 7]) readToken(weights, tape, token);
	lookAhead(weights, tape, 4);
	fillDistribution(tape, 4, distribution);
	expect(distribution.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12);
	expect([...distribution.subarray(0, 2)]).toEqual([0, 0]);
	expect(Math.min(...distribution.subarray(2))).toBeGreaterThan(0);
});
