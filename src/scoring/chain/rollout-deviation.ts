import { z } from "zod";
import { defineMetric } from "../metric.ts";

/**
 * Rollout deviation: |predicted retrieval steps - T|, with the signed difference `delta` beside it (above 0: searched
 * too often). Both counts are whole numbers >= 0; T counts gold hops that need retrieval. Its mean over tasks is
 * unbounded above and best at 0. Source: MC-Search eq. 5.
 */
export function rolloutDeviation(gold: number, steps: number): { value: number; delta: number } {
	return { value: Math.abs(steps - gold), delta: steps - gold };
}

export const rolloutDeviationMetric = defineMetric({
	name: "rollout-deviation",
	group: "chains",
	describe: "How many retrieval steps more or fewer were made than the chain has; delta has the sign.",
	formula: "|steps - gold|",
	range: "0 and up, best at 0",
	edges: "Gold counts hops that need retrieval.",
	source: "MC-Search, equation 5",
	example: { gold: 3, steps: 5 },
	input: z.strictObject({ gold: z.int().min(0), steps: z.int().min(0) }),
	compute: ({ gold, steps }) => ({ ...rolloutDeviation(gold, steps) }),
});
