import { type Interval, interval } from "../statistics/interval.ts";
import type { SeriesTask } from "./reached-depth.ts";

/** Where nested question series are first failed. */
export interface FailingLevels {
	ladders: number;
	levels: {
		level: number;
		/** Of the series that have the level and no failure below it: those right at it. */
		right: Interval;
		/** Of all series: those that fail here first. */
		fails: Interval;
	}[];
	/** Of all series: those that fail nowhere. */
	whole: Interval;
}

/**
 * Climbs each nested question series from its lowest level and stops at its first failure. Levels that a series does not hold, or holds no
 * known answer of, are passed over; of several tasks at a level one right answer will do, as in `reachedDepth`. The shares
 * `fails` and `whole` sum to 1.
 */
export function failingLevels(tasks: readonly SeriesTask[]): FailingLevels {
	const ladders = new Map<string, Map<number, boolean>>();
	for (const { ladder, level, right } of tasks) {
		const known = ladders.get(ladder) ?? new Map<number, boolean>();
		ladders.set(ladder, known.set(level, right || (known.get(level) ?? false)));
	}
	const climbs = [...ladders.values()].map((levels) => {
		const ascending = [...levels].sort(([a], [b]) => a - b);
		const failed = ascending.findIndex(([, right]) => !right);
		const climbed = failed < 0 ? ascending : ascending.slice(0, failed + 1);
		return { climbed: new Map(climbed), first: failed < 0 ? undefined : ascending[failed]?.[0] };
	});
	const all = [...new Set(tasks.map(({ level }) => level))].sort((a, b) => a - b);
	const share = (holds: (first: number | undefined) => boolean) =>
		interval(climbs.map(({ first }) => (holds(first) ? 1 : 0)));
	return {
		ladders: climbs.length,
		levels: all.map((level) => ({
			level,
			right: interval(
				climbs.flatMap(({ climbed }) => {
					const right = climbed.get(level);
					return right === undefined ? [] : [right ? 1 : 0];
				}),
			),
			fails: share((first) => first === level),
		})),
		whole: share((first) => first === undefined),
	};
}
