import { z } from "zod";
import { reasoningHops } from "#domain";
import { defineMetric } from "../metric.ts";

/**
 * Difficulty level by reasoning hops: 1 below 5, 2 from 5, 3 from 10, or from other numbers. A question fused of several
 * counts the hops of all its parts. Source: VistaHop, Table 3.
 */
export function difficulty(hops: number, [second, third]: readonly [number, number] = [5, 10]): 1 | 2 | 3 {
	if (hops < second) return 1;
	return hops < third ? 2 : 3;
}

/** The level of a task, `L1` to `L3`, by its reasoning hops; undefined where it has none. */
export function levelOf(
	task: Parameters<typeof reasoningHops>[0],
	from?: readonly [number, number],
): "L1" | "L2" | "L3" | undefined {
	const hops = reasoningHops(task).length;
	return hops === 0 ? undefined : `L${difficulty(hops, from)}`;
}

const count = z.int().min(1).max(100_000);

export const difficultyMetric = defineMetric({
	name: "difficulty",
	group: "construction",
	describe: "Difficulty level of a question by its number of hops.",
	formula: "1 if hops < 5, 2 if hops < 10, else 3; hops = sum of parts for a fused question",
	range: "1, 2 or 3",
	edges: "level holds the name, L1 to L3. The fusing operation itself is no hop.",
	source: "VistaHop, Table 3",
	example: { hops: 7 },
	input: z
		.strictObject({ hops: count.optional(), parts: z.array(count).min(1).max(1000).optional() })
		.refine(({ hops, parts }) => (hops === undefined) !== (parts === undefined), {
			message: "give either hops or parts",
		}),
	compute: ({ hops, parts = [] }) => {
		const total = hops ?? parts.reduce((sum, part) => sum + part, 0);
		const value = difficulty(total);
		return { value, level: `L${value}`, hops: total };
	},
});
