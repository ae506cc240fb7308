import type { Answer, Hop, Item } from "#domain";
import { newItem } from "../../../src/recipes/engine/new-item.ts";

/** A hop for tests: what it asks and answers, and the hops that it is led to by. */
export interface HopSketch extends Partial<Omit<Hop, "needs" | "answer">> {
	question: string;
	answer: string | Answer;
	needs?: string[] | Hop["needs"];
}

export const answerOf = (answer: string | Answer): Answer =>
	typeof answer === "string" ? { type: "string", value: answer, accepted: [answer] } : answer;

/** An item of hops h1, h2, … with the last as its sink. */
export function sketchItem(
	sketch: { question: string; hops: HopSketch[]; answer?: string | Answer } & Partial<
		Pick<Item, "tags" | "images" | "notes">
	>,
): Item {
	const { question, hops, answer, ...rest } = sketch;
	const made = hops.map((hop, at): Hop => {
		const needs = (hop.needs ?? []).map((need) =>
			typeof need === "string" ? { hop: need, role: "bridge" as const } : need,
		);
		const id = hop.id ?? `h${at + 1}`;
		const modality = hop.modality ?? "text";
		const evidence = hop.evidence ?? (modality === "compute" ? [] : [`e${at + 1}`]);
		return { ...hop, id, modality, needs, evidence, answer: answerOf(hop.answer) };
	});
	const sink = made.at(-1);
	if (!sink) throw new RangeError("an item needs a hop");
	const chain = { hops: made, sink: sink.id };
	const content = { question, answer: answer === undefined ? sink.answer : answerOf(answer), chain, by: "test" };
	return newItem({ ...content, ...rest }, { name: "test", version: "1" });
}
