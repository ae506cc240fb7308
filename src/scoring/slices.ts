import { type Chain, retrievalHops, type Task, tagValues, topologyOf } from "#domain";
import { storedAs } from "./chain/modality-coverage.ts";
import { levelOf } from "./construction/difficulty.ts";
import { itemsByTask, keepPart, type ScoredItem } from "./items-by-task.ts";

/** The properties that every task can be grouped by; any tag's name is one too. */
export const sliceNames = ["topology", "hops", "language", "modality", "answer-type"] as const;

/** What the group of tasks without the property is called. */
export const noValue = "(none)";

/**
 * Groups expected records by a property of their task, largest meaning first: numbers ascend, names are in alphabetical
 * order, tasks without the property come last. `by` is one of `sliceNames`, `level` (L1 to L3 by reasoning hops), `images`
 * (how many the question has) or a tag (`tag:NAME` where a tag is called like one of them). Nothing is dropped: the groups
 * hold every item once, those of a task together, or once for each value of a tag that may hold several (`evidenceModality`).
 */
export function slices<Item extends ScoredItem>(items: readonly Item[], by: string): { name: string; items: Item[] }[] {
	const whole = itemsByTask(items);
	const groups = new Map<string, { items: Item[]; places: number[] }>();
	const groupOf = (name: string) => {
		const group = groups.get(name) ?? { items: [], places: [] };
		groups.set(name, group);
		return group;
	};
	for (const [place, task] of whole.tasks.entries()) {
		const names = slicesOf(task, by);
		for (const name of names.length > 0 ? new Set(names) : [noValue]) {
			const group = groupOf(name);
			group.places.push(place);
			const end = whole.starts[place + 1] ?? 0;
			for (let at = whole.starts[place] ?? 0; at < end; at++) group.items.push(whole.items[at] as Item);
		}
	}
	for (const group of groups.values()) keepPart(whole, group);
	const names = [...groups.keys()].sort((a, b) =>
		a === noValue ? 1 : b === noValue ? -1 : a.localeCompare(b, "en", { numeric: true }),
	);
	return names.map((name) => ({ name, items: groups.get(name)?.items ?? [] }));
}

/** The groups of a task by a property: none where it has not got it. */
function slicesOf(task: Task, by: string): string[] {
	const one = (name: string | undefined) => (name === undefined ? [] : [name]);
	if (by.startsWith("tag:")) return tagValues(task.tags, by.slice(4));
	switch (by) {
		case "topology":
			return one(task.chain && topologyOf(task.chain));
		case "hops":
			return one(task.chain && String(retrievalHops(task.chain).length));
		case "level":
			return one(levelOf(task));
		case "language":
			return one(task.tags.language);
		case "modality":
			return one(modalityOf(task));
		case "answer-type":
			return one(task.answer.type);
		case "images":
			return one(String(task.images.length));
		default:
			return tagValues(task.tags, by);
	}
}

/** What a task takes beside text: images (in the question or in its hops), pages, both, or nothing. */
function modalityOf(task: Task): string | undefined {
	const hops = task.chain ? hopModalities(task.chain) : new Set<string>();
	const kinds = [
		...(task.images.length > 0 || hops.has("image") ? ["images"] : []),
		...(hops.has("page") ? ["pages"] : []),
	];
	if (kinds.length > 0) return `with ${kinds.join(" and ")}`;
	return task.chain ? "text only" : undefined;
}

function hopModalities(chain: Chain): Set<string> {
	return new Set(retrievalHops(chain).map((hop) => storedAs(hop.modality)));
}
