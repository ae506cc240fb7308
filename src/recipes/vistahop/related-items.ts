import { z } from "zod";
import { grouped, Item } from "#domain";
import { type Flow, flowOf } from "../engine/flow.ts";
import { addLoads } from "../engine/plan-load.ts";
import { type AcrossStage, asPiece, defineAcross, type Outcome } from "../engine/stage.ts";

/** Items about one picture that are to become one question. */
export const Related = z.object({ id: z.string(), items: z.array(Item).min(2) });
export type Related = z.infer<typeof Related>;

/**
 * Groups items about one picture, `size` of them to a group and each item in at most `perItem` groups, in an order that
 * follows from the seed. Items with one answer, or with one beginning, ask nothing more together than alone.
 */
export function relatedItems({ size, perItem }: { size: number; perItem: number }): AcrossStage<Item, Related> {
	return defineAcross("expand", "related-items", 1, {
		params: { size, perItem },
		yields: 0.5,
		run(items, { random }) {
			return [...grouped(items, ({ id, cluster }) => cluster ?? id)]
				.sort(([a], [b]) => (a < b ? -1 : 1))
				.flatMap(([picture, own]) => {
					const sorted = [...own].sort((a, b) => (a.id < b.id ? -1 : 1));
					const groups = groupsOf(random(picture).shuffle(sorted), size);
					const times = new Map<string, number>();
					return groups.flatMap((group): Outcome<Related>[] => {
						if (group.some(({ id }) => (times.get(id) ?? 0) >= perItem)) return [];
						if (new Set(group.map(({ answer }) => answer.value)).size < size) return [];
						if (new Set(group.map(({ chain }) => chain.hops[0]?.answer.value)).size < size) return [];
						for (const { id } of group) times.set(id, (times.get(id) ?? 0) + 1);
						return [asPiece({ id: group.map(({ id }) => id).join("+"), items: group })];
					});
				});
		},
	});
}

/** Groups that a picture's items are tried in, at most. */
const mostGroups = 200;

/** Every choice of `size` items, in order, as many as are looked at. */
function groupsOf(items: readonly Item[], size: number): Item[][] {
	let groups: { group: Item[]; next: number }[] = [{ group: [], next: 0 }];
	for (let taken = 0; taken < size; taken += 1)
		groups = groups
			.flatMap(({ group, next }) =>
				items.slice(next).map((item, at) => ({ group: [...group, item], next: next + at + 1 })),
			)
			.slice(0, mostGroups);
	return groups.map(({ group }) => group);
}

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
