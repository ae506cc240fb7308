import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Answer } from "#domain";
import { fakeKnowledge } from "#knowledge";
import { runRecipe } from "#recipes";
import { sha256 } from "#store";
import { sketchItem } from "../../../test/support/recipes/item-sketch.ts";
import { player } from "../../../test/support/recipes/player.ts";
import { typedAnswer } from "../answers/typed-answer.ts";
import { tracer } from "../tracer.ts";
import { refined } from "./atoms.ts";
import { completeEvidence } from "./complete-evidence.ts";
import { overlapWith } from "./overlap.ts";
import { isExcluded, plainTitle } from "./passages.ts";
import { auditComparison, auditInference } from "./prompts.ts";
import { questionSeries } from "./question-series.ts";
import { uniqueNames } from "./same-name.ts";
import { orderOf } from "./value-order.ts";

const read = (text: string, question = "When?"): Answer => {
	const answer = typedAnswer(text, { question, counted: true });
	if ("vague" in answer) throw new RangeError(text);
	return answer;
};
const passage = (id: string, title: string, text: string) => ({
	...{ kind: "passage" as const, id, document: id, title, text, language: "en", form: "prose" as const },
	...{ sha256: sha256(text), provenance: { source: "test" } },
});
const hops = [
	{ question: "What church stood in Amherst by 1857?", answer: "Wesleyan church", evidence: ["a"] },
	{ question: "With what is the Wesleyan church associated?", answer: "Arminianism", evidence: ["w"], needs: ["h1"] },
];
const item = sketchItem({ question: "With what is the church that stood in Amherst by 1857 associated?", hops });

describe("the order of two values is computed (AgenticRAGTracer, Figures 9, 14 and 15)", () => {
	test("John Beach and Seth Gordon Persons", () => {
		expect(orderOf(read("January 1, 1812"), read("February 5, 1902"))).toEqual({ order: -1 });
		expect(orderOf(read("February 5, 1902"), read("January 1, 1812"))).toEqual({ order: 1 });
		expect(orderOf(read("1812"), read("1812"))).toEqual({ order: 0 });
	});
	test("a year against a time within it cannot be decided: the Cambridge Battery, the 17th Lancers", () => {
		expect(orderOf(read("1886"), read("July 1886"))).toMatchObject({ reason: "lacking_evidence" });
		expect(orderOf(read("1886"), read("July 1, 1887"))).toEqual({ order: -1 });
		expect(orderOf(read("April 1763"), read("1763"))).toMatchObject({ reason: "lacking_evidence" });
		// a span of days is no time that could be compared
		expect(orderOf(read("1886"), read("July 1-27, 1886"))).toMatchObject({ reason: "forced_pairing" });
	});
	test("numbers by unit and range; names have no order", () => {
		const [a, b] = ["4,586 K", "5,421 K"].map((text) => read(text, "What is the temperature?")) as [Answer, Answer];
		expect(orderOf(a, b)).toEqual({ order: -1 });
		expect(orderOf(read("5 kg"), read("7 km"))).toMatchObject({ reason: "unit_mismatch" });
		expect(orderOf(read("27 cardinals"), read("40 ships"))).toMatchObject({ reason: "unit_mismatch" });
		expect(orderOf(read("10 to 12 km"), read("11 to 20 km"))).toMatchObject({ reason: "lacking_evidence" });
		expect(orderOf(read("10 to 12 km"), read("13 to 20 km"))).toEqual({ order: -1 });
		expect(orderOf(read("Venice"), read("1886"))).toMatchObject({ reason: "forced_pairing" });
	});
});

test.each([
	["the answer of a whole sentence", "an effective temperature of 4,586 K", "4,586", "4,586 K"],
	["a count", "a catalogue of 118,218 entries", "118,218", "118,218 entries"],
	["a share", "a rise of 59% a year", "59", "59%"],
	["what has no unit stays without", "edition 9 of it", "9", "9"],
	["a number with its unit is not shortened at all", "4,586 K", "4,586", "4,586 K"],
	["nor a count", "118,218 entries", "118,218", "118,218 entries"],
])("a refinement takes no unit away: %s", async (_, said, short, kept) => {
	const asked = sketchItem({
		question: "What is the temperature?",
		hops: [{ question: "What is the temperature?", answer: read(said) }],
	});
	const context = { ask: async () => ({ value: { refined_answer: short, aliases: [] } }) } as never;
	expect((await refined(asked, context)).answer.value).toBe(kept);
});

test("an auditor's reply in the papers' form is read, and a type it does not have is none", () => {
	const said = { valid: "false", error_type: "forced_pairing", justification: "a moment and a season" };
	expect(auditComparison.output.parse(said)).toEqual({ ...said, valid: false });
	expect(auditInference.output.parse({ valid: "true", error_type: "No Error", justification: "" })).toMatchObject({
		...{ valid: true, error_type: "none" },
	});
	expect(auditInference.output.safeParse({ valid: "perhaps", error_type: "other" }).success).toBe(false);
});

