import { compareRuns, pairedScores } from "./compare.ts";
import { clusterOf, type ScoredItem } from "./items-by-task.ts";
import type { Scorer } from "./scorer.ts";
import { clusteredTango } from "./statistics/tango.ts";

/** Whether a run may replace another: a test of non-inferiority on one metric. */
export interface GateDecision {
	metric: string;
	/** `fails`: it is worse by more than is allowed. `open`: these tasks tell neither. */
	verdict: "passes" | "fails" | "open";
	/** Run minus base, in the metric's unit (shares from 0 to 1); null where no task is scored in both. */
	value: number | null;
	/** Its 95 % interval, with what is not scored at its worst and best; null where there is none. */
	low: number | null;
	high: number | null;
	/** The greatest drop that is allowed, in the metric's unit; of a metric of which less is better, the greatest rise. */
	allowed: number;
	/** Tasks scored in both runs, and those that either was expected to answer. */
	n: number;
	tasks: number;
	/** How many more tasks would tell, if they came out as these did; null where it is decided, or no number would. */
	more: number | null;
	/** Why it is open. */
	reason?: string;
}

/** More tasks than anybody has. */
const mostTasks = 10_000_000;

interface Ends {
	low: number;
	high: number;
}

/**
 * Passes where the whole 95 % interval of run minus base lies above the drop that is allowed, fails where it lies below,
 * and is open otherwise: either wrong decision has at most about 2.5 %. Shares have Tango's interval, other metrics the
 * clustered t interval of `compareRuns`; tasks without a score count at their worst for passing, at their best for failing.
 */
export function gate<Item extends ScoredItem>(
	run: readonly Item[],
	base: readonly Item[],
	{ metric, allowed }: { metric: Scorer; allowed: number },
): GateDecision {
	const { value, n, tasks, low, high, bounds, reason } = compareRuns(run, base, { metric });
	const told = { metric: metric.name, value, allowed, n, tasks };
	const intervalOf = metric.aggregation === "share" ? shareInterval() : spreadInterval();
	if (value === null || !intervalOf)
		return { ...told, ...{ verdict: "open", low: null, high: null, more: null, reason: reason ?? "no interval" } };
	const missing = tasks - n;
	const [worst, best] = missing > 0 && bounds ? bounds : [value, value];
	/** Of so many tasks that came out as these did, scored or not. */
	const ends = (size: number): Ends => {
		const interval = intervalOf(size);
		return { low: interval.low - (value - worst), high: interval.high + (best - value) };
	};
	const verdict = missing > 0 && !bounds ? "open" : verdictOf(ends(n));
	if (verdict !== "open") return { ...told, ...ends(n), verdict, more: null };
	const more = missing > 0 && !bounds ? null : moreNeeded();
	const why =
		more !== null
			? "the interval holds the drop that is allowed"
			: missing > 0
				? `${missing} of ${tasks} tasks are not scored in both runs`
				: "the drop seen is about the one that is allowed";
	return { ...told, ...ends(n), verdict, more, reason: why };

	function verdictOf(of: Ends): GateDecision["verdict"] {
		const [worse, better] = metric.direction === "lower" ? [-of.high, -of.low] : [of.low, of.high];
		if (worse >= -allowed) return "passes";
		return better < -allowed ? "fails" : "open";
	}

	function shareInterval() {
		const { pairs } = pairedScores(run, base, { metric });
		return clusteredTango(
			pairs.map(({ values: [mine, theirs] }) => mine - theirs),
			pairs.map(({ task }) => clusterOf(task)),
		);
	}

	function spreadInterval() {
		if (value === null || low === null || high === null) return undefined;
		return (size: number): Ends => {
			const half = ((high - low) / 2) * Math.sqrt(n / size);
			return { low: value - half, high: value + half };
		};
	}

	function moreNeeded(): number | null {
		let enough = 2 * n;
		while (enough < mostTasks && verdictOf(ends(enough)) === "open") enough *= 2;
		if (enough >= mostTasks) return null;
		let few = enough / 2;
		while (enough - few > 1) {
			const between = Math.floor((few + enough) / 2);
			if (verdictOf(ends(between)) === "open") few = between;
			else enough = between;
		}
		return enough - n;
	}
}
