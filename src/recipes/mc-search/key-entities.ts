import { Item, questionOf } from "#domain";
import { mentionsAny } from "#scoring";
import { asPiece, defineStage, type Stage } from "../engine/stage.ts";
import { keyEntitiesPrompt } from "./prompts.ts";

/** Notes what a full answer names. What the answer does not hold is no part of it. */
export function keyEntities(): Stage<Item, Item> {
	return defineStage("annotate", "key-entities", 1, {
		calls: [{ role: "editor", each: 1, prompt: keyEntitiesPrompt.hash }],
		output: Item,
		async run(item, context) {
			const values = { question: questionOf(item), answer: item.answer.value };
			const { value } = await context.ask("editor", keyEntitiesPrompt, values);
			const named = [...new Set(value.key_entities)].filter((entity) => mentionsAny([entity], [item.answer.value]));
			if (named.length === 0) return [asPiece(item)];
			const answer = { ...item.answer, keyEntities: named };
			return [asPiece(withAnswer(item, answer))];
		},
	});
}

/** The item with another answer, at its last hop too. */
export function withAnswer(item: Item, answer: Item["answer"]): Item {
	const { chain } = item;
	const hops = chain.hops.map((hop) => (hop.id === chain.sink ? { ...hop, answer } : hop));
	return { ...item, answer, chain: { ...chain, hops } };
}
