import { ancestorsOf, type Hop, retrievalHops, type Task } from "#domain";

/** Hops of a chain that a fault can strike. */

export const retrieving = (task: Task, hops: readonly Hop[]): Hop[] => {
	const found = new Set((task.chain ? retrievalHops(task.chain) : []).map(({ id }) => id));
	return hops.filter(({ id }) => found.has(id));
};

export const several = (task: Task, hops: readonly Hop[]): Hop[] => {
	const found = retrieving(task, hops);
	return found.length > 1 ? found : [];
};

export const ancestorsIn = ({ chain }: Task) => (chain ? ancestorsOf(chain) : new Map<string, Set<string>>());

/** The first search that needs another's answer: where a wrong order shows. */
export function firstDependent(task: Task, hops: readonly Hop[]): Hop[] {
	const found = retrieving(task, hops);
	const ancestors = ancestorsIn(task);
	return found.filter(({ id }) => found.some((other) => ancestors.get(id)?.has(other.id))).slice(0, 1);
}
