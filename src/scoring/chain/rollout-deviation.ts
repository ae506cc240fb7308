import { z } from "zod";
import { scored } from "#domain";
import { defineMetric } from "../metric.ts";
import { defineScorer } from "../record-metric.ts";

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
	record: {
		heading: "RD",
		meaning:
			"Rollout deviation: how many retrieval steps more or fewer than the gold chain has, sign dropped. 0 is best.",
		needs: ["chain", "steps"],
		direction: "lower",
		unit: "number",
		aggregation: "mean",
		tables: ["terminal", "page"],
		example: 1,
		score(record) {
			const [gold, steps] = [record.gold().length, record.searches().length];
			const { value, delta } = rolloutDeviation(gold, steps);
			return scored(value, { delta, gold, steps });
		},
	},
});

export const deltaStepScorer = defineScorer({
	name: "delta-step",
	group: "chains",
	heading: "Δstep",
	meaning: "The same with its sign: above 0 the agent searched more often than the chain needs, below 0 less often.",
	formula: "steps - gold",
	edges: "Gold counts hops that need retrieval.",
	source: "MC-Search, Figure 4",
	needs: ["chain", "steps"],
	direction: "neither",
	unit: "number",
	aggregation: "mean",
	tables: ["page"],
	example: 1,
	score: (record) => scored(rolloutDeviation(record.gold().length, record.searches().length).delta),
});
