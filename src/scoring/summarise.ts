import type { Outcome } from "#domain";
import { tally } from "#domain";
import {
	type ChosenScore,
	chosenScore,
	clusterOf,
	extremesOf,
	type ScoreChoice,
	type ScoredItem,
	scoresByTask,
	type TaskScores,
	weightOf,
} from "./scores-by-task.ts";
import { type Interval, interval } from "./statistics/interval.ts";
import { mean } from "./statistics/moments.ts";
import { type RatioInterval, ratioInterval } from "./statistics/ratio-interval.ts";

/** One metric over many records, with everything a table must say beside the number. */
export interface Summary {
	metric: string;
	/** Mean over tasks of what was scored, repeats of a task averaged first; null when nothing was. */
	value: number | null;
	/** 95 % interval, within [0, 1] for shares; `reason` says why there is none, or why it has no width. */
	low: number | null;
	high: number | null;
	method: Interval["method"] | RatioInterval["method"];
	reason?: string;
	/** What the interval takes as independent, and how many of them there are. */
	unit: "task" | "cluster";
	groups: number;
	/** Tasks with at least one score. */
	tasks: number;
	/** Records expected where the metric applies, those scored, and the reasons of the rest. */
	expected: number;
	scored: number;
	missing: Record<string, number>;
	/** Records of tasks that give the metric nothing to measure (no chain, no dependent hops). */
	inapplicable: number;
	/** For shares: the value if all that is missing were 0, or were 1; null for other metrics. */
	bounds: [number, number] | null;
	/** How all expected records ended. */
	outcomes: Partial<Record<Outcome | "missing", number>>;
}

/**
 * Summarises one metric. Expected records without a row, or unscored, stay in the counts and in the bounds. Tasks of
 * one declared cluster, or of one nested question series, share their luck; the interval takes that into account. How the
 * figure is made, the scorer says.
 */
export function summarise<Item extends ScoredItem>(items: readonly Item[], options: ScoreChoice<Item>): Summary {
	const chosen = chosenScore(options);
	const { share } = chosen;
	const groups = [...scoresByTask(items, options).values()];
	const expected = groups.reduce((sum, group) => sum + group.expected, 0);
	const measured = groups.filter((group) => group.values.length > 0);
	const values = measured.map((group) => mean(group.values));
	const clusters = measured.map(({ task }) => clusterOf(task));
	const found = chosen.ratio ? ratioOf(measured, { values, chosen }) : interval(values, { clusters, share });
	return {
		metric: chosen.name,
		value: found.value,
		low: found.low === null ? null : share ? Math.max(0, found.low) : found.low,
		high: found.high === null ? null : share ? Math.min(1, found.high) : found.high,
		method: found.method,
		...(found.reason === undefined ? {} : { reason: found.reason }),
		unit: new Set(clusters).size === measured.length ? "task" : "cluster",
		groups: found.groups,
		tasks: measured.length,
		expected,
		scored: groups.reduce((sum, group) => sum + group.values.length, 0),
		missing: tally(groups.flatMap((group) => group.missing)),
		inapplicable: items.length - expected,
		bounds: share && groups.length > 0 ? boundsOf(groups, chosen) : null,
		outcomes: tally(items.map(({ row }) => row?.outcome ?? "missing")),
	};
}

/** [sum / n, (sum + missing) / n] with each task's repeats averaged, n the tasks expected, or what they weigh. */
function boundsOf(groups: readonly TaskScores[], chosen: ChosenScore): [number, number] {
	let low = 0;
	let high = 0;
	let whole = 0;
	for (const group of groups) {
		const weight = weightOf(group.task, chosen);
		const [lowest, highest] = extremesOf(group);
		low += weight * lowest;
		high += weight * highest;
		whole += weight;
	}
	return [low / whole, high / whole];
}

function ratioOf(
	measured: readonly TaskScores[],
	{ values, chosen }: { values: number[]; chosen: ChosenScore },
): RatioInterval {
	return ratioInterval(
		measured.map(({ task }, at) => {
			const denominator = weightOf(task, chosen);
			return { numerator: (values[at] ?? 0) * denominator, denominator, cluster: clusterOf(task) };
		}),
	);
}
