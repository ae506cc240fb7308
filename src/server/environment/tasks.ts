import type { Environment } from "#training";
import { HttpError } from "../http-error.ts";

/** The id of a task by its place in a split, from 0. */
export function taskAt({ splits }: Environment, { split, index }: { split: string; index: number }): string {
	const tasks = splits.get(split);
	const task = tasks?.[index];
	if (task !== undefined) return task;
	if (!tasks) throw unknownSplit(split, splits);
	throw new HttpError(404, "unknown-task", `split "${split}" has ${tasks.length} tasks`, "Count from 0.");
}

export const unknownSplit = (split: string, splits: Environment["splits"]) =>
	new HttpError(
		404,
		"unknown-split",
		`there is no split "${split.slice(0, 100)}"`,
		`There is: ${[...splits.keys()].join(", ")}.`,
	);
