import { z } from "zod";
import { clusterNames, defineMetric } from "../metric.ts";
import { asResult } from "../statistics/as-result.ts";
import { type Interval, interval } from "../statistics/interval.ts";
import { mean } from "../statistics/moments.ts";

/**
 * Average k: results that a retrieval step brought back, averaged over a task's steps and then over tasks, with its
 * interval. Tasks without a step have no average and are left out; none left: null.
 * Source: AgenticRAGTracer, Figure 3 (its script divides each task's results by its steps).
 */
export function averageK(
	results: readonly (readonly number[])[],
	options: { clusters?: readonly string[] | undefined } = {},
): Interval {
	const stepped = [...results.keys()].filter((index) => (results[index]?.length ?? 0) > 0);
	const { clusters } = options;
	return interval(
		stepped.map((index) => mean(results[index] ?? [])),
		{ clusters: clusters && stepped.map((index) => clusters[index] ?? ""), share: false },
	);
}

export const averageKMetric = defineMetric({
	name: "average-k",
	group: "behaviour",
	describe: "Results that a retrieval step brings back on average.",
	formula: "mean over tasks of (mean of results over the task's steps)",
	range: "0 and up",
	edges: "Tasks without a step are left out and counted as stepless; none left: unscored.",
	source: "AgenticRAGTracer, Figure 3",
	example: { results: [[5, 3], [10], []] },
	input: z
		.strictObject({
			results: z.array(z.array(z.number().min(0).max(1e9)).max(100_000)).max(1_000_000),
			clusters: clusterNames.optional(),
		})
		.refine(({ results, clusters }) => clusters === undefined || clusters.length === results.length, {
			message: "there must be as many clusters as tasks",
			path: ["clusters"],
		}),
	compute: ({ results, clusters }) => {
		const stepless = results.filter((steps) => steps.length === 0).length;
		const found = averageK(results, { clusters });
		return asResult({ ...found, ...(found.value === null ? { reason: "no task has a step" } : {}), stepless });
	},
});
