import { boundsOf, pairedScores } from "../compare.ts";
import { clusterOf, type ScoredItem } from "../items-by-task.ts";
import type { Scorer } from "../scorer.ts";
import { clusteredError, clusterIndex, sumsBy } from "../statistics/clusters.ts";
import { studentQuantile } from "../statistics/student-t.ts";
import { clusteredTango } from "../statistics/tango.ts";

/** How far one run is ahead of another on the same tasks, surely. */
export interface Apart {
	/** The first minus the second, in the metric's unit; null where no task is scored in both. */
	value: number | null;
	/** What is not scored at its worst and at its best for the first; infinite where these tasks tell nothing. */
	low: number;
	high: number;
	/** Tasks scored in both, and those that either was expected to answer. */
	n: number;
	tasks: number;
}

/**
 * The paired difference with an interval that each side misses with the chance `tail`: Tango's for shares, else of Student's
 * t with clustered errors.
 */
export function apart<Item extends ScoredItem>(
	run: readonly Item[],
	base: readonly Item[],
	{ metric, tail }: { metric: Scorer; tail: number },
): Apart {
	const scores = pairedScores(run, base, { metric });
	const { pairs, tasks } = scores;
	const counts = { n: pairs.length, tasks: tasks.length };
	const unknown = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY, ...counts };
	const whole = pairs.reduce((sum, { weight }) => sum + weight, 0);
	if (!(whole > 0)) return { value: null, ...unknown };
	const differences = pairs.map(({ values: [mine, theirs] }) => mine - theirs);
	const weightAt = (at: number) => pairs[at]?.weight ?? 0;
	const value = differences.reduce((sum, difference, at) => sum + weightAt(at) * difference, 0) / whole;
	const ends = metric.aggregation === "share" ? tango() : spread();
	if (!ends) return { value, ...unknown };
	if (counts.n === counts.tasks) return { value, ...ends, ...counts };
	// of other metrics nobody knows how bad what is not scored could have been
	if (metric.aggregation === "mean") return { value, ...unknown };
	const [worst, best] = boundsOf(scores);
	return { value, low: ends.low - (value - worst), high: ends.high + (best - value), ...counts };

	function tango() {
		const clusters = pairs.map(({ task }) => clusterOf(task));
		return clusteredTango(differences, clusters, { tail })?.(counts.n);
	}

	function spread() {
		const value0 = value;
		const index = clusterIndex(
			counts.n,
			pairs.map(({ task }) => clusterOf(task)),
		);
		if (index.groups < 2) return undefined;
		const deviations = differences.map((difference, at) => weightAt(at) * (difference - value0));
		const half = studentQuantile(1 - tail, index.groups - 1) * clusteredError(sumsBy(index, deviations), whole);
		// where no pair differs in another amount, nothing says how they spread
		return half > 0 ? { low: value0 - half, high: value0 + half } : undefined;
	}
}
