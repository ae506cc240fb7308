/** The order of runs, and how much of it their intervals and bounds carry. */
import type { RunReport } from "./report-data.ts";

/**
 * Best lower bound first: the accuracy if everything unscored had been wrong, so that no run gains by failing to answer;
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
 * The places a run may hold: below every run whose range lies wholly above its own, above every run whose range lies
 * wholly below. A value without an interval tells nothing and may hold any place.
 */
export function placesAmong(run: RunReport, runs: readonly RunReport[]): RunReport["places"] {
	const own = rangeOf(run);
	if (!own) return null;
	const others = runs.filter((other) => other !== run).flatMap((other) => rangeOf(other) ?? []);
	const above = others.filter((other) => other.low > own.high).length;
	const below = others.filter((other) => other.high < own.low).length;
	return { from: 1 + above, to: 1 + others.length - below };
}

/** The interval of what was scored, widened by what the unscored could make of it. */
function rangeOf({ bounds, metrics: { accuracy } }: RunReport): { low: number; high: number } | undefined {
	if (accuracy.value === null) return undefined;
	return {
		low: Math.min(accuracy.low ?? Number.NEGATIVE_INFINITY, bounds?.low ?? accuracy.value),
		high: Math.max(accuracy.high ?? Number.POSITIVE_INFINITY, bounds?.high ?? accuracy.value),
	};
}
