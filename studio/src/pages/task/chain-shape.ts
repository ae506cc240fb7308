/** The shape of a gold chain: who needs whom, in which layers, and what lies behind a break. */
import type { Legend, TaskHop } from "../../../../src/studio/pages.ts";
import { markOf } from "../../data/legend.ts";

/** What the shape of a chain is made of. */
export interface ShapedHop {
	id: string;
	needs: readonly { hop: string }[];
}

export interface Placed<Hop extends ShapedHop = TaskHop> {
	hop: Hop;
	/** Steps of dependency from a beginning. */
	layer: number;
	/** Parallel branches stand beneath each other. */
	lane: number;
}

/** Lays hops out in layers: each behind all that it needs, on the line of the first of them where that is free. */
export function chainLayers<Hop extends ShapedHop>(hops: readonly Hop[]): Placed<Hop>[] {
	const placed = new Map<string, Placed<Hop>>();
	const taken = new Set<string>();
	for (const hop of hops) {
		const needed = hop.needs.flatMap(({ hop: id }) => placed.get(id) ?? []);
		const layer = needed.length === 0 ? 0 : Math.max(...needed.map((one) => one.layer)) + 1;
		let lane = Math.min(...needed.map((one) => one.lane));
		if (!Number.isFinite(lane)) lane = 0;
		while (taken.has(`${layer} ${lane}`)) lane++;
		taken.add(`${layer} ${lane}`);
		placed.set(hop.id, { hop, layer, lane });
	}
	return [...placed.values()];
}

export interface Edge {
	from: string;
	to: string;
	/** `sound`: both ends are; `broken`: what is broken lies at its end or before it; `unsaid`: neither can be said. */
	is: "sound" | "broken" | "unsaid";
}

/** Hops that are broken, and those that need a broken one. */
export function brokenOnwards(hops: readonly TaskHop[], legend: Legend): Set<string> {
	const found = new Set<string>();
	for (const { id, verdict, needs } of hops)
		if (markOf(legend.verdicts, verdict).tone === "bad" || needs.some(({ hop }) => found.has(hop))) found.add(id);
	return found;
}

export function chainEdges(hops: readonly TaskHop[], legend: Legend): Edge[] {
	const behind = brokenOnwards(hops, legend);
	const seen = new Set(
		hops.filter(({ verdict }) => markOf(legend.verdicts, verdict).tone !== "dim").map(({ id }) => id),
	);
	return hops.flatMap(({ id, needs }) =>
		needs
			.filter(({ hop }) => hops.some((one) => one.id === hop))
			.map(
				({ hop }): Edge => ({
					from: hop,
					to: id,
					is: behind.has(id) ? "broken" : seen.has(hop) && seen.has(id) ? "sound" : "unsaid",
				}),
			),
	);
}
