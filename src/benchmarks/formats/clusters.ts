import type { Task } from "#domain";
import { citedBy } from "../cited-by.ts";

/**
 * Tasks that rest on a common evidence, or were given one cluster, depend on one another: they share a cluster, named for
 * the first of its tasks.
 */
export function clustered(tasks: readonly Task[]): Task[] {
	const leader = new Map<string, string>();
	const find = (key: string) => {
		let root = key;
		for (let next = leader.get(root); next !== undefined; next = leader.get(root)) root = next;
		for (let at = key; at !== root; ) {
			const next = leader.get(at) ?? root;
			leader.set(at, root);
			at = next;
		}
		return root;
	};
	for (const task of tasks)
		for (const tie of tiesOf(task)) {
			const [a, b] = [find(`task ${task.id}`), find(tie)];
			if (a !== b) leader.set(b, a);
		}
	const names = new Map<string, string>();
	return tasks.map((task) => {
		const root = find(`task ${task.id}`);
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
