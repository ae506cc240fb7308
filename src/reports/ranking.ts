/** The order of runs, and how much of it their intervals carry. */
import type { RunReport } from "./report-data.ts";

/** Best lower bound of accuracy first; without an interval, and at last without a value, below. Ties by label. */
export function rankingOf(runs: readonly RunReport[]): RunReport[] {
	const key = ({ metrics: { accuracy } }: RunReport) =>
		accuracy.low ?? (accuracy.value === null ? Number.NEGATIVE_INFINITY : -1);
	return [...runs].sort((a, b) => {
		const [first, second] = [key(a), key(b)];
		return first === second ? a.label.localeCompare(b.label, "en") : second - first;
	});
}

/**
 * The places a run may hold: below every run whose interval lies wholly above its own, above every run whose interval
 * lies wholly below. A value without an interval tells nothing and may hold any place.
 */
export function placesAmong(run: RunReport, runs: readonly RunReport[]): RunReport["places"] {
	const own = rangeOf(run);
	if (!own) return null;
	const others = runs.filter((other) => other !== run).flatMap((other) => rangeOf(other) ?? []);
	const above = others.filter((other) => other.low > own.high).length;
	const below = others.filter((other) => other.high < own.low).length;
	return { from: 1 + above, to: 1 + others.length - below };
}

function rangeOf({ metrics: { accuracy } }: RunReport): { low: number; high: number } | undefined {
	if (accuracy.value === null) return undefined;
	return { low: accuracy.low ?? Number.NEGATIVE_INFINITY, high: accuracy.high ?? Number.POSITIVE_INFINITY };
}
