import { z } from "zod";
import { defineMetric } from "../metric.ts";
import { incompleteBeta } from "./beta.ts";

/**
 * McNemar's exact test of two systems on the same independent tasks: the two-sided p of `wins` (only the first right)
 * against `losses` (only the second right), a fair coin under the null: min(1, 2 P(X <= min)), X ~ Binomial(b + c, 1/2).
 * No task told them apart: 1. Source: McNemar 1947, in its exact form; agrees with scipy `binomtest`.
 */
export function mcnemar(wins: number, losses: number): number {
	if (wins === losses) return 1;
	const [fewer, more] = [Math.min(wins, losses), Math.max(wins, losses)];
	// P(X <= k) of Binomial(n, 1/2) is I_(1/2)(n - k, k + 1): no sum over counts, however many
	if (fewer + more > 1000) return Math.min(1, 2 * incompleteBeta(0.5, more, fewer + 1));
	let chance = 2 ** -(fewer + more);
	let sum = chance;
	for (let count = 1; count <= fewer; count++) {
		chance *= (fewer + more - count + 1) / count;
		sum += chance;
	}
	return Math.min(1, 2 * sum);
}

const count = z.number().int().min(0).max(1_000_000_000);

export const mcnemarMetric = defineMetric({
	name: "mcnemar",
	group: "uncertainty",
	describe: "Exact test of two systems on the same independent tasks, from the tasks that only one got right.",
	formula: "min(1, 2 P(X <= min(b, c))), X ~ Binomial(b + c, 1/2)",
	range: "0 to 1",
	edges: "b = c, both 0 included: 1. Tasks that both got right, or both wrong, say nothing.",
	source: "McNemar 1947, exact; agrees with scipy.stats.binomtest and statsmodels mcnemar(exact=True)",
	example: { b: 10, c: 2 },
	input: z.strictObject({ b: count, c: count }),
	compute: ({ b, c }) => ({ value: mcnemar(b, c), n: b + c }),
});
