import type { Chain } from "./chain.ts";
import type { Task } from "./task.ts";
import { ancestorsOf } from "./topology.ts";

/** One thing wrong with a task's chain: which task, what, and what to do. */
export interface ChainProblem {
	task: string;
	code:
		| "duplicate-hop"
		| "unknown-need"
		| "cycle"
		| "no-sink"
		| "second-sink"
		| "no-evidence"
		| "unknown-evidence"
		| "answer-differs";
	message: string;
}

/**
 * Checks the graph of one task: hop ids are unique, needs name hops of the chain, no cycle, the declared sink is the
 * only hop that no other needs, retrieving hops name evidence, evidence resolves, and the sink answers the task.
 * `resolves` tells whether an evidence id exists; without it, ids are not looked up.
 */
export function chainProblems(task: Task, options: { resolves?: (id: string) => boolean } = {}): ChainProblem[] {
	if (!task.chain) return [];
	const problems: ChainProblem[] = [];
	const report = (code: ChainProblem["code"], message: string) =>
		problems.push({ task: task.id, code, message: `task ${task.id}: ${message}` });
	const { hops, sink } = task.chain;
	const ids = new Set<string>();
	for (const hop of hops) {
		if (ids.has(hop.id)) report("duplicate-hop", `two hops are called "${hop.id}"; give each hop its own id`);
		ids.add(hop.id);
	}
	for (const hop of hops) {
		for (const need of hop.needs) {
			if (!ids.has(need.hop))
				report(
					"unknown-need",
					`hop "${hop.id}" needs "${need.hop}", which is not in the chain; add it or drop the need`,
				);
		}
	}
	const cycle = hopsInCycle(task.chain);
	if (cycle.length > 0)
		report("cycle", `hops ${cycle.join(", ")} need one another in a cycle; remove one of these needs`);
	if (!ids.has(sink)) report("no-sink", `the sink "${sink}" is not a hop of the chain; name the last hop`);
	const needed = new Set(hops.flatMap((hop) => hop.needs.map((need) => need.hop)));
	const ends = hops.filter((hop) => !needed.has(hop.id) && hop.id !== sink);
	if (ends.length > 0)
		report(
			"second-sink",
			`no hop needs ${ends.map((hop) => `"${hop.id}"`).join(", ")}; let the sink need it or drop it`,
		);
	for (const hop of hops) {
		const computes = hop.modality === "compute";
		if (!computes && hop.evidence.length === 0)
			report(
				"no-evidence",
				`hop "${hop.id}" retrieves (${hop.modality}) but names no evidence; list all that state the fact`,
			);
		for (const id of hop.evidence) {
			if (options.resolves && !options.resolves(id))
				report(
					"unknown-evidence",
					`hop "${hop.id}" names evidence "${id}", which the knowledge base does not hold; rebuild it or mend the id`,
				);
		}
	}
	const last = hops.find((hop) => hop.id === sink);
	if (last && last.answer.value !== task.answer.value)
		report(
			"answer-differs",
			`the sink answers "${last.answer.value}" but the task "${task.answer.value}"; make them agree`,
		);
	return problems;
}

function hopsInCycle(chain: Chain): string[] {
	const ancestors = ancestorsOf(chain);
	return chain.hops.filter((hop) => ancestors.get(hop.id)?.has(hop.id)).map((hop) => hop.id);
}
