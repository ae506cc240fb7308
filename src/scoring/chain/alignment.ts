import { z } from "zod";
import { defineMetric } from "../metric.ts";
import { maximumWeightMatching } from "./weighted-matching.ts";

const longestSide = 1000;

/** A table of numbers, bounded on both sides; every row is as long as the first. */
export const similarityTable = (low: number, high: number) =>
	z
		.array(z.array(z.number().min(low).max(high)).max(longestSide))
		.max(longestSide)
		.refine((rows) => rows.every((row) => row.length === rows[0]?.length), {
			message: "all rows must have the same length",
		});

export const alignmentMetric = defineMetric({
	name: "alignment",
	group: "chains",
	describe: "Gold hops aligned one to one with predicted steps so that their similarities sum to the most.",
	formula: "the largest sum of weights[hop][step] over one-to-one pairs of hops and steps",
	range: "0 to the shorter side",
	edges: "Pairs of weight 0 stay unmatched. The table may be rectangular or empty: nothing to pair sums to 0.",
	source: "MC-Search, section 2.2; Kuhn 1955",
	example: {
		weights: [
			[0.9, 0.8, 0],
			[0.9, 0.1, 0.2],
		],
	},
	input: z.strictObject({ weights: similarityTable(0, 1) }),
	compute: ({ weights }) => {
		const { total, pairs } = maximumWeightMatching(weights);
		return { value: total, pairs: pairs.map(({ row, column, weight }) => ({ hop: row, step: column, weight })) };
	},
});
