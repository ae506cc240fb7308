import {
	InjectedFault,
	inDependencyOrder,
	Observability,
	QueryStyle,
	type RunRecord,
	type Step,
	type Task,
	type TruthLine,
	viewOf,
} from "#domain";
import type { Tools } from "../tools/tools.ts";
import { drawn, oneOf } from "../walker/drawn.ts";
import { injectedFaults, type Strike } from "./faults.ts";
import { type World, worldOf } from "./reading.ts";
import { type Walk, walkInjected } from "./walk.ts";

/** Raised whenever the same inputs may give other records. */
export const injectedVersion = "1";

/** One kind of record. */
export interface Cell {
	fault: InjectedFault;
	observability: Observability;
	style: QueryStyle;
}

/** Every cell; a record's `repeat` is the place of its cell among these. */
export const injectedCells: readonly Cell[] = InjectedFault.options.flatMap((fault) =>
	Observability.options.flatMap((observability) =>
		QueryStyle.options.map((style) => ({ fault, observability, style })),
	),
);

/** What became of a fault in one task. */
export type Injected =
	| { is: "struck"; record: RunRecord; truth: TruthLine }
	| { is: "missed-its-mark"; because: string }
	| { is: "cannot-strike" };

export interface Injecting {
	/** Of the whole benchmark: other values and other questions are taken from them. */
	tasks: readonly Task[];
	/** Real tools for a task. */
	tools(task: Task): Tools;
	/** Told what goes with a search, and the steps before it, before it is made: for whoever says the same elsewhere. */
	onSearch?: ((about: Pick<Step, "thought" | "subQuestion">, before: readonly Step[]) => void) | undefined;
	seed: number;
	signal: AbortSignal;
}

/** Tasks in the order in which a cell draws them. */
export function drawnTasks(tasks: readonly Task[], cell: Cell, seed: number): Task[] {
	const places = tasks.map((task) => ({ task, place: drawn(seedKeyOf(task, cell, seed)) }));
	return places.sort((a, b) => a.place - b.place).map(({ task }) => task);
}

/** All chance in a record is drawn from this. */
const seedKeyOf = ({ id }: Task, { fault, observability, style }: Cell, seed: number) =>
	JSON.stringify([seed, fault, style, observability, id]);

const worlds = new WeakMap<readonly Task[], World>();

/** Walks one task with one fault in it, and says what really happened. */
export async function inject(
	task: Task,
	cell: Cell,
	{ tasks, tools, onSearch, seed, signal }: Injecting,
): Promise<Injected> {
	const world = worlds.get(tasks) ?? worldOf(tasks);
	worlds.set(tasks, world);
	const hops = task.chain ? inDependencyOrder(task.chain) : [];
	const kind = injectedFaults[cell.fault];
	const seedKey = seedKeyOf(task, cell, seed);
	const hop = oneOf(kind.strikes(task, hops), seedKey, "hop");
	if (!hop) return { is: "cannot-strike" };
	const strike: Strike = { task, hops, hop, world, tasks, seedKey };
	const { observability, style } = cell;
	const conduct = kind.conduct(strike);
	const { walk, trajectory } = await walkInjected(
		{ task, view: viewOf(task), world, observability, style, seedKey, tools: tools(task), conduct, onSearch },
		signal,
	);
	const because = kind.missed?.(strike, walk) ?? (strike.done ? undefined : "it came to no such search or reading");
	if (because !== undefined) return { is: "missed-its-mark", because };
	const natural = naturalMiss(walk, kind.hopless ? undefined : hop);
	if (natural === "unclear") return { is: "missed-its-mark", because: "a hop given up was answered by a later search" };
	if (natural && cell.fault !== "none")
		return { is: "missed-its-mark", because: `${natural} was searched for in vain by no fault` };
	const key = { task: task.id, repeat: cellNumber(cell) };
	const { did, value = null, expected = kind.expected, also = [] } = strike.done ?? { did: "" };
	return {
		is: "struck",
		record: { version: 1, ...key, attempt: 0, at: "1970-01-01T00:00:00.000Z", trajectory },
		truth: {
			...{ version: 1, ...key, ...cell, language: task.tags.language },
			...(natural
				? { hop: natural, expected: ["retrieval-miss"], did: "nothing: the evidence did not come back" }
				: { hop: kind.hopless ? null : hop.id, expected: [...expected], did }),
			...{ value, natural: natural !== undefined, also },
		},
	};
}

const cellNumber = (cell: Cell) =>
	injectedCells.findIndex(
		({ fault, observability, style }) =>
			fault === cell.fault && observability === cell.observability && style === cell.style,
	);

/** The first hop given up though no fault kept it away: before the struck hop, or anywhere where none is struck. */
function naturalMiss({ hops, missed, seen }: Walk, struck: { id: string } | undefined): string | "unclear" | undefined {
	const first = hops.find(({ id }) => missed.has(id));
	if (!first || first.id === struck?.id) return undefined;
	const place = (id: string) => hops.findIndex((hop) => hop.id === id);
	if (struck && place(first.id) > place(struck.id)) return undefined;
	return first.evidence.some((id) => seen.has(id)) ? "unclear" : first.id;
}
