/** Tasks of ladders with how they were answered. */
import type { Task } from "#domain";
import type { LadderTask } from "#scoring";
import { gradeOf } from "./grade-measures.ts";
import type { ViewItem } from "./view.ts";

/** Whether a task was answered right in more than half of its graded repeats; tasks that were never graded are left out. */
export function answersByTask(items: readonly ViewItem[]): Map<string, { task: Task; right: boolean }> {
	const counts = new Map<string, { task: Task; right: number; graded: number }>();
	for (const item of items) {
		const grade = gradeOf(item);
		if (grade === undefined) continue;
		const known = counts.get(item.task.id) ?? { task: item.task, right: 0, graded: 0 };
		known.graded += 1;
		if (grade === "right") known.right += 1;
		counts.set(item.task.id, known);
	}
	return new Map([...counts].map(([id, { task, right, graded }]) => [id, { task, right: right * 2 > graded }]));
}

export function ladderTasks(items: readonly ViewItem[]): LadderTask[] {
	return [...answersByTask(items).values()].flatMap(({ task: { ladder }, right }) =>
		ladder ? [{ ladder: ladder.id, level: ladder.level, right }] : [],
	);
}
