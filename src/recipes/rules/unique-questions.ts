import { Item, questionOf } from "#domain";
import { type Flow, flowOf } from "../engine/flow.ts";
import { asDrop, asPiece, type Outcome, type Stage } from "../engine/stage.ts";

/** Of items that ask the same of the same images in the same words, case and punctuation aside, the first stays. */
export function uniqueQuestions({ name = "unique-questions" }: { name?: string } = {}): Flow<Item, Item> {
	const about = { kind: "annotate" as const, name, version: 1 };
	return flowOf([about], async function* (inputs, engine) {
		const first = new Map<string, string>();
		const stage: Stage<Item, Item> = { ...about, output: Item, run: (item) => [judged(item, first)] };
		// one after the other: which one is the first must not depend on whose work ended first
		for await (const item of inputs) yield* await engine.perform(stage, item);
	});
}

function judged(item: Item, first: Map<string, string>): Outcome<Item> {
	const words = questionOf(item)
		.toLowerCase()
		.match(/[\p{L}\p{M}\p{N}]+/gu);
	const key = [...(words ?? []), ...item.images.map((image) => image.sha256)].join(" ");
	const other = first.get(key);
	if (other !== undefined) return asDrop("duplicate", `as ${other}`);
	first.set(key, item.id);
	return asPiece(item);
}
