/** Significance marks for runs that stand in one table: each run against the first, corrected over the whole table. */
import { compareRuns, holm, type ScoredItem } from "#scoring";
import { level } from "../number-format.ts";
import type { Mark } from "./view.ts";

/** Runs compared on one metric in one place of a table, e.g. within a slice. */
interface MarkedPlace {
	/** Any name that the marks are asked for by again. */
	key: string;
	metric: string;
	/** Default: higher. */
	better?: "higher" | "lower" | undefined;
	/** The first is the one that all others are compared with. */
	runs: readonly { id: string; label: string; items: readonly ScoredItem[] }[];
}

/**
 * The marks of each place by run: a paired test against the place's first run (`compareRuns`: exact McNemar or sign
 * flips, related tasks as one), p by Holm over every test of all places. A run has its tests' marks whatever they found;
 * `p` is 1 where what was not scored could turn the difference round. The first run of a place has none.
 */
export function marksOf(places: readonly MarkedPlace[]): Map<string, Map<string, Mark[]>> {
	const tests = places.reduce((sum, { runs }) => sum + Math.max(0, runs.length - 1), 0);
	const found = places.flatMap(({ key, metric, better = "higher", runs: [first, ...others] }) =>
		others.flatMap(({ id, items }) => {
			const { value, p, bounds, n, tasks } = compareRuns(items, first?.items ?? [], { metric, tests });
			if (!first || p === null || value === null) return [];
			const ahead = better === "higher" ? value > 0 : value < 0;
			// what has no bounds could be anything where a score is missing
			const reversible = bounds ? (value > 0 ? bounds[0] <= 0 : bounds[1] >= 0) : n < tasks;
			return [{ key, run: id, p, against: first.label, better: ahead, reversible }];
		}),
	);
	const adjusted = holm(found.map(({ p }) => p));
	const marks = new Map<string, Map<string, Mark[]>>();
	for (const [place, { key, run, against, better, reversible }] of found.entries()) {
		const within = marks.get(key) ?? new Map<string, Mark[]>();
		marks.set(key, within);
		within.set(run, [{ against, p: reversible ? 1 : (adjusted[place] ?? 1), better }]);
	}
	return marks;
}

/** Whether a mark is shown. */
export const isMarked = ({ p }: Mark): boolean => p <= level;
