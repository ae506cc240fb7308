import { z } from "zod";
import type { Outcome } from "#domain";
import { clusterNames, defineMetric } from "../metric.ts";
import { asResult } from "../statistics/as-result.ts";
import { type Interval, interval } from "../statistics/interval.ts";

/** How an answer, or its absence, counts: `context-limit` is an attempt whose conversation outgrew the model's context. */
export const answerOutcomes = [
	"right",
	"partly-right",
	"wrong",
	"abstained",
	"context-limit",
] as const satisfies readonly Outcome[];

/** Whether retrieval found the evidence, and how the answer was graded. */
export interface HitOutcome {
	hit: boolean;
	outcome: (typeof answerOutcomes)[number];
	/** Whether there is an answer that does not decline; without it every outcome but `abstained` and `context-limit` is taken for one. */
	answered?: boolean | undefined;
	cluster?: string | undefined;
}

/** One row of the table: tasks whose retrieval hit, or missed, or all. */
export interface AnsweredRow {
	n: number;
	outcomes: Record<HitOutcome["outcome"], number>;
	/** Share that was answered at all, over n: a record that ended without an answer is not, whatever it counts as. */
	answered: Interval;
	/** Share right among the answered; partly right is not right. */
	accuracy: Interval;
}

/**
 * The over-confidence table: retrieval hit or miss, by how the task was answered. An agent that answers as often on
 * misses as on hits does not notice that its evidence is missing. Source: Double-Bench, section 4.2 and Figure 5.
 */
export function overConfidence(items: readonly HitOutcome[]): Record<"hit" | "miss" | "all", AnsweredRow> {
	const numbers = new Map<string, number>();
	let next = 0;
	const clusters = Int32Array.from(items, ({ cluster }) => {
		if (cluster === undefined) return next++;
		const number = numbers.get(cluster) ?? next++;
		numbers.set(cluster, number);
		return number;
	});
	const within = (isOf: (item: HitOutcome) => boolean) => {
		const places = [...items.keys()].filter((at) => isOf(items[at] as HitOutcome));
		return rowOf(
			places.map((at) => items[at] as HitOutcome),
			Int32Array.from(places, (at) => clusters[at] ?? 0),
		);
	};
	return { hit: within(({ hit }) => hit), miss: within(({ hit }) => !hit), all: rowOf(items, clusters) };
}

const unanswered = new Set<HitOutcome["outcome"]>(["abstained", "context-limit"]);

const isAnswered = ({ outcome, answered = !unanswered.has(outcome) }: HitOutcome) => answered;

function rowOf(items: readonly HitOutcome[], clusters: Int32Array): AnsweredRow {
	const outcomes = { right: 0, "partly-right": 0, wrong: 0, abstained: 0, "context-limit": 0 };
	for (const { outcome } of items) outcomes[outcome] += 1;
	const answered = items.filter(isAnswered);
	const answeredIn = clusters.filter((_, at) => isAnswered(items[at] as HitOutcome));
	return {
		n: items.length,
		outcomes,
		answered: rate(items, clusters, isAnswered),
		accuracy: rate(answered, answeredIn, ({ outcome }) => outcome === "right"),
	};
}

const rate = (items: readonly HitOutcome[], clusters: Int32Array, holds: (item: HitOutcome) => boolean): Interval =>
	interval(
		Float64Array.from(items, (item) => (holds(item) ? 1 : 0)),
		{ clusters },
	);

export const overConfidenceMetric = defineMetric({
	name: "over-confidence",
	group: "behaviour",
	describe: "How often an agent answers although retrieval missed the evidence, with the table it comes from.",
	formula: "tasks answered among those without a hit / tasks without a hit",
	range: "0 to 1",
	edges:
		"hit, miss and all each hold n, outcomes, the rate answered and the accuracy among the answered (partly right is not right). answered says whether there is an answer that does not decline; without it all but abstained and context-limit are taken for answers. No miss: unscored, with the table still beside it.",
	source: "Double-Bench, section 4.2 and Figure 5",
	example: {
		items: [
			{ hit: true, outcome: "right" },
			{ hit: false, outcome: "wrong" },
			{ hit: false, outcome: "wrong", answered: false },
			{ hit: false, outcome: "abstained" },
		],
	},
	input: z.strictObject({
		items: z
			.array(
				z.strictObject({
					hit: z.boolean(),
					outcome: z.enum(answerOutcomes),
					answered: z.boolean().optional(),
					cluster: clusterNames.element.optional(),
				}),
			)
			.max(1_000_000),
	}),
	compute: ({ items }) => {
		const table = overConfidence(items);
		const { answered } = table.miss;
		return asResult({
			...answered,
			...(answered.value === null ? { reason: "retrieval missed on no task" } : {}),
			...table,
		});
	},
});
