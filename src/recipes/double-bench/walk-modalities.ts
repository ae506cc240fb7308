import { Item, modalityTag } from "#domain";
import type { KnowledgeBase } from "#knowledge";
import { mentionsAny } from "#scoring";
import { asPiece, defineStage, type Stage } from "../engine/stage.ts";
import { modalityOf } from "./blocks.ts";
import { pageOf } from "./document.ts";
import { walkOf } from "./walk.ts";

/**
 * Tags a walk with what on its pages answers it: the kinds of the blocks that name both ends of a step. Where no block
 * does by itself, the ends stand in the running text.
 */
export function walkModalities({ knowledge }: { knowledge: Pick<KnowledgeBase, "evidence"> }): Stage<Item, Item> {
	return defineStage("annotate", "walk-modalities", 1, {
		output: Item,
		async run(item) {
			const { steps } = walkOf(item);
			const found = await Promise.all(
				item.chain.hops.map(async ({ evidence }, at) => {
					const ends = [steps[at]?.from.names ?? [], steps[at]?.to.names ?? []];
					const pages = await Promise.all(evidence.map((id) => pageOf(knowledge, id)));
					const stating = pages
						.flatMap(({ blocks = [] }) => blocks)
						.filter(({ text }) => ends.every((names) => mentionsAny(names, [text])))
						.flatMap(({ kind }) => modalityOf[kind] ?? []);
					return stating.length > 0 ? stating : ["text" as const];
				}),
			);
			return [asPiece({ ...item, tags: { ...item.tags, ...modalityTag(found.flat()) } })];
		},
	});
}
