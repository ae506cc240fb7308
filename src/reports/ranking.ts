/** The order of runs, and how much of it the paired tests and the bounds carry. */
import type { RunComparison, RunReport } from "./report-data.ts";

/**
 * Best worst-case accuracy first (everything unscored counted as wrong), so that no run gains by failing to answer;
 * then the lower end of the interval. Without an interval, and at last without a value, below. Ties by label.
 */
export function rankingOf(runs: readonly RunReport[]): RunReport[] {
	return [...runs].sort(
		(a, b) =>
			keyOf(b, b.bounds?.low) - keyOf(a, a.bounds?.low) ||
			keyOf(b, b.metrics.accuracy.low) - keyOf(a, a.metrics.accuracy.low) ||
			a.label.localeCompare(b.label, "en"),
	);
}

/** Finite, since the difference of two infinities would be no order. */
function keyOf({ metrics }: RunReport, low: number | null | undefined): number {
	return metrics.accuracy.value === null ? -2 : (low ?? -1);
}

/**
 * The ranks a run may hold among some runs: below every run that is significantly better, above every run that is
 * worse. Null where nothing was scored.
 */
export function ranksAmong(
	run: Pick<RunReport, "id" | "metrics">,
	runs: readonly Pick<RunReport, "id" | "metrics">[],
	comparisons: readonly RunComparison[],
): RunReport["places"] {
	if (run.metrics.accuracy.value === null) return null;
	const others = runs.filter((other) => other.id !== run.id && other.metrics.accuracy.value !== null);
	const above = others.filter((other) => isBetter(other.id, run.id, comparisons)).length;
	const below = others.filter((other) => isBetter(run.id, other.id, comparisons)).length;
	return { from: 1 + above, to: 1 + others.length - below };
}

/** Whether the one run was found better than the other, whatever the unscored answers would have been. */
export function isBetter(one: string, other: string, comparisons: readonly RunComparison[]): boolean {
	return comparisons.some(
		({ a, b, better }) => (a === one && b === other && better === "a") || (b === one && a === other && better === "b"),
	);
}

/** The runs from which a run does not differ significantly, among those scored. */
export function alikeOf<Run extends Pick<RunReport, "id" | "metrics">>(
	run: Run,
	runs: readonly Run[],
	comparisons: readonly RunComparison[],
): Run[] {
	if (run.metrics.accuracy.value === null) return [];
	return runs.filter(
		(other) =>
			other.id !== run.id &&
			other.metrics.accuracy.value !== null &&
			!isBetter(run.id, other.id, comparisons) &&
			!isBetter(other.id, run.id, comparisons),
	);
}
