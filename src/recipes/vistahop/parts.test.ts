import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { numberAnswer, stringAnswer, timeAnswer } from "#recipes";
import { difficulty } from "#scoring";
import { sketchItem } from "../../../test/support/recipes/item-sketch.ts";
import type { StageContext } from "../engine/stage.ts";
import { seeded } from "../seeded.ts";
import type { Seed } from "./chain.ts";
import { extractValues } from "./extract-values.ts";
import { extractors, type FusionOperation, fusedValue, fusionOperations } from "./extractors.ts";
import { VistahopParams } from "./params.ts";
import { boundedBox, boxUnits } from "./regions.ts";
import { targetDepth } from "./target-depth.ts";
import { byNumber } from "./verify-steps.ts";
import { cluesNoted, foundingYearHidden } from "./wording-rules.ts";

const year = 2026;

// The published methods (Table 26) on answers of the kinds that its rules name.
test.each([
	["first_letter_ascii", "Hamburg", 72],
	["first_letter_alphabet", "Hamburg", 8],
	["first_letter_alphabet", "Ísafjörður", 9],
	["character_count", "St. John's", 7],
	["word_count", "House of Commons", 3],
	["vowel_count", "Áland Islands", 4],
	["digit_sum", "1974", 21],
	["founding_year", "founded in 1885", 1885],
	["founding_year_diff", "1974", 52],
	["founding_year", "between 1885 and 1974", undefined],
	["vowel_count", "1974", undefined],
	["digit_sum", "Hamburg", undefined],
	["value", "3,718,000", 3718000],
	["value", "Hamburg", undefined],
] as const)("%s of %s is %s", (method, value, result) => {
	expect(extractors[method]?.of(stringAnswer(value), { year })).toBe(result);
});

test("no letters are counted of a number, a measure or a date, which can be written in many ways", () => {
	const typed = [numberAnswer(950, { unit: "m" }), timeAnswer("1821-07-28")];
	for (const method of ["first_letter_ascii", "first_letter_alphabet", "character_count", "word_count", "vowel_count"])
		expect(typed.map((answer) => extractors[method]?.of(answer, { year }))).toEqual([undefined, undefined]);
	expect(extractors.value?.of(numberAnswer(950, { unit: "m" }), { year })).toBe(950);
});

test("years are read from typed dates", () => {
	expect(extractors.founding_year?.of(timeAnswer("1821-07-28"), { year })).toBe(1821);
	expect(extractors.founding_year_diff?.of(timeAnswer("1821-07-28"), { year })).toBe(205);
});

test("operations agree with arithmetic, and have no result where there is none", () => {
	expect(fusedValue("DIVIDE", [1, 0])).toBeUndefined();
	expect(fusedValue("SUBTRACT", [1, 2, 3])).toBeUndefined();
	expect(fusedValue("ADD", [1])).toBeUndefined();
	expect(fusedValue("AVG", [1, 2])).toBe(1.5);
	expect(fusedValue("DIVIDE", [1, 3])).toBe(0.333333);
	expect(fusedValue("SUBTRACT", [2, 5])).toBe(-3);
	const numbers = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 2, maxLength: 6 });
	fc.assert(
		fc.property(numbers, fc.constantFrom(...fusionOperations), (values, operation: FusionOperation) => {
			const result = fusedValue(operation, values);
			if (result === undefined) return values.length !== 2 || values[1] === 0;
			const [most, least] = [Math.max(...values), Math.min(...values)];
			if (operation === "MAX") return result === most;
			if (operation === "MIN") return result === least;
			if (operation === "AVG") return result >= least - 1e-3 && result <= most + 1e-3;
			// order matters to subtraction and division alone
			return (
				operation === "SUBTRACT" || operation === "DIVIDE" || result === fusedValue(operation, [...values].reverse())
			);
		}),
	);
});

