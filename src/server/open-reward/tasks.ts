import type { Environment } from "#training";

/** A task as a client lists it and hands it back; without its answer and chain. */
export interface TaskSpec {
	id: string;
	split: string;
	/** Place in its split, from 0. */
	index: number;
	question: string;
	[more: string]: unknown;
}

/** The tasks of a split in their order; undefined where there is no such split. */
export function tasksOf({ splits, task }: Environment, split: string): TaskSpec[] | undefined {
	return splits.get(split)?.map((id, index) => ({ id, split, index, question: task(id).question }));
}

const types = ["train", "validation", "test"] as const;

/** Splits with the kind that the standard knows; it takes those of other names for validation. */
export function splitsOf({ splits }: Environment): { name: string; type: (typeof types)[number] }[] {
	return [...splits.keys()].map((name) => ({ name, type: types.find((type) => type === name) ?? "validation" }));
}

/** The environment's name as a segment of a path. */
export const segmentOf = ({ name }: Environment): string => name.toLowerCase().replace(/[^a-z0-9._-]+/g, "-");
