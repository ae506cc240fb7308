import type { Task } from "#domain";
import type { TextReading } from "../text-reading.ts";
import { keysOf, type SplitLink, splitLinks } from "./linked.ts";
import type { TaskSplit } from "./split-tasks.ts";

/** Of each part, its tasks that share something of a kind with a task of another part; kinds that nothing crosses by are absent. */
export type SharedAcross = Partial<Record<SplitLink, Record<string, number>>>;

/**
 * What crosses a split, whether or not it was made to hold it back: what a test's figures owe to training is told by it.
 * Goes through the tasks twice.
 */
export async function sharedAcross(
	tasks: Iterable<Task> | AsyncIterable<Task>,
	{ of }: Pick<TaskSplit, "of">,
	reading: Pick<TextReading, "words">,
): Promise<SharedAcross> {
	const crossing = new Map<string, string | true>();
	for await (const task of tasks) {
		const part = of.get(task.id) ?? "";
		for (const { key } of keysOf(task, splitLinks, reading)) {
			const before = crossing.get(key);
			crossing.set(key, before === undefined || before === part ? part : true);
		}
	}
	const shared: SharedAcross = {};
	for await (const task of tasks) {
		const part = of.get(task.id) ?? "";
		const keys = keysOf(task, splitLinks, reading).filter(({ key }) => crossing.get(key) === true);
		for (const link of new Set(keys.map((one) => one.link))) {
			const counts = shared[link] ?? {};
			counts[part] = (counts[part] ?? 0) + 1;
			shared[link] = counts;
		}
	}
	return shared;
}
