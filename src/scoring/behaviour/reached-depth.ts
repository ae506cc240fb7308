import { z } from "zod";
import { defineMetric } from "../metric.ts";
import { asResult } from "../statistics/as-result.ts";
import { type Interval, interval } from "../statistics/interval.ts";

/** `tracer`: levels start at 2, as hops do there; tasks below are left out. */
export const depthModes = ["hopscope", "tracer"] as const;

/** A task of a nested question series, whose tasks extend one another, with how its answer was judged. */
export interface SeriesTask {
	ladder: string;
	level: number;
	right: boolean;
	/** False where the task serves as a lower level of others only and is averaged nowhere itself. */
	counted?: boolean | undefined;
}

/**
 * Reached depth (MaxD), by level: for a task at level n the highest level, its own included, whose question of the same
 * series was answered right, 0 if none; the mean over the tasks at n with its interval, series as clusters.
 *
 * A level that a series does not hold was not answered. Where a series holds several tasks of a lower level, one right
 * answer among them will do; at its own level a task counts for itself alone. Levels ascend.
 * Source: AgenticRAGTracer, Table 2 (its own level is included: MaxD of 2.7 at three hops cannot be otherwise).
 */
export function reachedDepth(
	tasks: readonly SeriesTask[],
	options: { mode?: (typeof depthModes)[number] | undefined } = {},
): Map<number, Interval> {
	const lowest = options.mode === "tracer" ? 2 : 1;
	const deepest = new Map<string, number>();
	const byLevel = new Map<number, { depth: number; ladder: string }[]>();
	const ascending = tasks.filter(({ level }) => level >= lowest).sort((a, b) => a.level - b.level);
	let level: SeriesTask[] = [];
	const close = () => {
		for (const task of level) {
			const depth = task.right ? task.level : (deepest.get(task.ladder) ?? 0);
			if (task.counted === false) continue;
			const reached = byLevel.get(task.level);
			if (reached) reached.push({ depth, ladder: task.ladder });
			else byLevel.set(task.level, [{ depth, ladder: task.ladder }]);
		}
		for (const task of level) if (task.right) deepest.set(task.ladder, task.level);
		level = [];
	};
	for (const task of ascending) {
		if (level[0] && level[0].level !== task.level) close();
		level.push(task);
	}
	close();
	return new Map(
		[...byLevel].map(([at, reached]) => [
			at,
			interval(
				reached.map(({ depth }) => depth),
				{ clusters: reached.map(({ ladder }) => ladder), share: false },
			),
		]),
	);
}

export const reachedDepthMetric = defineMetric({
	name: "reached-depth",
	group: "behaviour",
	describe: "MaxD: how far into its nested question series the agent answers right, mean over the tasks of a level.",
	formula: "mean over tasks at level n of the highest level <= n of their series (ladder) answered right, 0 if none",
	range: "0 to n",
	edges:
		"value is of `level`, or of the highest; levels holds them all. right is a boolean or a judge's score, right from 1 up. Mode tracer leaves out levels below 2. No task at the level: unscored.",
	source: "AgenticRAGTracer, Table 2",
	example: {
		tasks: [
			{ ladder: "l1", level: 2, right: true },
			{ ladder: "l1", level: 3, right: false },
			{ ladder: "l2", level: 3, right: 2 },
		],
	},
	input: z.strictObject({
		tasks: z
			.array(
				z.strictObject({
					ladder: z.string().max(512),
					level: z.int().min(1).max(1000),
					right: z.union([
						z.boolean(),
						z
							.number()
							.min(0)
							.max(2)
							.transform((score) => score >= 1),
					]),
				}),
			)
			.max(1_000_000),
		level: z.int().min(1).max(1000).optional(),
		mode: z.enum(depthModes).optional(),
	}),
	compute: ({ tasks, level, mode = "hopscope" }) => {
		const depths = reachedDepth(tasks, { mode });
		const at = level ?? Math.max(0, ...depths.keys());
		const none = { value: null, reason: level === undefined ? "no tasks" : "no task at this level" };
		return asResult({ ...(depths.get(at) ?? none), level: at, mode, levels: Object.fromEntries(depths) });
	},
});
