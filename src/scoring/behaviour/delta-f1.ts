import { z } from "zod";
import { asManyClusters, clusterNames, defineMetric } from "../metric.ts";
import { asResult } from "../statistics/as-result.ts";
import { paired } from "../statistics/paired.ts";

const shares = z.array(z.number().min(0).max(1)).max(1_000_000);

export const deltaF1Metric = defineMetric({
	name: "delta-f1",
	group: "behaviour",
	describe: "What retrieval adds: F1 minus the F1 of the same model without retrieval on the same tasks.",
	formula: "mean of f1 - closedBook, as `paired` computes it",
	range: "-1 to 1",
	edges:
		"The two lists are of the same tasks in the same order. One task or one cluster: no interval. No tasks: unscored.",
	source: "MC-Search, section 2.2",
	example: { f1: [0.8, 0.5, 1], closedBook: [0.2, 0.5, 0.4] },
	input: z
		.strictObject({ f1: shares, closedBook: shares, clusters: clusterNames.optional() })
		.refine(({ f1, closedBook }) => f1.length === closedBook.length, {
			message: "f1 and closedBook must be of one length",
			path: ["closedBook"],
		})
		.refine(...asManyClusters("f1", "tasks")),
	compute: ({ f1, closedBook, clusters }) => asResult(paired(f1, closedBook, { clusters })),
});
