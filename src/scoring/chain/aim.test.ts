import fc from "fast-check";
import { expect, test } from "vitest";
import type { Hop, Task } from "#domain";
import { createAim, lookingOf } from "#scoring";

const said = (value: string) => ({ type: "string" as const, value, accepted: [value] });
const hop = (id: string, question: string, parts: Partial<Hop> = {}): Hop => ({
	...{ id, question, modality: "text", needs: [], evidence: [id], answer: said("?") },
	...parts,
});
const image = (id: string, hides?: string[]) => ({
	...{ id, file: `${id}.png`, width: 1, height: 1, sha256: "0".repeat(64) },
	...(hides ? { hides } : {}),
});
const taskOf = (hops: Hop[], images: Task["images"] = []): Task => ({
	...{ id: "t", question: "?", images, answer: said("?"), tags: { language: "en" }, source: "", rights: "" },
	chain: { hops, sink: hops.at(-1)?.id ?? "" },
});

const areas = [
	hop("h1", "What is the area of Argentina?"),
	hop("h2", "What is the area of Benin?"),
	hop("h3", "Which river flows through Paris?"),
];
const at = (...words: string[]) =>
	createAim(taskOf(areas))
		.at({ words })
		.map((one) => one.hop);

test("words aim at the sub-question they are most like; what tells hops apart counts", () => {
	expect(at("area of Benin in square kilometres")).toEqual(["h2"]);
	expect(at("¿Área de Argentina?")).toEqual(["h1"]);
	expect(at("the river in Paris")).toEqual(["h3"]);
	expect(at("price of tea in China")).toEqual([]);
	expect(at()).toEqual([]);
	expect(at("")).toEqual([]);
});

test("hops as near as one another are all aimed at, and of sub-question and query the nearer counts", () => {
	const alike = createAim(taskOf([hop("h1", "What is the area of Peru?"), hop("h2", "What is the area of Chad?")]));
	expect(alike.at({ words: ["What is the area of Mali?"] }).map((one) => one.hop)).toEqual(["h1", "h2"]);
	expect(at("Benin Benin", "Which river flows through Paris?")).toEqual(["h3"]);
});

test("a question image aims at the hop that it identifies, whatever the words; a crop at what its words say", () => {
	const flags = [
		hop("h1", "Whose flag is in the first image?", { modality: "image", answer: said("Chad") }),
		hop("h2", "Whose flag is in the second image?", { modality: "image", answer: said("Mali") }),
	];
	const aim = createAim(taskOf(flags, [image("a", ["Mali"]), image("b")]));
	const of = (index: number, words: string[] = []) => aim.at({ words, image: index }).map((one) => one.hop);
	expect([of(0), of(1)]).toEqual([["h2"], ["h1"]]);
	expect(of(0, ["Whose flag is in the first image?"])).toEqual(["h2"]);
	expect(of(7, ["Whose flag is in the first image?"])).toEqual(["h1"]);
	expect(of(7)).toEqual([]);
});

test("no search aims at a hop that only computes", () => {
	const computing = hop("h2", "What is the sum of 4 and 5?", { modality: "compute", evidence: [] });
	const aim = createAim(taskOf([hop("h1", "How many wings has a bee?"), computing]));
	const words = ["sum of 4 and 5"];
	expect(aim.at({ words })).toEqual([]);
	expect(aim.at({ words }, { computing: true }).map((one) => one.hop)).toEqual(["h2"]);
});

test("what a step looks for: its sub-question, its query, its image", () => {
	const call = { tool: "text_search", arguments: { query: "b", k: 3 }, valid: true };
	expect(lookingOf({ subQuestion: "a", call })).toEqual({ words: ["a", "b"] });
	expect(lookingOf({ call: { ...call, arguments: { image: 1 } } })).toEqual({ words: [], image: 1 });
	expect(lookingOf({ call: { ...call, arguments: { query: 5 } } })).toEqual({ words: [] });
});

test("a sub-question aims at itself, similarity stays in [0, 1], and case and accents do not matter", () => {
	fc.assert(
		fc.property(
			fc.array(fc.string({ unit: "grapheme", maxLength: 60 }), { minLength: 1, maxLength: 5 }),
			(questions) => {
				const aim = createAim(taskOf(questions.map((question, index) => hop(`h${index}`, question))));
				for (const [index, question] of questions.entries()) {
					const own = aim.similarity(question, `h${index}`);
					expect(own === 0 || Math.abs(own - 1) < 1e-9).toBe(true);
					const found = aim.at({ words: [question] });
					for (const { similarity } of found) expect(similarity).toBeLessThanOrEqual(1);
					if (own > 0) expect(found.map((one) => one.hop)).toContain(`h${index}`);
				}
			},
		),
		{ numRuns: 100 },
	);
	const aim = createAim(taskOf(areas));
	expect(aim.similarity("WHAT IS THE ÁREA OF BENIN", "h2")).toBeCloseTo(1, 9);
	expect(aim.similarity("anything", "nobody")).toBe(0);
});
