import type { Item } from "#domain";
import { type Interval, interval } from "#scoring";
import type { Settled } from "./settle.ts";

/** How an automatic check stands up to what people settled. */
export interface CheckPrecision {
	check: string;
	/** Of items that it passed, the share that people keep. */
	passedKept: Interval;
	/** Of items that it failed and that went on all the same, the share that people discard. */
	failedDiscarded: Interval;
}

/** Precision of every check on the items, by the last verdict of each; items that are not settled are left out. */
export function checkPrecision(items: readonly Item[], settled: readonly Settled[]): CheckPrecision[] {
	const states = new Map(settled.map(({ item, state }) => [item, state]));
	const seen = new Map<string, { passed: number[]; failed: number[] }>();
	for (const item of items) {
		const state = states.get(item.id);
		if (state === undefined || state === "waiting" || state === "conflict") continue;
		const last = new Map(item.checks.map((record) => [record.check, record.verdict]));
		for (const [check, verdict] of last) {
			const counts = seen.get(check) ?? { passed: [], failed: [] };
			seen.set(check, counts);
			if (verdict === "pass") counts.passed.push(Number(state !== "discard"));
			if (verdict === "fail") counts.failed.push(Number(state === "discard"));
		}
	}
	return [...seen]
		.sort(([a], [b]) => (a < b ? -1 : 1))
		.map(([check, { passed, failed }]) => ({
			check,
			passedKept: interval(passed),
			failedDiscarded: interval(failed),
		}));
}
