import type { Interval } from "../../statistics/interval.ts";
import { shareInterval } from "./compare-raters.ts";
import { type Reading, valuesOf } from "./reading.ts";

/**
 * Test-retest: the share of pairs of runs over the same item, shown in the same order, in which a judge says two different
 * things on a dimension; each item counts once, and items of one cluster as dependent. No item was judged twice in one order: null.
 */
export function flipRate(
	readings: readonly Reading[],
	{ dimension, clusterOf }: { dimension: string; clusterOf(item: string): string },
): Interval {
	const groups = new Map<string, { item: string; values: number[] }>();
	for (const { item, first, judgement } of readings) {
		const value = valuesOf(judgement)[dimension];
		if (value === undefined) continue;
		const key = JSON.stringify([item, first]);
		const group = groups.get(key) ?? { item, values: [] };
		groups.set(key, group);
		group.values.push(value);
	}
	const byItem = new Map<string, { differing: number; pairs: number }>();
	for (const { item, values } of groups.values()) {
		const sum = byItem.get(item) ?? { differing: 0, pairs: 0 };
		byItem.set(item, sum);
		for (const [at, value] of values.entries())
			for (const other of values.slice(at + 1)) {
				sum.pairs += 1;
				if (value !== other) sum.differing += 1;
			}
	}
	const measured = [...byItem].filter(([, { pairs }]) => pairs > 0);
	return shareInterval(
		measured.map(([, { differing, pairs }]) => differing / pairs),
		measured.map(([item]) => clusterOf(item)),
	);
}
