import type { Outcome } from "#domain";
import { itemsByTask, type ScoredItem } from "./items-by-task.ts";
import {
	type ChosenScore,
	chosenScore,
	extremesOf,
	type ScoreChoice,
	type ScoresByTask,
	scoresByTask,
	weightOf,
} from "./scores-by-task.ts";
import { clusterIndex } from "./statistics/clusters.ts";
import { type Interval, interval } from "./statistics/interval.ts";
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
	const scores = scoresByTask(items, options);
	const places = placesWhere(scores.scored);
	// most metrics have a score of every task
	const isWhole = places.length === scores.tasks.length;
	const values = isWhole ? scores.means : Float64Array.from(places, (place) => scores.means[place] ?? 0);
	const clusters = isWhole ? scores.clusters : Int32Array.from(places, (place) => scores.clusters[place] ?? 0);
	const found = chosen.ratio ? ratioOf(scores, { places, chosen }) : interval(values, { clusters, share });
	const expected = totalOf(scores.expected);
	return {
		metric: chosen.name,
		value: found.value,
		low: found.low === null ? null : share ? Math.max(0, found.low) : found.low,
		high: found.high === null ? null : share ? Math.min(1, found.high) : found.high,
		method: found.method,
		...(found.reason === undefined ? {} : { reason: found.reason }),
		unit: clusterIndex(places.length, clusters).groups === places.length ? "task" : "cluster",
		groups: found.groups,
		tasks: places.length,
		expected,
		scored: totalOf(scores.scored),
		missing: scores.missing,
		inapplicable: items.length - expected,
		bounds: share && expected > 0 ? boundsOf(scores, chosen) : null,
		outcomes: { ...itemsByTask(items).outcomes },
	};
}

/** Where there are any. */
function placesWhere(counts: Int32Array): Int32Array {
	const places = new Int32Array(counts.length);
	let found = 0;
	for (let place = 0; place < counts.length; place++) if (counts[place]) places[found++] = place;
	return places.subarray(0, found);
}

const totalOf = (counts: Int32Array): number => counts.reduce((sum, count) => sum + count, 0);

/** [sum / n, (sum + missing) / n] with each task's repeats averaged, n the tasks expected, or what they weigh. */
function boundsOf(scores: ScoresByTask, chosen: ChosenScore): [number, number] {
	let [low, high, whole] = [0, 0, 0];
	for (let place = 0; place < scores.expected.length; place++) {
		if (!scores.expected[place]) continue;
		const weight = weightOf(scores, place, chosen);
		const [lowest, highest] = extremesOf(scores, place);
		low += weight * lowest;
		high += weight * highest;
		whole += weight;
	}
	return [low / whole, high / whole];
}

function ratioOf(scores: ScoresByTask, { places, chosen }: { places: Int32Array; chosen: ChosenScore }): RatioInterval {
	return ratioInterval(
		Array.from(places, (place) => {
			const denominator = weightOf(scores, place, chosen);
			const cluster = scores.clusters[place] ?? 0;
			return { numerator: (scores.means[place] ?? 0) * denominator, denominator, cluster };
		}),
	);
}
