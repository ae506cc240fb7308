import { z } from "zod";
import { clusterNames, defineMetric } from "../metric.ts";
import { asResult } from "../statistics/as-result.ts";
import { type Interval, interval } from "../statistics/interval.ts";

/** Steps that one task took, and whether its answer was right. */
export interface SteppedTask {
	steps: number;
	right: boolean;
	cluster?: string | undefined;
}

/**
 * Mean steps of the tasks answered right and of those answered wrong, each with its interval; null where there are none.
 * A task that ended at the protocol's limit counts with the steps it took: the released script counts 0 for it, which
 * lowers the mean of wrong answers. Source: AgenticRAGTracer, Table 2.
 */
export function stepsByOutcome(tasks: readonly SteppedTask[]): { right: Interval; wrong: Interval } {
	const of = (right: boolean) => {
		const kept = tasks.filter((task) => task.right === right);
		return interval(
			kept.map(({ steps }) => steps),
			{
				clusters: kept.map(({ cluster }, index) => (cluster === undefined ? `task ${index}` : `cluster ${cluster}`)),
				share: false,
			},
		);
	};
	return { right: of(true), wrong: of(false) };
}

export const stepsByOutcomeMetric = defineMetric({
	name: "steps-by-outcome",
	group: "behaviour",
	describe: "Mean steps of the tasks answered right, and beside it of those answered wrong.",
	formula: "mean of steps over items with right; wrong: over the others",
	range: "0 and up",
	edges: "None right: unscored, with wrong still beside it. Tasks that hit a limit count the steps they took.",
	source: "AgenticRAGTracer, Table 2",
	example: {
		items: [
			{ steps: 3, right: true },
			{ steps: 4, right: true },
			{ steps: 7, right: false },
		],
	},
	input: z.strictObject({
		items: z
			.array(
				z.strictObject({
					steps: z.number().min(0).max(1e9),
					right: z.boolean(),
					cluster: clusterNames.element.optional(),
				}),
			)
			.max(1_000_000),
	}),
	compute: ({ items }) => {
		const { right, wrong } = stepsByOutcome(items);
		return asResult({ ...right, ...(right.value === null ? { reason: "no task was answered right" } : {}), wrong });
	},
});
