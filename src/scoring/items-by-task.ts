/** Expected records by task: what every summary of them starts from. */
import { type Outcome, retrievalHops, type ScoreRow, type Task, tally } from "#domain";

/** One expected record: a task (once for each repeat) with the row that scored it, if there is one. */
export interface ScoredItem {
	task: Task;
	row?: ScoreRow | undefined;
}

export interface ItemsByTask<Item extends ScoredItem = ScoredItem> {
	/** In the order in which they come. */
	tasks: readonly Task[];
	/** Those of one task stand together, in their order. */
	items: readonly Item[];
	/** Of each task, the place of its first item, and where the last one's end. */
	starts: Int32Array;
	/** Of each task, the number of its cluster. */
	clusters: Int32Array;
	/** Of each task, the hops of its gold chain that need retrieval. */
	hops: Int32Array;
	/** How all of them ended. */
	outcomes: Partial<Record<Outcome | "missing", number>>;
}

/** Dozens of metrics are summarised over the same items, which are grouped once. */
const known = new WeakMap<readonly ScoredItem[], ItemsByTask>();

export function itemsByTask<Item extends ScoredItem>(items: readonly Item[]): ItemsByTask<Item> {
	const before = known.get(items);
	// an array that grew since is another one
	if (before?.starts.at(-1) === items.length) return before as ItemsByTask<Item>;
	const made = groupedByTask(items);
	known.set(items, made);
	return made;
}

function groupedByTask<Item extends ScoredItem>(items: readonly Item[]): ItemsByTask<Item> {
	const tasks: Task[] = [];
	const places = new Map<string, number>();
	const placeOf = new Int32Array(items.length);
	let [place, isOrdered] = [-1, true];
	for (const [at, { task }] of items.entries()) {
		if (task !== tasks[place]) {
			const seen = places.get(task.id);
			if (seen === undefined) {
				place = tasks.push(task) - 1;
				places.set(task.id, place);
			} else {
				place = seen;
				isOrdered &&= place === tasks.length - 1;
			}
		}
		placeOf[at] = place;
	}
	const starts = new Int32Array(tasks.length + 1);
	for (const at of placeOf) starts[at + 1] = (starts[at + 1] ?? 0) + 1;
	for (let at = 1; at <= tasks.length; at++) starts[at] = (starts[at] ?? 0) + (starts[at - 1] ?? 0);
	return {
		tasks,
		items: isOrdered ? items : inPlaces(items, placeOf, starts),
		starts,
		clusters: clusterNumbers(tasks),
		hops: hopsOf(tasks),
		outcomes: outcomesOf(items),
	};
}

function inPlaces<Item>(items: readonly Item[], placeOf: Int32Array, starts: Int32Array): Item[] {
	const next = starts.slice();
	const ordered = items.slice();
	for (const [at, item] of items.entries()) {
		const place = placeOf[at] ?? 0;
		const to = next[place] ?? 0;
		ordered[to] = item;
		next[place] = to + 1;
	}
	return ordered;
}

/** The group of tasks that a task's score depends on: its declared cluster, its nested question series, or itself. */
export function clusterOf(task: Pick<Task, "id" | "cluster"> & { ladder?: { id: string } | undefined }): string {
	if (task.cluster !== undefined) return `cluster ${task.cluster}`;
	return task.ladder ? `ladder ${task.ladder.id}` : `task ${task.id}`;
}

/** The clusters of different tasks as numbers from 0. */
function clusterNumbers(tasks: readonly Task[]): Int32Array {
	const numbers = new Map<string, number>();
	const clusters = new Int32Array(tasks.length);
	let next = 0;
	for (const [place, task] of tasks.entries()) {
		// a task by itself needs no name
		const name = task.cluster === undefined && !task.ladder ? undefined : clusterOf(task);
		const number = (name === undefined ? undefined : numbers.get(name)) ?? next++;
		if (name !== undefined) numbers.set(name, number);
		clusters[place] = number;
	}
	return clusters;
}

function hopsOf(tasks: readonly Task[]): Int32Array {
	const hops = new Int32Array(tasks.length);
	for (const [place, { chain }] of tasks.entries()) if (chain) hops[place] = retrievalHops(chain).length;
	return hops;
}

/** Keeps for a list of all records of some tasks, given by their places, what is known of them: they need no grouping. */
export function keepPart<Item extends ScoredItem>(
	whole: ItemsByTask<Item>,
	{ items, places }: { items: readonly Item[]; places: readonly number[] },
): void {
	const starts = new Int32Array(places.length + 1);
	const taken = (numbers: Int32Array) => {
		const part = new Int32Array(places.length);
		for (const [at, place] of places.entries()) part[at] = numbers[place] ?? 0;
		return part;
	};
	for (const [at, place] of places.entries())
		starts[at + 1] = (starts[at] ?? 0) + (whole.starts[place + 1] ?? 0) - (whole.starts[place] ?? 0);
	known.set(items, {
		...{ items, starts, clusters: taken(whole.clusters), hops: taken(whole.hops) },
		tasks: places.map((place) => whole.tasks[place] as Task),
		outcomes: outcomesOf(items),
	});
}

const outcomesOf = (items: readonly ScoredItem[]) => tally(items.map(({ row }) => row?.outcome ?? "missing"));
