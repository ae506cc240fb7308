import { expect, test } from "vitest";
import { toyEvidence, toyTasks } from "#agents";
import { type Evidence, type Hop, itemOf, type Task } from "#domain";
import type { StageContext } from "../engine/stage.ts";
import { neededByRule } from "./needed-by-rule.ts";

const chain = toyTasks.find(({ id }) => id === "text-chain") as Task;
const passage = toyEvidence.find(({ kind }) => kind === "passage") as Extract<Evidence, { kind: "passage" }>;
const told = (id: string, text: string): Evidence => ({ ...passage, id, document: id, title: id, text });
const answer = (value: string) => ({ type: "string" as const, value, accepted: [value] });
const hop = (id: string, question: string, value: string): Hop => ({
	...{ id, question, modality: "text", needs: [], evidence: [id] },
	answer: answer(value),
});

/** By hand: the capital leads on to its founder; the founder stands where the texts say. */
async function verdictOf(texts: Record<string, string>, hops: Hop[], question = "Who founded the capital of Velmora?") {
	const task = { ...chain, question, chain: { hops, sink: hops.at(-1)?.id ?? "" } } as Task;
	const held = new Map(Object.entries(texts).map(([id, text]) => [id, told(id, text)]));
	const check = neededByRule({ evidence: async (id) => held.get(id) });
	const { verdict, on } = await check.look(itemOf(task), {} as StageContext);
	return [verdict, on];
}
const capital = hop("a", "What is the capital of Velmora?", "Tessin Bay");
const founder = hop("b", "Who founded Tessin Bay?", "Anna Rehn");

test("a hop counts that leads on, or whose answer nothing else states", async () => {
	const apart = { a: "Velmora's capital is Tessin Bay.", b: "Tessin Bay was founded by Anna Rehn." };
	expect(await verdictOf(apart, [capital, founder])).toEqual(["pass", undefined]);
});

test("one whose answer stands in the evidence of another, or in the question, does not", async () => {
	const both = { a: "The capital is Tessin Bay, founded by Anna Rehn.", b: "Anna Rehn founded Tessin Bay." };
	expect(await verdictOf(both, [capital, founder])).toEqual(["fail", { hop: "b" }]);
	const apart = { a: "The capital is Tessin Bay.", b: "Anna Rehn founded it." };
	const asked = "Did Anna Rehn found the capital of Velmora, or who?";
	expect(await verdictOf(apart, [capital, founder], asked)).toEqual(["fail", { hop: "b" }]);
	// a hop that leads nowhere and whose answer the other tells too
	const aside = hop("c", "Where does Velmora lie?", "in the north");
	const texts = {
		...apart,
		c: "Velmora lies in the north, and the capital is Tessin Bay.",
		b: "In the north Anna Rehn founded it.",
	};
	expect(await verdictOf(texts, [capital, aside, founder])).toEqual(["fail", { hop: "c" }]);
});

test("of a yes or no words can tell nothing", async () => {
	const whether: Hop = {
		...founder,
		question: "Is Tessin Bay old?",
		answer: { type: "boolean", value: "yes", accepted: ["yes"] },
	};
	expect((await verdictOf({ a: "Tessin Bay.", b: "It is old." }, [capital, whether]))[0]).toBe("skipped");
});
