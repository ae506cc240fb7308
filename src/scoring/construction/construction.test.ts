import { existsSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { metrics } from "#scoring";
import { namesInFull, nameTokens, numberTitle, titleOf, wordTokens, yearTokens } from "./tracer-text.ts";

const measure = (name: string, input: object) => metrics[name]?.measure(input).result;

describe("HAVE", () => {
	const have = (without: number, more = {}) =>
		measure("have-utility", { with: 0.75, without, threshold: 0.25, ...more });
	const leads = (entity: string, question: string) =>
		have(0.75, { navigational: { answerEntities: [entity], laterQuestions: ["Which is it?", question] } })?.role;

	test("utility is what is lost without the hop's evidence", () => {
		expect(have(0.25)).toMatchObject({ value: 0.5, role: "necessary", threshold: 0.25 });
		expect(have(0.5)).toMatchObject({ value: 0.25, role: "necessary" });
		expect(have(0.51)).toMatchObject({ role: "redundant" });
		expect(have(1)).toMatchObject({ value: -0.25, role: "redundant" });
	});
	test("a hop whose answer a later question names is navigational", () => {
		expect(leads("Christ Church", "When was Christ Church Cathedral built?")).toBe("navigational");
		expect(leads("The Beatles", "Who founded the band beatles?")).toBe("navigational");
		expect(leads("Obama", "Where did Obama's wife study?")).toBe("navigational");
		expect(leads("北京", "北京大学在哪里？")).toBe("navigational");
		expect(leads("art", "Who is Bart?")).toBe("redundant");
		expect(leads("?!", "Who is it?!")).toBe("redundant");
		expect(leads("a", "Who?")).toBe("redundant");
		// a necessary hop is necessary, whatever it leads to
		expect(have(0, { navigational: { answerEntities: ["x"], laterQuestions: ["x?"] } })).toMatchObject({
			role: "necessary",
			navigational: true,
		});
	});
});

describe("chain diversity", () => {
	const diversity = (entities: string[], relations: string[], hops: number, more = {}) =>
		measure("chain-diversity", { entities, relations, hops, ...more })?.value;

	test("by hops and by nodes", () => {
		expect(diversity(["a", "b", "c", "d"], ["r", "s", "s"], 3)).toBeCloseTo(0.6 + (0.4 * 2) / 3, 12);
		expect(diversity(["a", "b", "c", "d"], ["r", "s", "s"], 3, { by: "nodes" })).toBeCloseTo(0.8, 12);
		expect(diversity(["a", "a"], ["r"], 4)).toBeCloseTo(0.6 / 4 + 0.4 / 4, 12);
		expect(diversity([], [], 0)).toBeNull();
		expect(diversity([], [], 2)).toBe(0);
	});
	test("in [0, 1], whatever the names and their order, and never lower for one more entity", () => {
		const names = fc.array(fc.constantFrom("a", "b", "c", "d", "e"), { maxLength: 6 });
		fc.assert(
			fc.property(names, names, fc.integer({ min: 1, max: 8 }), (entities, relations, hops) => {
				const value = Number(diversity(entities, relations, hops));
				expect(value).toBeGreaterThanOrEqual(0);
				expect(value).toBeLessThanOrEqual(1);
				const renamed = entities.map((name) => `renamed ${name}`).reverse();
				expect(diversity(renamed, [...relations].reverse(), hops)).toBe(value);
				expect(diversity([...entities, "new"], relations, hops)).toBeGreaterThanOrEqual(value);
			}),
		);
	});
});

describe("visual dependence", () => {
	const dependence = (input: object) => measure("visual-dependence", input);

	test("a ratio of probabilities; 1.20 and below is inspected", () => {
		expect(dependence({ withImage: 0.6, masked: 0.25 })).toMatchObject({ value: 2.4, inspect: false });
		expect(dependence({ withImage: 0.6, masked: 0.5 })).toMatchObject({ value: 1.2, inspect: true });
		expect(dependence({ withImage: 0.61, masked: 0.5 })).toMatchObject({ inspect: false });
		expect(dependence({ withImage: 0.5, masked: 0 })).toMatchObject({ value: null, reason: expect.any(String) });
		expect(dependence({ withImage: 0, masked: 0.5 })).toMatchObject({ value: 0, inspect: true });
	});
	test("samples by the rule of succession, which it says", () => {
		expect(dependence({ samples: { withImage: { right: 5, n: 5 }, masked: { right: 0, n: 5 } } })).toMatchObject({
			value: 6,
			withImage: 6 / 7,
			masked: 1 / 7,
			method: "rule of succession",
		});
		expect(dependence({ samples: { withImage: { right: 6, n: 5 }, masked: { right: 0, n: 5 } } })?.reason).toContain(
			"samples.withImage",
		);
	});
	test("one way or the other, not both and not half", () => {
		const samples = { withImage: { right: 1, n: 5 }, masked: { right: 0, n: 5 } };
		for (const input of [{}, { withImage: 0.5 }, { masked: 0.5 }, { withImage: 0.5, masked: 0.5, samples }])
			expect(dependence(input)).toMatchObject({ value: null, reason: expect.stringContaining("masked") });
	});
});

test("difficulty by hops, fused questions by all their parts", () => {
	const level = (input: object) => measure("difficulty", input)?.level;
	expect([1, 4, 5, 9, 10, 30].map((hops) => level({ hops }))).toEqual(["L1", "L1", "L2", "L2", "L3", "L3"]);
	expect(measure("difficulty", { parts: [5, 6] })).toEqual({ value: 3, level: "L3", hops: 11 });
	expect(level({ parts: [2, 2] })).toBe("L1");
	expect(measure("difficulty", { hops: 3, parts: [3] })?.reason).toContain("hops");
	expect(measure("difficulty", {})?.reason).toContain("hops");
});

describe("answer presence", () => {
	const golden = "../shared/golden/agenticragtracer_heuristics.json";

	test.skipIf(!existsSync(golden))("every value that the released pipeline gives", () => {
		const values = JSON.parse(readFileSync(golden, "utf8"));
		const each = (name: string, compute: (...input: string[]) => unknown) => {
			expect(values[name].length, name).toBeGreaterThan(2);
			for (const line of values[name]) {
				const input = line.slice(0, -1);
				expect(compute(...input), `${name} ${JSON.stringify(input)}`).toEqual(line.at(-1));
			}
		};
		each("tokens", wordTokens);
		each("years", yearTokens);
		each("match_year_title", numberTitle);
		each("filtertokens", (text) => nameTokens(wordTokens(text)));
		each("get_title", titleOf);
		each("simple_partial_presence_true_means_reject", (phrase, question) => !namesInFull(phrase, question));
		each("simple_partial_presence_true_means_reject", (answer, question) => {
			return !measure("answer-presence", { answer, question })?.named;
		});
	});
	test("in full, or by more than half of its words in their case", () => {
		const presence = (answer: string, question: string) => measure("answer-presence", { answer, question });
		expect(presence("Paris", "What is paris known for?")).toMatchObject({ value: 1, full: true, share: 0 });
		expect(presence("New York City", "How many live in New York?")).toMatchObject({
			value: 1,
			full: false,
			share: 2 / 3,
		});
		expect(presence("Barack Obama", "Where was Obama born?")).toMatchObject({ value: 0, share: 0.5, named: false });
		expect(presence("Michelle", "Who married Barack Obama?")).toMatchObject({ value: 0, share: 0 });
		// what normalises to nothing stands in every question, as in the released code
		expect(presence("?", "Who?")).toMatchObject({ value: 1, full: true, share: null });
	});
	test("a document about a number or years is dropped", () => {
		const kind = (document: string) =>
			measure("answer-presence", { answer: "x", question: "Who?", document })?.document;
		expect(kind('"1990s"\nA decade.')).toEqual({ title: "1990s", number: "1990s", years: 1, dropped: true });
		expect(kind('"Paris"\nCapital since 987, and 1944.')).toEqual({
			title: "Paris",
			number: null,
			years: 1,
			dropped: false,
		});
		expect(kind('"7 (number)"\nSeven.')).toMatchObject({ number: null, dropped: true });
		expect(kind(`"List"\n${"1990 ".repeat(20)}`)).toMatchObject({ years: 20, dropped: false });
		expect(kind(`"List"\n${"1990 ".repeat(21)}`)).toMatchObject({ years: 21, dropped: true });
	});
	test("Python's signs beyond ASCII", () => {
		expect(nameTokens(["Ⅷ", "ǅ", "nan", "1_000", "1__0", "1e5", "٣٤", "4K", "4k", "éA", "ÉA", "²"])).toEqual([
			"Ⅷ",
			"nan",
			"1_000",
			"1e5",
			"٣٤",
			"4K",
			"ÉA",
		]);
		expect(yearTokens("٢٠٢٠ é1990 1990ſ")).toEqual(["٢٠٢٠", "1990ſ"]);
	});
	test("hostile texts do not take long", () => {
		const start = process.cpuUsage();
		const answer = `${"A ".repeat(4000)}B`;
		measure("answer-presence", { answer, question: "A ".repeat(50_000), document: `x${'"'.repeat(500_000)}x` });
		measure("answer-presence", { answer, question: "A?", document: "1".repeat(500_000) });
		expect(process.cpuUsage(start).user / 1000).toBeLessThan(8000);
	});
});
