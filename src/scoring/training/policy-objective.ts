import { z } from "zod";
import { defineMetric } from "../metric.ts";
import { type Aggregation, aggregations, type Counted, weigh } from "./aggregation.ts";

/** One response of the policy, token by token. */
export interface SampledResponse {
	/** Of the whole response: every token has it. */
	advantage: number;
	/** Natural logarithms of the tokens' probabilities, now and when they were sampled. */
	logProbabilities: ArrayLike<number>;
	oldLogProbabilities: ArrayLike<number>;
	/** 1 on tokens that carry loss, 0 on others; without it all do. */
	mask?: ArrayLike<number> | undefined;
	/** Which task it answers; `group-token-mean` needs it. */
	group?: number | string | undefined;
}

export interface ObjectiveOptions {
	/** The ratio is clipped to [1 - low, 1 + high]; defaults 0.2 and 0.28. */
	low?: number | undefined;
	high?: number | undefined;
	/**
	 * With a negative advantage a token costs at most this many times it. Default null, no such bound: neither MMhops-R1 nor
	 * DAPO has one. verl bounds at 3 where nothing is said.
	 */
	dual?: number | null | undefined;
	/** How token losses become one number; default `token-mean`. */
	aggregation?: Aggregation | undefined;
	/** Tokens that `seq-mean-token-sum-norm` divides by, default those of the longest response. */
	scale?: number | undefined;
}

/** The loss to be minimised, with what one watches beside it. Shares and ratios are over the tokens that carry loss. */
export interface PolicyObjective {
	/** Null when no token carries loss. */
	value: number | null;
	/** Of the loss by `logProbabilities`, one array a response; zeros where the loss is clipped. */
	gradient: Float64Array[];
	/** New over old probability; `off` is the largest distance from 1, which is about 0 at the first epoch of a batch. */
	ratio: { mean: number; least: number; most: number; off: number } | null;
	/** Shares clipped above (advantage positive) and below (negative), and bounded by `dual`. */
	clippedHigh: number;
	clippedLow: number;
	dualClipped: number;
	/** Mean of old minus new log-probability: an estimate of how far the policy has moved. */
	moved: number;
	/** Tokens that carry loss. */
	tokens: number;
}

const farthest = 20;

/**
 * The clipped policy-gradient loss of a batch, without a KL term: per token max(-A r, -A clip(r, 1 - low, 1 + high)), with
 * r = exp(new - old log-probability, within ±20); with `dual` at most -A `dual` where A < 0.
 *
 * Source: MMhops-R1, its objective, after DAPO (asymmetric clipping, token mean); dual-clip PPO for `dual`; verl's `core_algos.py`, whose order of operations this is.
 */
export function policyObjective(
	responses: readonly SampledResponse[],
	options: ObjectiveOptions = {},
): PolicyObjective {
	const { low = 0.2, high = 0.28, dual = null, aggregation = "token-mean", scale } = options;
	const counted = responses.map(countTokens);
	const weights = weigh(counted, { aggregation, scale });
	const sums = { tokens: 0, ratio: 0, clippedHigh: 0, clippedLow: 0, dualClipped: 0, moved: 0, value: 0 };
	let least = Number.POSITIVE_INFINITY;
	let most = 0;
	const gradient = responses.map(({ advantage, logProbabilities, oldLogProbabilities, mask }, at) => {
		const slopes = new Float64Array(logProbabilities.length);
		const weight = weights[at] ?? 0;
		for (let token = 0; token < slopes.length; token += 1) {
			if (mask && !mask[token]) continue;
			const change = (logProbabilities[token] ?? Number.NaN) - (oldLogProbabilities[token] ?? Number.NaN);
			const ratio = Math.exp(Math.min(farthest, Math.max(-farthest, change)));
			const free = -advantage * ratio;
			const held = -advantage * Math.min(1 + high, Math.max(1 - low, ratio));
			const clipped = held > free;
			const worse = clipped ? held : free;
			const bounded = dual !== null && advantage < 0 && worse > -advantage * dual;
			sums.value += weight * (bounded ? -advantage * dual : worse);
			if (!clipped && !bounded && Math.abs(change) <= farthest) slopes[token] = weight * free;
			sums.tokens += 1;
			sums.ratio += ratio;
			sums.moved -= Math.min(farthest, Math.max(-farthest, change));
			if (clipped && advantage > 0) sums.clippedHigh += 1;
			if (clipped && advantage < 0) sums.clippedLow += 1;
			if (bounded) sums.dualClipped += 1;
			least = Math.min(least, ratio);
			most = Math.max(most, ratio);
		}
		return slopes;
	});
	const { tokens, ratio, value, ...shares } = sums;
	const share = (sum: number) => (tokens === 0 ? 0 : sum / tokens);
	return {
		value: tokens === 0 ? null : value,
		gradient,
		ratio:
			tokens === 0
				? null
				: { mean: ratio / tokens, least, most, off: Math.max(Math.abs(most - 1), Math.abs(least - 1)) },
		clippedHigh: share(shares.clippedHigh),
		clippedLow: share(shares.clippedLow),
		dualClipped: share(shares.dualClipped),
		moved: share(shares.moved),
		tokens,
	};
}

