import { createHash } from "node:crypto";
import { type Fault, type InjectedLine, inDependencyOrder, type Task } from "#domain";
import type { Agent } from "../agent.ts";
import type { Tools } from "../tools/tools.ts";
import { createWalker } from "./agent.ts";
import { breakTools } from "./broken-tools.ts";
import { drawn, oneOf } from "./drawn.ts";
import { faultKinds, type Strike } from "./faults.ts";
import { namesByKind } from "./other-values.ts";
import type { Walked } from "./walk.ts";

export interface WalkerFaults {
	/** Of the whole benchmark: what is misread or invented is taken from their answers. */
	tasks: readonly Task[];
	/** None: the competent agent, whose walk is logged all the same. */
	faults: readonly Fault[];
	/** Each fault strikes this share of the tasks that it can strike, drawn by `seed`. */
	share: number;
	seed: number;
	/** Kept before the record is: what was injected is never missing. */
	log?: ((line: InjectedLine) => Promise<void>) | undefined;
}

/** The walker with faults injected, and what breaks the tools below it; a task drawn by several faults gets one drawn by its seed. */
export interface FaultyWalker {
	agent: Agent;
	tools(tools: Tools, task: Task, repeat: number): Tools;
}

/** Faults are named in what the run says of its agent, never in a record. */
export function faultyWalker({ tasks, faults, share, seed, log }: WalkerFaults): FaultyWalker {
	const names = namesByKind(tasks);
	const byId = new Map(tasks.map((task) => [task.id, task]));
	const kept = new Map<string, Strike | InjectedLine["injected"]>();

	function strikeOf(id: string, repeat: number): Strike | InjectedLine["injected"] {
		const key = JSON.stringify([id, repeat]);
		const known = kept.get(key);
		if (known) return known;
		const made = draw(id, repeat);
		kept.set(key, made);
		return made;
	}

	function draw(id: string, repeat: number): Strike | InjectedLine["injected"] {
		const task = byId.get(id);
		const hops = task?.chain ? inDependencyOrder(task.chain) : [];
		const able = task ? faults.filter((fault) => faultKinds[fault].strikes(task, hops).length > 0) : [];
		if (!task || able.length === 0) return { is: faults.length > 0 ? "cannot-strike" : "spared" };
		const seedKeyOf = (fault: Fault) => JSON.stringify([seed, fault, id, repeat]);
		const striking = able.filter((fault) => drawn(seedKeyOf(fault)) < share);
		const fault = oneOf(striking, "fault", seed, id, repeat);
		if (!fault) return { is: "spared" };
		const seedKey = seedKeyOf(fault);
		const hop = oneOf(faultKinds[fault].strikes(task, hops), "hop", seedKey);
		if (!hop) return { is: "cannot-strike" };
		return { fault, task, hops, hop, names, seedKey, because: "it came to no such search or reading" };
	}

	async function ended(id: string, repeat: number, walked: Walked): Promise<void> {
		if (!log) return;
		const strike = strikeOf(id, repeat);
		const missed = [...walked.missed];
		await log({ version: 1, task: id, repeat, missed, injected: "is" in strike ? strike : outcomeOf(strike, walked) });
	}

	return {
		agent: createWalker({
			...nameOf(faults),
			version: [share, seed, fingerprint(tasks)].join(" "),
			behaviour(id, repeat) {
				const strike = strikeOf(id, repeat);
				return "is" in strike ? {} : (faultKinds[strike.fault].behave?.(strike) ?? {});
			},
			ended,
		}),
		tools(tools, task, repeat) {
			const strike = strikeOf(task.id, repeat);
			if ("is" in strike || faultKinds[strike.fault].behave) return tools;
			const { hop, seedKey } = strike;
			let searches = 0;
			return breakTools(tools, {
				...{ task, hop, seedKey, tasks },
				broke() {
					searches += 1;
					strike.done = { hop: hop.id, did: `${searches} of its searches for ${hop.id} found other things` };
				},
			});
		},
	};
}

function outcomeOf(strike: Strike, walked: Walked): InjectedLine["injected"] {
	const { fault } = strike;
	faultKinds[fault].ended?.(strike, walked);
	const { done, because } = strike;
	return done ? { is: "struck", fault, ...done } : { is: "missed-its-mark", fault, because };
}

function nameOf(faults: readonly Fault[]): { name: string; reference: string } {
	const what =
		faults.length === 0 ? "" : faults.length > 2 ? ` with ${faults.length} faults` : ` with ${faults.join(" and ")}`;
	const reference = "walks the gold chain; faults may be injected into it: checks the diagnosis";
	return { name: `walker${what}`, reference };
}

/** What is misread or invented depends on the tasks. */
const fingerprint = (tasks: readonly Task[]) =>
	createHash("sha256").update(JSON.stringify(tasks)).digest("hex").slice(0, 12);
