import type { Task } from "#domain";
import { tally } from "#domain";

/** Which tasks may be trained on. */
export interface SplitChoice {
	tasks: Task[];
	/** Tasks of splits that were not asked for. */
	heldOut: Task[];
	/** Whether any task says which split it is of: without, nothing keeps test tasks out. */
	declared: boolean;
	/** Splits that were taken, with their tasks. */
	taken: Record<string, number>;
}

/**
 * The tasks of the splits that are named; of `train` alone without, where tasks say which they are of. Those that say none
 * are taken only where no task does: a forgotten tag must not let a test task in.
 */
export function tasksToTrainOn(tasks: readonly Task[], wanted?: readonly string[]): SplitChoice {
	const declared = tasks.some(({ tags }) => tags.split !== undefined);
	const names = new Set(wanted ?? ["train"]);
	const isTaken = ({ tags }: Task) => (declared ? names.has(tags.split ?? "") : wanted === undefined);
	const taken = tally(tasks.filter(isTaken).map(({ tags }) => tags.split ?? "no split"));
	return { tasks: tasks.filter(isTaken), heldOut: tasks.filter((task) => !isTaken(task)), declared, taken };
}
