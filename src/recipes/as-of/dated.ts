import type { Answer, Task } from "#domain";
import type { AnswersReport, TaskLook } from "./recheck-answers.ts";

/** Tasks as they stand on the day of the report. */
export interface Dated {
	tasks: Task[];
	/** Ids: found right again; given the answer of today; left out; kept with the day they had, or none. */
	renewed: string[];
	changed: string[];
	removed: string[];
	kept: string[];
}

/**
 * The tasks of the next version: what holds bears the new day, what changed bears today's answer where one is known and is
 * left out where none is, as is what no evidence states any more. What nobody could tell keeps its day.
 */
export function datedTasks(tasks: readonly Task[], { looks, day }: Pick<AnswersReport, "looks" | "day">): Dated {
	const found = new Map(looks.map((look) => [look.task, look]));
	const dated: Dated = { tasks: [], renewed: [], changed: [], removed: [], kept: [] };
	for (const task of tasks) {
		const look = found.get(task.id);
		if (!look || look.is === "open") {
			dated.kept.push(task.id);
			dated.tasks.push(task);
		} else if (look.is === "gone" || (look.is === "changed" && !look.now)) dated.removed.push(task.id);
		else {
			(look.is === "changed" ? dated.changed : dated.renewed).push(task.id);
			dated.tasks.push(renewed(task, look, day));
		}
	}
	return dated;
}

function renewed(task: Task, look: TaskLook, day: string): Task {
	const answers = new Map(look.hops.map(({ hop, now }) => [hop, now]));
	const { chain } = task;
	return {
		...task,
		answer: { ...(look.now ?? task.answer), asOf: day },
		...(chain
			? {
					chain: {
						...chain,
						hops: chain.hops.map((hop) => ({ ...hop, answer: onDay(answers.get(hop.id) ?? hop.answer) })),
					},
				}
			: {}),
	};

	function onDay(answer: Answer): Answer {
		return { ...answer, asOf: day };
	}
}
