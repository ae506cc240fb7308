import type { Item } from "#domain";
import { type AcrossStage, asPiece, defineAcross } from "../engine/stage.ts";

/**
 * Puts the levels of every chain into one nested question series (the field `ladder`), named after its longest question: a
 * question of k hops with the shorter ones that it was grown from. A shorter one that several grew from stands in the first
 * of their series.
 */
export function questionSeries(): AcrossStage<Item, Item> {
	return defineAcross("annotate", "ladders", 1, {
		run(items) {
			const byId = new Map(items.map((item) => [item.id, item]));
			const series = new Map<string, string>();
			const longestFirst = [...items].sort((a, b) => levelOf(b) - levelOf(a));
			for (const item of longestFirst)
				for (let at: Item | undefined = item; at && !series.has(at.id); at = byId.get(at.lineage[0] ?? ""))
					series.set(at.id, item.id);
			return items.map((item) => {
				const id = series.get(item.id) ?? item.id;
				return asPiece({ ...item, ladder: { id, level: levelOf(item) } });
			});
		},
	});
}

const levelOf = ({ tags }: Item): number => Number(tags.hops ?? 1);
