/** A paired difference as a cell holds it. */
import type { Comparison } from "#scoring";
import type { Measured } from "../report-data.ts";
import { boundsOf, shortened } from "../summaries.ts";

/** The difference A − B of two runs, with what it leaves out: tasks without a score in either run, by reason. */
export function differenceOf(comparison: Comparison): Measured {
	const { value, low, high, n, groups, method, reason, tasks, unpaired, bounds } = comparison;
	return {
		...{ value, low, high, n, groups, method, expected: tasks, scored: n },
		missing: shortened(merged(unpaired)),
		bounds: boundsOf(bounds),
		...(reason === undefined ? {} : { reason }),
	};
}

function merged(counts: readonly Record<string, number>[]): Record<string, number> {
	const sums = new Map<string, number>();
	for (const [reason, count] of counts.flatMap((one) => Object.entries(one)))
		sums.set(reason, (sums.get(reason) ?? 0) + count);
	return Object.fromEntries(sums);
}
