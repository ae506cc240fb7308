import { z } from "zod";
import { defineMetric } from "../metric.ts";

export interface OverlongLimits {
	/** Tokens at which a response is cut. */
	longest: number;
	/** Tokens before that within which the penalty grows; more than 0. */
	buffer: number;
	/** What a response of the longest length loses, default 1. */
	factor?: number | undefined;
}

/**
 * What a response of `length` tokens loses for its length, to be added to its reward: 0 up to `longest` - `buffer`, then
 * falling evenly to -`factor` at `longest`, and no further.
 *
 * Worked: longest 120, buffer 20: 100 tokens 0, 110 tokens -0.5, 120 tokens -1. Throws a RangeError where there is no
 * buffer. Source: DAPO, soft overlong punishment; its recipe lets it fall on beyond `longest`, where it generates nothing.
 */
export function overlongPenalty(length: number, { longest, buffer, factor = 1 }: OverlongLimits): number {
	if (!(buffer > 0)) throw new RangeError("the penalty grows within a buffer of more than 0 tokens");
	const over = (length - (longest - buffer)) / buffer;
	return over <= 0 ? 0 : -factor * Math.min(over, 1);
}

export const overlongPenaltyMetric = defineMetric({
	name: "overlong-penalty",
	group: "training",
	describe: "What a response loses for its length, to be added to its reward.",
	formula: "0 up to longest - buffer tokens, then -factor (length - (longest - buffer)) / buffer, at least -factor",
	range: "-factor to 0",
	edges: "A buffer of 0 is refused. Longer than longest: -factor. factor is 1 where not given.",
	source: "DAPO, soft overlong punishment",
	example: { length: 110, longest: 120, buffer: 20 },
	input: z.strictObject({
		length: z.int().min(0),
		longest: z.int().min(1),
		buffer: z.int().min(1),
		factor: z.number().min(0).optional(),
	}),
	compute: ({ length, ...limits }) => ({ value: overlongPenalty(length, limits), factor: limits.factor ?? 1 }),
});
