import fc from "fast-check";
import { expect, test } from "vitest";
import { stringAnswer, timeAnswer } from "#recipes";
import { sketchItem } from "../../../test/support/recipes/item-sketch.ts";
import { extractors, type FusionOperation, fusedValue, fusionOperations } from "./extractors.ts";
import { boundedBox, boxUnits } from "./regions.ts";
import { byNumber } from "./verify-steps.ts";
import { cluesNoted } from "./wording-rules.ts";

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

test("a question whose clues are not noted in its words is sent back: nothing could be left out of it", () => {
	const question = "What is the capital of the country shown in the image?";
	const look = (clues: (string | number)[] | null) =>
		cluesNoted().look(sketchItem({ question, hops: [{ question: "Q?", answer: "Lima" }], notes: { clues } }));
	expect(look(["the capital of"])).toMatchObject({ verdict: "pass" });
	for (const none of [null, [], ["the river"], [question], [7]])
		expect(look(none)).toMatchObject({ verdict: "fail", reason: "under_specified" });
});
