import { z } from "zod";
import { defineMetric } from "../metric.ts";

/** Items at or below this are looked at by a person. */
const inspectFrom = 1.2;

/** Right answers among n that were sampled. */
export interface Sampled {
	right: number;
	n: number;
}

/**
 * Probability of the right answer from sampled answers, by the rule of succession: (right + 1) / (n + 2). Never 0, so
 * that the ratio below exists; with few samples it pulls the ratio towards 1. Source: Laplace.
 */
export function succession({ right, n }: Sampled): number {
	return (right + 1) / (n + 2);
}

/**
 * Visual dependence r_vis: probability of the accepted answer with the image over that with the image masked. 1: the
 * image adds nothing; at or below 1.20 a person should look. Masked probability 0: null.
 * Source: VistaHop, equation 6.
 */
export function visualDependence(withImage: number, masked: number): number | null {
	return masked === 0 ? null : withImage / masked;
}

const probability = z.number().min(0).max(1);
const sampled = z
	.strictObject({ right: z.int().min(0), n: z.int().min(1) })
	.refine(({ right, n }) => right <= n, { message: "right must not exceed n" });

export const visualDependenceMetric = defineMetric({
	name: "visual-dependence",
	group: "construction",
	describe:
		"How much likelier the right answer is with the image than with it masked; inspect says to look at the item.",
	formula: "withImage / masked; from samples each is (right + 1) / (n + 2)",
	range: "0 and up, 1 where the image adds nothing",
	edges:
		"inspect is set at 1.20 and below. method says whether probabilities were given or estimated by the rule of succession. masked 0: unscored.",
	source: "VistaHop, equation 6; Laplace's rule of succession",
	example: { withImage: 0.6, masked: 0.25 },
	input: z
		.strictObject({
			withImage: probability.optional(),
			masked: probability.optional(),
			samples: z.strictObject({ withImage: sampled, masked: sampled }).optional(),
		})
		.refine(
			({ withImage, masked, samples }) => {
				const given = [withImage, masked].filter((each) => each !== undefined).length;
				return samples === undefined ? given === 2 : given === 0;
			},
			{ message: "give either withImage and masked, or samples" },
		),
	compute: ({ withImage = 0, masked = 0, samples }) => {
		const probabilities = samples
			? { withImage: succession(samples.withImage), masked: succession(samples.masked), method: "rule of succession" }
			: { withImage, masked, method: "probabilities" };
		const value = visualDependence(probabilities.withImage, probabilities.masked);
		return value === null
			? { value, reason: "masked: the answer has no probability without the image", ...probabilities }
			: { value, inspect: value <= inspectFrom, ...probabilities };
	},
});
