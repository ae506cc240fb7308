/** Runs against one another: paired by task, tested, and corrected for the number of tests. */
import {
	benjaminiHochberg,
	type Comparison,
	compareRuns,
	holm,
	type ScoredItem,
	type Scorer,
	sliceNames,
	slices,
} from "#scoring";
import { level } from "./number-format.ts";
import type { RunComparison, RunReport, SliceName } from "./report-data.ts";

/** A run of one benchmark with its expected records, in the order of the ranking. */
export interface RankedRun {
	id: string;
	items: readonly ScoredItem[];
}

/** Every pair of runs, the higher in the ranking first; Holm's correction over all pairs. */
export function comparePairs(runs: readonly RankedRun[]): RunComparison[] {
	const tests = (runs.length * (runs.length - 1)) / 2;
	const pairs = runs.flatMap((a, place) => runs.slice(place + 1).map((b) => compare(a, b, { tests })));
	return corrected(pairs, holm);
}

/**
 * Two runs within each value of each slice; Benjamini-Hochberg over all of them, since slices are looked through rather
 * than planned. Nothing where there are not exactly two runs.
 */
export function compareSlices(runs: readonly RankedRun[]): (RunComparison & { slice: SliceName; value: string })[] {
	const [a, b, more] = runs;
	if (!a || !b || more) return [];
	const found = sliceNames.flatMap((slice) => {
		const others = new Map(slices(b.items, slice).map(({ name, items }) => [name, items]));
		return slices(a.items, slice).flatMap(({ name, items }) => {
			const compared = compare({ ...a, items }, { ...b, items: others.get(name) ?? [] });
			return compared.n === 0 ? [] : [{ ...compared, slice, value: name }];
		});
	});
	return corrected(found, benjaminiHochberg);
}

/** Runs up to which every pair is shown. */
const mostPaired = 6;

/** The pairs that a table shows: all of a few runs, else those with the best contender. */
export function pairsToShow(
	comparisons: readonly RunComparison[],
	runs: readonly RunReport[],
): { shown: RunComparison[]; against: RunReport | undefined } {
	if (runs.length <= mostPaired) return { shown: [...comparisons], against: undefined };
	const against = runs.find((run) => run.agent.reference === null) ?? runs[0];
	return { shown: comparisons.filter(({ a, b }) => a === against?.id || b === against?.id), against };
}

function compare(a: RankedRun, b: RankedRun, { tests }: { tests?: number } = {}): RunComparison {
	return asComparison(a, b, compareOn(a, b, { metric: "accuracy", tests }));
}

/** Two runs on one metric, on the tasks that both planned. */
export function compareOn(
	a: RankedRun,
	b: RankedRun,
	options: { metric: string | Scorer; tests?: number | undefined },
): Comparison {
	const planned = [a, b].map(({ items }) => new Set(items.map(({ task }) => task.id)));
	const [left, right] = [a, b].map(({ items }) =>
		items.filter(({ task }) => planned.every((tasks) => tasks.has(task.id))),
	);
	return compareRuns(left ?? [], right ?? [], options);
}

/** As a report takes it, not corrected yet. */
export function asComparison(a: Pick<RankedRun, "id">, b: Pick<RankedRun, "id">, found: Comparison): RunComparison {
	const { value, low, high, n, groups, test, p, wins, ties, losses, detectable } = found;
	return {
		a: a.id,
		b: b.id,
		difference: { value, low, high },
		expected: found.tasks,
		n,
		groups,
		bounds: found.bounds && { low: found.bounds[0], high: found.bounds[1] },
		...{ test, p, adjusted: null, wins, ties, losses, detectable },
		better: "none",
	};
}

/** Sets the corrected p-values, and with them what may be said. What could not be tested is no test to correct for. */
export function corrected<Row extends RunComparison>(rows: readonly Row[], correct: (ps: number[]) => number[]): Row[] {
	const tested = rows.filter(({ p }) => p !== null);
	const adjusted = correct(tested.map(({ p }) => p ?? 1));
	const byRow = new Map(tested.map((row, index) => [row, adjusted[index] ?? null]));
	return rows.map((row) => {
		const p = byRow.get(row) ?? null;
		return { ...row, adjusted: p, better: betterOf(row, p) };
	});
}

function betterOf({ difference, bounds, n, expected }: RunComparison, p: number | null): RunComparison["better"] {
	const { value } = difference;
	if (p === null || p > level || value === null || value === 0) return "none";
	// what has no bounds could be anything where a score is missing
	const certain = bounds ? (value > 0 ? bounds.low > 0 : bounds.high < 0) : n === expected;
	if (!certain) return "reversible";
	return value > 0 ? "a" : "b";
}
