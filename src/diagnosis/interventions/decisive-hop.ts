import { inDependencyOrder } from "#domain";
import type { ScoredItem } from "#scoring";
import { chainLength, findItems, givesPrefix, type Rerun, recorded, type Standing, standingOf } from "./reruns.ts";

/**
 * From which given prefix on an agent succeeds at a task and stays successful.
 * `decisive`: from `prefix` hops on, of which `hop` is the last: before it was given the agent failed at least once more.
 * `without`: it needs none. `never`: it fails even with all hops given. `unsure`: a prefix that it takes to tell was not
 * run, or ended by an error.
 */
export type DecisiveHop = { task: string; repeat: number; of: number } & (
	| { is: "decisive"; prefix: number; hop: string }
	| { is: "without" | "never" | "unsure" }
);

/** For each record with a chain that was re-run with some prefix given; the run itself is the prefix of none. */
export function decisiveHops(base: readonly ScoredItem[], reruns: readonly Rerun[]): DecisiveHop[] {
	const longest = Math.max(0, ...base.map(({ task }) => chainLength(task)));
	const prefixes = Array.from({ length: longest }, (_, index) => {
		const hops = index + 1;
		return findItems(reruns, (what, task) => {
			const of = chainLength(task);
			return hops <= of && givesPrefix(what, { hops, of });
		});
	});
	return recorded(base).flatMap((item): DecisiveHop[] => {
		const { task, row } = item;
		const of = chainLength(task);
		const given = prefixes.slice(0, of).map((found) => found.of(item));
		if (!task.chain || given.every((one) => one === undefined)) return [];
		const ends: Standing[] = [item, ...given].map(standingOf);
		const about = { task: task.id, repeat: row.repeat, of };
		const last = ends.findLastIndex((end) => end !== "right");
		if (last === -1) return [{ ...about, is: "without" }];
		if (ends[last] === "unknown") return [{ ...about, is: "unsure" }];
		if (last === of) return [{ ...about, is: "never" }];
		const hop = inDependencyOrder(task.chain)[last];
		return hop ? [{ ...about, is: "decisive", prefix: last + 1, hop: hop.id }] : [];
	});
}
