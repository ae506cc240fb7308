/** Tasks of nested question series with how they were answered. */
import { retrievalHops, type Task } from "#domain";
import { reachedDepth, type SeriesTask } from "#scoring";
import { gradeOf } from "./grade-measures.ts";
import type { Cell, ViewItem } from "./view.ts";
import { intervalCell, unscoredCell } from "./view-cells.ts";

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

/** The level of a task in its nested question series as AgenticRAGTracer counts: its hops, or its own count without them. */
export const hopsOf = ({ chain, ladder }: Task): number => (chain ? retrievalHops(chain).length : (ladder?.level ?? 0));

/**
 * MaxD of some items of a number of hops, wherever it is shown: levels are hops and start at 2, as published. Lower
 * levels are looked up `among` all items of the run, of whatever type they are tagged.
 */
export function depthCell(
	items: readonly ViewItem[],
	{ hops, among = items }: { hops: number; among?: readonly ViewItem[] },
): Cell {
	if (hops < lowestLevel) return unscoredCell(`levels start at ${lowestLevel} hops, as published`);
	const asked = new Set(items.flatMap(({ task }) => (task.ladder && hopsOf(task) === hops ? [task.id] : [])));
	if (asked.size === 0) return unscoredCell(`no nested question series has a task of ${hops} hops`);
	const answered = [...answersByTask(among).values()];
	const tasks = answered.flatMap(({ task, right }) =>
		task.ladder ? [{ ladder: task.ladder.id, level: hopsOf(task), right, counted: asked.has(task.id) }] : [],
	);
	const found = reachedDepth(tasks, { mode: "tracer" }).get(hops);
	const missing = asked.size - answered.filter(({ task }) => asked.has(task.id)).length;
	if (!found) return unscoredCell("no such task was graded");
	return intervalCell(found, { expected: asked.size, ...(missing > 0 ? { missing: { "not graded": missing } } : {}) });
}

const lowestLevel = 2;

export function seriesTasks(items: readonly ViewItem[]): SeriesTask[] {
	return [...answersByTask(items).values()].flatMap(({ task: { ladder }, right }) =>
		ladder ? [{ ladder: ladder.id, level: ladder.level, right }] : [],
	);
}
