import type { Task } from "#domain";
import { writtenAnswer } from "./given-answer.ts";

/** Forms without a place for pictures say so of each task that has any. */
export function imagesLost(task: Task): string[] {
	return task.images.length > 0 ? [`${task.id}: its images are left out`] : [];
}

/** Forms that hold one answer say how many other forms were left out. */
export function aliasesLost(task: Task): string[] {
	const others = new Set(task.answer.accepted.filter((form) => form !== writtenAnswer(task.answer)));
	return others.size > 0 ? [`${task.id}: ${others.size} other accepted forms of its answer are left out`] : [];
}

/** Forms that hold questions and answers alone. */
export function chainLost(task: Task): string[] {
	return task.chain ? [`${task.id}: its chain is left out`] : [];
}
