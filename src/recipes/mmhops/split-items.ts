import { splitTasks } from "#benchmarks";
import { type Item, taskOf } from "#domain";
import { across, type Flow } from "../engine/flow.ts";
import { asPiece } from "../engine/stage.ts";

/**
 * Parts of given weights, each number of hops and kind of question alike, so that no image, page, chain or cluster
 * stands in two of them.
 */
export function splitItems({
	weights,
	words,
}: {
	weights: Readonly<Record<string, number>>;
	words(text: string): string[];
}): Flow<Item, Item> {
	return across<Item, Item>({
		kind: "annotate",
		name: "split",
		version: 1,
		params: weights,
		run(items) {
			const parts = Object.entries(weights).map(([name, weight]) => ({ name, weight }));
			const { of } = splitTasks(items.map(taskOf), { parts, reading: { words } });
			return items.map((item) => {
				const split = of.get(item.id);
				return asPiece(split === undefined ? item : { ...item, tags: { ...item.tags, split } });
			});
		},
	});
}