describe("the hops at which chains are to end", () => {
	const depths = async (bounds: Parameters<typeof targetDepth>[0], seeds = 4000) => {
		const context = { random: (...parts: (string | number)[]) => seeded(1, ...parts) } as unknown as StageContext;
		const drawn: number[] = [];
		for (let seed = 0; seed < seeds; seed += 1) {
			const [outcome] = await targetDepth(bounds).run({ id: `s${seed}` } as Seed, context);
			if (outcome?.is === "piece") drawn.push(outcome.piece.depth ?? 0);
		}
		return drawn;
	};
	const mean = (list: readonly number[]) => list.reduce((sum, one) => sum + one, 0) / list.length;

	// VistaHop: 5 hops at least, 7.43 on average; by its Table 4 single chains are of level 2 and fused ones of level 3
	test("by default are the paper's, alone of level 2 and two together of level 3", async () => {
		const { leastHops, meanHops, mostHops } = VistahopParams.parse({});
		const drawn = await depths({ least: leastHops, mean: meanHops, most: mostHops });
		expect(mean(drawn)).toBeGreaterThan(7.38);
		expect(mean(drawn)).toBeLessThan(7.48);
		expect(new Set(drawn)).toEqual(new Set([5, 6, 7, 8, 9]));
		expect(new Set(drawn.map((hops) => difficulty(hops)))).toEqual(new Set([2]));
		expect(new Set(drawn.map((hops, at) => difficulty(hops + (drawn[at - 1] ?? 5))))).toEqual(new Set([3]));
	});

	test("cross the levels where the settings say so, and keep to bounds that do not allow the mean", async () => {
		const drawn = await depths({ least: 2, mean: 5, most: 12 });
		expect(new Set(drawn.map((hops) => difficulty(hops)))).toEqual(new Set([1, 2, 3]));
		expect(new Set(await depths({ least: 3, mean: 7.43, most: 4 }, 20))).toEqual(new Set([4]));
		expect(new Set(await depths({ least: 8, mean: 7.43, most: 9 }, 20))).toEqual(new Set([8]));
		expect(new Set(await depths({ least: 5, mean: 7.43, most: 5 }, 20))).toEqual(new Set([5]));
	});
});

test("boxes of any model stand inside their picture, whole and in order", () => {
	const size = { width: 640, height: 304, sent: [640, 304] as [number, number] };
	expect(boundedBox([0, 0, 1000, 1000], "thousandths", size)).toEqual([0, 0, 640, 304]);
	expect(boundedBox([0.5, 0.5, 0.25, 0.75], "shares", size)).toEqual([160, 152, 320, 228]);
	expect(boundedBox([-50, 100, 9000, 200], "pixels", size)).toEqual([0, 100, 640, 200]);
	expect(boundedBox([10, 10, 10, 200], "pixels", size)).toBeUndefined();
	const side = fc.double({ min: -5000, max: 5000, noNaN: true });
	fc.assert(
		fc.property(fc.tuple(side, side, side, side), fc.constantFrom(...boxUnits), (box, unit) => {
			const bounded = boundedBox(box, unit, size);
			if (!bounded) return;
			const [x0, y0, x1, y1] = bounded;
			expect(bounded.every(Number.isInteger)).toBe(true);
			expect(x0 >= 0 && x0 < x1 && x1 <= 640 && y0 >= 0 && y0 < y1 && y1 <= 304).toBe(true);
		}),
	);
});

test("of a numbered list everything is said once, or nothing can be gone by", () => {
	const list = ["Lima", "Cusco"];
	const said = (...indices: number[]) => indices.map((index) => ({ index, ok: index > 0 }));
	expect(byNumber(list, said(2, 1), "cities").map(({ one }) => one)).toEqual(list);
	expect(() => byNumber(list, said(1), "cities")).toThrow(/nothing was said of number 2/);
	expect(() => byNumber(list, said(1, 2, 1), "cities")).toThrow(/number 1 was spoken of twice/);
});

