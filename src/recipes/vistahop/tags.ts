import { ancestorsOf, Item, reasoningHops } from "#domain";
import { difficulty } from "#scoring";
import { asPiece, defineStage, type Stage } from "../engine/stage.ts";
import type { Anchor } from "./chain.ts";

/** Table 8's kinds of anchor. What is known by its writing alone is signage, whatever it names. */
function anchorTag({ type, text, label }: Pick<Anchor, "type" | "text" | "label">): string {
	if (type === "Organization") return "organization-logo";
	if (text.trim() !== "" && text.trim() === label.trim()) return "text-signage";
	if (type === "Product") return "product-object";
	return type === "Location" ? "landmark-place" : "person-event-symbol";
}

const answerTags = { number: "count-value", time: "date-year" } as const;

/** Level, kind of anchor, form of reasoning and kind of answer; and what reviewers are asked. */
export function tagItems(options: { levels: readonly [number, number]; reviewers: number }): Stage<Item, Item> {
	const { levels, reviewers } = options;
	return defineStage("annotate", "tags", 2, {
		params: options,
		output: Item,
		run(item) {
			const { chain, notes, answer } = item;
			const hops = reasoningHops(item).length;
			const fusion = notes.fusion as { form: string } | undefined;
			const parts = (notes.parts ?? [{ anchor: notes.anchor }]) as { anchor?: Anchor | null }[];
			const anchors = [...new Set(parts.flatMap(({ anchor }) => (anchor ? [anchorTag(anchor)] : [])))].sort();
			const choosing = chain.hops.find(({ id }) => id === chain.sink)?.compute?.op.startsWith("arg") === true;
			const depths = [...ancestorsOf(chain).values()].map(({ size }) => size);
			const tags = {
				...item.tags,
				level: `L${difficulty(hops, levels)}`,
				hops: String(hops),
				reasoning: fusion?.form ?? "single-chain",
				anchor: anchors.join(", "),
				answer: choosing
					? "comparative-selection"
					: answer.type in answerTags
						? answerTags[answer.type as "number"]
						: "entity-name",
			};
			const review = {
				reviewers,
				drop: "any-fail",
				asks: ["Does the path lead to the answer?", "Is the question clear?", "Is the answer the only one?"],
			};
			return [asPiece({ ...item, tags, notes: { ...notes, review, depth: Math.max(...depths) } })];
		},
	});
}
