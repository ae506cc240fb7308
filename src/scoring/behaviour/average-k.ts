import { z } from "zod";
import { askedResults, scored, unscored } from "#domain";
import { asManyClusters, clusterNames, defineMetric } from "../metric.ts";
import { asResult } from "../statistics/as-result.ts";
import { type Interval, interval } from "../statistics/interval.ts";
import { mean } from "../statistics/moments.ts";

/**
 * Average k: results that a round of searching asked for, averaged over a task's rounds and then over tasks, with its
 * interval. `results[task][round]` is the sum of k over the searches of one reply, as they were asked for, whatever was
 * granted or came back. Tasks without a round have no average and are left out; none left: null.
 * Source: AgenticRAGTracer, Figure 3 (its script, `topk_per_step`: the sum of every call's topk over the replies that
 * called; of tasks that it could not finish it takes 0, which is left out here).
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
	describe: "Results that a round of searching asks for on average.",
	formula: "mean over tasks of (sum of k asked for over all searches of the task / its rounds)",
	range: "0 and up",
	edges:
		"results holds, by task and round, the k that the round's searches asked for, added up. Tasks without a round are left out and counted as stepless; none left: unscored.",
	source: "AgenticRAGTracer, Figure 3",
	example: { results: [[5, 3], [10], []] },
	input: z
		.strictObject({
			results: z.array(z.array(z.number().min(0).max(1e9)).max(100_000)).max(1_000_000),
			clusters: clusterNames.optional(),
		})
		.refine(...asManyClusters("results", "tasks")),
	compute: ({ results, clusters }) => {
		const stepless = results.filter((steps) => steps.length === 0).length;
		const found = averageK(results, { clusters });
		return asResult({ ...found, ...(found.value === null ? { reason: "no task has a step" } : {}), stepless });
	},
	record: {
		heading: "Average k",
		meaning: "Results that a round of searching asked for, averaged over a task's rounds.",
		needs: ["steps"],
		direction: "neither",
		unit: "number",
		aggregation: "mean",
		tables: [],
		example: 2,
		score(record) {
			const [searches, rounds] = [record.searches(), record.rounds().length];
			if (searches.length === 0) return unscored("nothing was searched");
			const asked = searches.reduce((sum, step) => sum + askedResults(step), 0);
			const returned = searches.reduce((sum, { results }) => sum + results.length, 0);
			return scored(asked / rounds, { asked, returned, rounds });
		},
	},
});