describe("the year that a number was made of", () => {
	const look = (question: string, method: string, answer = stringAnswer("founded in 1885")) =>
		foundingYearHidden().look(fusedOf(question, [method, "character_count"], answer));

	test.each([
		["The club founded in 1885 and the letters of its town, added. What is the result?", "1885"],
		["The club of eighteen eighty-five and the letters of its town. What is the result?", "eighteen eighty-five"],
		[
			"The club of eighteen hundred and eighty-five and its town. What is the result?",
			"eighteen hundred and eighty-five",
		],
	])("is found in %s", (question, said) => {
		for (const method of ["founding_year", "founding_year_diff", "value"])
			expect(look(question, method)).toMatchObject({
				...{ verdict: "fail", reason: "intermediate_in_question", on: { hop: "a-h1" } },
				detail: expect.stringContaining(said),
			});
	});

	test("another year, a year that no number was made of and other fused numbers pass", () => {
		const another = "The club older than the cup of 1886 and the letters of its town. What is the result?";
		expect(look(another, "founding_year").verdict).toBe("pass");
		const same = "The club of 1885 and the letters of its town. What is the result?";
		expect(foundingYearHidden().concerns?.(fusedOf(same, ["word_count", "character_count"]))).toBe(false);
		expect(look(same, "founding_year", timeAnswer("1885-05-09")).verdict).toBe("fail");
		expect(look(same, "founding_year_diff", timeAnswer("1886")).verdict).toBe("pass");
	});

	/** Two parts, the first of which ends at the answer. */
	function fusedOf(question: string, methods: readonly string[], answer = stringAnswer("founded in 1885")) {
		const hop = { question: "When?", modality: "text" as const, needs: [], evidence: ["p"] };
		const item = sketchItem({ question, hops: [{ question: "Q?", answer: "x" }] });
		const parts = [
			{ ...hop, id: "a-h1", answer },
			{ ...hop, id: "a-value", modality: "compute" as const, evidence: [], answer: stringAnswer("1") },
			{ ...hop, id: "b-h1", answer: stringAnswer("Lima") },
		];
		const values = methods.map((method) => ({ method, value: 1, claimed: 1 }));
		return { ...item, chain: { ...item.chain, hops: parts }, notes: { fusion: { form: "arithmetic", values } } };
	}
});

test("a way that takes the year is not offered where the part's own question says it", async () => {
	const related = (question: string) => {
		const item = sketchItem({ question, hops: [{ question: "Q?", answer: "founded in 1885" }] });
		return { id: "pair", items: [item, item] };
	};
	const offered: string[] = [];
	const run = (question: string) => {
		offered.length = 0;
		return extractValues({ extractors: Object.keys(extractors), year, arithmetic: "correct" }).run(related(question), {
			async ask(_role: string, _prompt: unknown, values: Record<string, string>) {
				offered.push(values.methods ?? "");
				return { value: { method: "founded_year", value: 1885, how: "" } };
			},
		} as unknown as StageContext);
	};
	expect(await run("Which year is told of the club shown in the image?")).toMatchObject([
		{ is: "piece", piece: { values: [{ method: "founding_year", value: 1885 }, { value: 1885 }] } },
	]);
	expect(offered[0]).toContain("founding_year_diff");
	expect(await run("What is said of the club of 1885 that is shown in the image?")).toMatchObject([
		{ is: "drop", reason: "intermediate_in_question" },
	]);
	expect(offered[0]).not.toContain("founding_year");
	expect(offered[0]).toContain("digit_sum");
});

test("a question whose clues are not noted in its words is sent back: nothing could be left out of it", () => {
	const question = "What is the capital of the country shown in the image?";
	const look = (clues: (string | number)[] | null) =>
		cluesNoted().look(sketchItem({ question, hops: [{ question: "Q?", answer: "Lima" }], notes: { clues } }));
	expect(look(["the capital of"])).toMatchObject({ verdict: "pass" });
	for (const none of [null, [], ["the river"], [question], [7]])
		expect(look(none)).toMatchObject({ verdict: "fail", reason: "under_specified" });
});
