import type { Item } from "#domain";
import type { Engine } from "./engine.ts";
import { byItem, type Flow, outputsOf } from "./flow.ts";
import { addLoads, atMost, type Load, noLoad, scaled } from "./plan-load.ts";
import type { AcrossStage, Piece, Stage } from "./stage.ts";

/** An item with one proposal for its next hop. */
export interface Growing<Proposal> {
	item: Item;
	proposal: Proposal;
	/** Hops grown so far; 1 for the first. */
	depth: number;
}

/**
 * Grows items hop by hop: proposals for an item, an item composed of each, the checks of `gate`, and on with those that
 * pass; what was grown at each depth is kept, the seed aside. Bounded in every direction: `depth` times, `perHop` proposals
 * an item, `beam` items kept a depth. With `drawn` all that passed is kept, and of each depth those that it gives are grown
 * on, `beam` at most.
 */
export function grow<Proposal extends Piece>(options: {
	expand: Stage<Item, Proposal>;
	compose: Stage<Growing<Proposal>, Item>;
	gate: Flow<Item, Item>;
	depth: number;
	perHop?: number;
	beam: number;
	drawn?: AcrossStage<Item, Item>;
}): Flow<Item, Item> {
	const { expand, compose, gate, depth: most, perHop = Number.POSITIVE_INFINITY, beam, drawn } = options;
	const isFull = (next: readonly Item[]) => !drawn && next.length >= beam;
	const work = async (seed: Item, engine: Engine): Promise<Item[]> => {
		const grown: Item[] = [];
		let level: Item[] = [seed];
		for (let depth = 1; depth <= most && level.length > 0; depth += 1) {
			const next: Item[] = [];
			for (const item of level) {
				if (isFull(next)) break;
				const proposals = await engine.perform(expand, item);
				for (const proposal of proposals.slice(0, perHop)) {
					for (const composed of await engine.perform(compose, { item, proposal, depth }))
						next.push(...(await outputsOf(gate, composed, engine)));
					if (isFull(next)) break;
				}
			}
			const kept = drawn ? next : next.slice(0, beam);
			grown.push(...kept);
			level = drawn && depth < most ? await engine.performAcross(drawn, kept) : kept;
		}
		return grown;
	};
	const stages = [expand, compose, ...gate.stages, ...(drawn ? [drawn] : [])];
	return byItem(stages, work, async (incoming, planner) => {
		let all = noLoad;
		let level = incoming;
		for (let depth = 1; depth <= most; depth += 1) {
			const proposed = scaled(planner.stage(expand, level), planner.followed(expand, compose));
			const proposals = atMost(proposed, perHop, level);
			const composed = (tried: Load) => gate.load(planner.stage(compose, tried), planner);
			// what is proposed beyond a full beam is not tried
			const possible = drawn ? noLoad : await planner.supposed(() => composed(proposals));
			const full = beam * incoming.expected;
			const tried = possible.expected > full ? full / possible.expected : 1;
			const passed = await composed({ ...proposals, expected: proposals.expected * tried });
			level = atMost(drawn && depth < most ? planner.stage(drawn, passed) : passed, beam, incoming);
			all = addLoads(all, drawn ? passed : level);
		}
		return all;
	});
}