test("documents that are left out", () => {
	const known = new Set(["luigi nono"]);
	expect(isExcluded({ title: "Luigi  Nono!", text: "A composer." }, known)).toBe(true);
	expect(isExcluded({ title: "1990s", text: "A decade." }, known)).toBe(true);
	expect(isExcluded({ title: "27", text: "27 (number) is a number." }, known)).toBe(true);
	const years = Array.from({ length: 21 }, (_, at) => 1900 + at).join(", ");
	expect(isExcluded({ title: "Timeline", text: years }, known)).toBe(true);
	expect(isExcluded({ title: "Nono", text: "A composer of 1924." }, known)).toBe(false);
	expect(plainTitle("Beyoncé (album)")).toBe("beyonce album");
});

test("a document gives a second passage once every other one gave its first", async () => {
	const told = (id: string, document: string) => ({
		...passage(id, document, `The ${id} of this ${document} is told here at some length. `.repeat(6)),
		document,
	});
	const given = [told("a1", "atlas"), told("a2", "atlas"), told("a3", "atlas"), told("b1", "book")];
	const asked: string[] = [];
	const generator = player({
		"ask-facts": ({ material }) => {
			asked.push(material.title ?? "");
			return { pairs: [] };
		},
	});
	const inputs = {
		knowledge: fakeKnowledge(given),
		async *evidence() {
			yield* given;
		},
	};
	const dir = await mkdtemp(join(tmpdir(), "hopscope-tracer-parts-"));
	const taken = async (passages: number) => {
		asked.length = 0;
		const params = { passages, fields: "none" };
		await runRecipe(tracer, inputs, join(dir, String(passages)), { params, models: { generator } });
		return asked.sort();
	};
	expect(await taken(2)).toEqual(["atlas", "book"]);
	expect(await taken(3)).toEqual(["atlas", "atlas", "book"]);
	await rm(dir, { recursive: true });
});

test("another passage that states a hop's fact becomes its evidence, one that only holds the words does not", async () => {
	const knowledge = fakeKnowledge([
		passage("a", "Amherst", "A Wesleyan church stood in Amherst by 1857."),
		passage("w", "Wesleyan church", "The Wesleyan church is associated with Arminianism."),
		passage("x", "Victoria", "Early on a Wesleyan church stood in Amherst, in Victoria. It burnt in 1900."),
		passage("y", "Towns", "Amherst is a town. Elsewhere a Wesleyan church stood."),
		passage("z", "Churches", "A Wesleyan church is not what stood in Amherst."),
	]);
	const stage = completeEvidence({ name: "complete", k: 10, share: 0.5 }, { knowledge });
	const [outcome] = await stage.run(item, undefined as never);
	const evidence = outcome?.is === "piece" ? outcome.piece.chain.hops.map((hop) => hop.evidence) : [];
	expect(evidence).toEqual([["a", "x"], ["w"]]);
});

test("a name that two things bear", async () => {
	const evidence = async function* () {
		yield* [
			passage("p1", "Springfield (Ohio)", "x"),
			passage("p2", "Springfield (Texas)", "y"),
			passage("p3", "Arminianism", "z"),
		];
	};
	const look = (answer: string, more = {}) => {
		const named = sketchItem({ question: "Q?", hops: [{ question: "Which?", answer }] });
		return uniqueNames({ knowledge: fakeKnowledge(), evidence, ...more }).look(named, undefined as never);
	};
	expect(await look("Springfield")).toMatchObject({ verdict: "fail", reason: "same_name", score: 2 });
	expect(await look("Arminianism")).toMatchObject({ verdict: "pass" });
	const encyclopedia = {
		id: "test",
		sameName: async (name: string) => ({ count: name === "Arminianism" ? 3 : 1, ids: [] }),
	};
	expect(await look("Arminianism", { encyclopedia })).toMatchObject({ reason: "same_name", score: 3 });
});

test("how near the nearest known question is", async () => {
	const known = ["Where was Luigi Nono born?", "With what is the church that stood in Amherst by 1857 associated?"];
	const noted = async (questions: string[]) => {
		const [outcome] = await overlapWith(questions).run(item, undefined as never);
		return outcome?.is === "piece" ? outcome.piece.notes.overlap : undefined;
	};
	expect(await noted(known)).toEqual({ tfidf: 1, embedding: 1, question: known[1] });
	expect(await noted(["Where was Luigi Nono born?"])).toMatchObject({ tfidf: expect.any(Number) });
	expect(((await noted(["Zebra crossing"])) as { tfidf: number }).tfidf).toBe(0);
	expect(await noted([])).toBeUndefined();
});

test("a shorter question from which two longer ones grew stands in one series", async () => {
	const level = (id: string, hops: number, from: string) => ({
		...{ ...item, id, lineage: [from], tags: { ...item.tags, hops: String(hops) } },
	});
	const items = [level("a", 1, "doc"), level("b", 2, "a"), level("c", 2, "a"), level("d", 3, "b"), level("e", 3, "b")];
	const outcomes = await questionSeries().run(items, undefined as never);
	const levels = outcomes.map((outcome) =>
		outcome.is === "piece" ? Object.values(outcome.piece.ladder ?? {}).join(":") : "",
	);
	expect(levels).toEqual(["d:1", "d:2", "c:2", "d:3", "e:3"]);
});