/** Throws a RangeError where what stands beside the tokens is not as long as they are. */
function countTokens({ logProbabilities, oldLogProbabilities, mask, group }: SampledResponse): Counted {
	const { length } = logProbabilities;
	if (oldLogProbabilities.length !== length || (mask && mask.length !== length))
		throw new RangeError("old log-probabilities and mask must be as long as the log-probabilities");
	let trained = length;
	if (mask) for (let token = 0; token < length; token += 1) if (!mask[token]) trained -= 1;
	return { length, trained, group };
}

const logs = z.array(z.number().max(0)).max(1_000_000);

export const policyObjectiveMetric = defineMetric({
	name: "policy-objective",
	group: "training",
	describe: "Clipped policy-gradient loss of a batch of responses, without a KL term, with clip shares and ratios.",
	formula:
		"per token max(-A r, -A clip(r, 1 - low, 1 + high)), with r = exp(new - old), the difference within ±20; with dual, at most -A dual where A < 0; then as aggregation says",
	range: "any; lower is better",
	edges:
		"Clips 0.2 and 0.28 and no dual where not given. No token that carries loss: unscored. Responses without one do not count as sequences.",
	source: "MMhops-R1, its objective; DAPO; dual-clip PPO; verl, core_algos.py",
	example: {
		responses: [
			{ advantage: 1, logProbabilities: [-0.5, -2.1], oldLogProbabilities: [-1, -2] },
			{ advantage: -1, logProbabilities: [-0.9, -2.9], oldLogProbabilities: [-1, -3], mask: [1, 0] },
		],
	},
	input: z
		.strictObject({
			responses: z
				.array(
					z.strictObject({
						advantage: z.number(),
						logProbabilities: logs,
						oldLogProbabilities: logs,
						mask: z.array(z.union([z.literal(0), z.literal(1)])).optional(),
						group: z.union([z.number(), z.string()]).optional(),
					}),
				)
				.max(100_000),
			low: z.number().min(0).max(1).optional(),
			high: z.number().min(0).optional(),
			dual: z.number().min(1).nullable().optional(),
			aggregation: z.enum(aggregations).optional(),
			scale: z.int().min(1).optional(),
		})
		.refine(({ responses }) => responses.every(isEven), {
			message: "old log-probabilities and mask must be as long as the log-probabilities",
			path: ["responses"],
		})
		.refine(
			({ responses, aggregation }) =>
				aggregation !== "group-token-mean" || responses.every(({ group }) => group !== undefined),
			{ message: "aggregation group-token-mean needs a group in each response", path: ["responses"] },
		),
	compute: ({ responses, ...options }) => {
		const { value, gradient: _gradient, ...beside } = policyObjective(responses, options);
		const said = { aggregation: options.aggregation ?? "token-mean", ...beside };
		return value === null ? { value, reason: "no token carries loss", ...said } : { value, ...said };
	},
});

const isEven = (given: { logProbabilities: number[]; oldLogProbabilities: number[]; mask?: number[] | undefined }) =>
	given.oldLogProbabilities.length === given.logProbabilities.length &&
	(given.mask === undefined || given.mask.length === given.logProbabilities.length);
