import { disjointSets, type Task } from "#domain";
import { citedBy } from "../cited-by.ts";

/**
 * Tasks that rest on a common evidence, or were given one cluster, depend on one another: they share a cluster, named for
 * the first of its tasks.
 */
export function clustered(tasks: readonly Task[]): Task[] {
	const sets = disjointSets<string>();
	for (const task of tasks) for (const tie of tiesOf(task)) sets.join(`task ${task.id}`, tie);
	const names = new Map<string, string>();
	return tasks.map((task) => {
		const root = sets.rootOf(`task ${task.id}`);
		const cluster = names.get(root) ?? task.id;
		names.set(root, cluster);
		return { ...task, cluster };
	});
}

function tiesOf(task: Task): string[] {
	const evidence = citedBy(task);
	const own = [task.cluster, task.ladder?.id].flatMap((name) => (name === undefined ? [] : [`cluster ${name}`]));
	return [...own, ...evidence.map((id) => `evidence ${id}`)];
}
