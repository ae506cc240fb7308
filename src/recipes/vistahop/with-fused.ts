import type { Item } from "#domain";
import { type Flow, flowOf } from "../engine/flow.ts";
import { addLoads } from "../engine/plan-load.ts";
import type { AcrossStage } from "../engine/stage.ts";
import type { Related } from "./related-items.ts";

/** Lets every item through as it comes, and behind them what is made of groups of them. */
export function withFused(groups: AcrossStage<Item, Related>, fuse: Flow<Related, Item>): Flow<Item, Item> {
	return flowOf(
		[groups, ...fuse.stages],
		async function* (inputs, engine) {
			const items: Item[] = [];
			for await (const item of inputs) {
				items.push(item);
				yield item;
			}
			yield* fuse.run(each(await engine.performAcross(groups, items)), engine);
		},
		async (incoming, planner) => addLoads(incoming, await fuse.load(planner.stage(groups, incoming), planner)),
	);
}

async function* each<T>(values: readonly T[]): AsyncGenerator<T> {
	yield* values;
}
