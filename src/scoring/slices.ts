import { type Chain, retrievalHops, type Task, topologyOf } from "#domain";
import { storedAs } from "./chain/modality-coverage.ts";
import type { ScoredItem } from "./scores-by-task.ts";

/** The properties that every task can be grouped by; any tag's name is one too. */
export const sliceNames = ["topology", "hops", "language", "modality", "answer-type"] as const;

/** What the group of tasks without the property is called. */
export const noValue = "(none)";

/**
 * Groups expected records by a property of their task, largest meaning first: numbers ascend, names are in alphabetical
 * order, tasks without the property come last. `by` is one of `sliceNames` or a tag (`tag:NAME` where a tag is called like
 * one of them), or `images`: how many the question has. Nothing is dropped: the groups hold every item once.
 */
export function slices<Item extends ScoredItem>(items: readonly Item[], by: string): { name: string; items: Item[] }[] {
	const groups = new Map<string, Item[]>();
	for (const item of items) {
		const name = sliceOf(item.task, by) ?? noValue;
		const group = groups.get(name);
		if (group) group.push(item);
		else groups.set(name, [item]);
	}
	const names = [...groups.keys()].sort((a, b) =>
		a === noValue ? 1 : b === noValue ? -1 : a.localeCompare(b, "en", { numeric: true }),
	);
	return names.map((name) => ({ name, items: groups.get(name) ?? [] }));
}

function sliceOf(task: Task, by: string): string | undefined {
	if (by.startsWith("tag:")) return tagOf(task, by.slice(4));
	switch (by) {
		case "topology":
			return task.chain && topologyOf(task.chain);
		case "hops":
			return task.chain && String(retrievalHops(task.chain).length);
		case "language":
			return task.tags.language;
		case "modality":
			return modalityOf(task);
		case "answer-type":
			return task.answer.type;
		case "images":
			return String(task.images.length);
		default:
			return tagOf(task, by);
	}
}

function tagOf(task: Task, name: string): string | undefined {
	return Object.hasOwn(task.tags, name) ? task.tags[name] : undefined;
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
