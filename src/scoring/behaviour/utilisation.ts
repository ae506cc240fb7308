import { z } from "zod";
import { scored, unscored } from "#domain";
import { asManyClusters, clusterNames, defineMetric, values } from "../metric.ts";
import { asResult } from "../statistics/as-result.ts";
import { type Interval, interval } from "../statistics/interval.ts";

/**
 * Tool utilisation: mean calls over the calls that were allowed, with its interval. `calls[i]` is of one task, `allowed`
 * above 0. Above 1 only where the protocol counts calls otherwise than the limit does.
 * Source: VistaHop, section 4 (average tool calls divided by the most allowed).
 */
export function utilisation(
	calls: readonly number[],
	options: { allowed: number; clusters?: readonly string[] | undefined },
): Interval {
	const { allowed, clusters } = options;
	return interval(
		calls.map((count) => count / allowed),
		{ clusters, share: false },
	);
}

export const utilisationMetric = defineMetric({
	name: "utilisation",
	group: "behaviour",
	describe: "How much of the allowed calls an agent uses.",
	formula: "mean of calls / allowed",
	range: "0 and up, 1 where all are used",
	edges: "calls beside the value is their mean. No tasks: unscored.",
	source: "VistaHop, section 4",
	example: { calls: [8, 10, 9], allowed: 10 },
	input: z
		.strictObject({
			calls: values.refine((counts) => counts.every((count) => count >= 0), { message: "must not be negative" }),
			allowed: z.number().min(1).max(1e9),
			clusters: clusterNames.optional(),
		})
		.refine(...asManyClusters("calls")),
	compute: ({ calls, allowed, clusters }) => {
		const found = utilisation(calls, { allowed, clusters });
		return asResult({ ...found, calls: found.value === null ? null : found.value * allowed, allowed });
	},
	record: {
		heading: "Utilisation",
		meaning: "Calls carried out for a task over the calls that the setting allows.",
		needs: ["steps"],
		direction: "neither",
		unit: "percent",
		aggregation: "mean",
		tables: ["behaviour"],
		example: 0.5,
		score: ({ calls, limit }) =>
			limit === undefined ? unscored("the setting names no limit") : scored(calls().executed / limit),
	},
});
