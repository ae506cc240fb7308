import { type Chain, type Hop, retrievalHops } from "./chain.ts";
import type { Task } from "./task.ts";

/**
 * The hops of a chain, each after those it needs; listed order otherwise, so that one branch follows the other. A cycle's
 * hops come last, as listed.
 */
export function inDependencyOrder(chain: Chain): Hop[] {
	const ordered: Hop[] = [];
	const done = new Set<string>();
	// by the hops themselves: a chain from elsewhere may name two alike
	const waiting = new Set(chain.hops);
	while (waiting.size > 0) {
		const [first] = waiting;
		const next = [...waiting].find((hop) => hop.needs.every((need) => done.has(need.hop))) ?? first;
		if (!next) break;
		ordered.push(next);
		done.add(next.id);
		waiting.delete(next);
	}
	return ordered;
}

/**
 * Which hop identifies which question image, by index: an image hop that needs no other. An image that hides the hop's
 * answer is its image; what remains is paired in listed order.
 */
export function identifyingHops(task: Task): Map<string, number> {
	const pairs = new Map<string, number>();
	if (!task.chain) return pairs;
	const hops = retrievalHops(task.chain).filter((hop) => hop.modality === "image" && hop.needs.length === 0);
	const free = new Set(task.images.keys());
	for (const hop of hops) {
		const names = new Set(hop.answer.accepted.map((name) => name.toLowerCase()));
		const image = [...free].find((index) => task.images[index]?.hides?.some((name) => names.has(name.toLowerCase())));
		if (image === undefined) continue;
		pairs.set(hop.id, image);
		free.delete(image);
	}
	for (const hop of hops) {
		const [image] = free;
		if (pairs.has(hop.id) || image === undefined) continue;
		pairs.set(hop.id, image);
		free.delete(image);
	}
	return pairs;
}
