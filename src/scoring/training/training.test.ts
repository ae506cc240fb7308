import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { advantage, groupFilter, lossMask, metrics, reward } from "#scoring";

const resultOf = (name: string, input: unknown) => metrics[name]?.measure(input).result;

describe("reward", () => {
	test.each([
		[{ correct: true, formatValid: true, validCalls: 3 }, 2.75],
		[{ correct: true, formatValid: false, validCalls: 3 }, 1],
		[{ correct: false, formatValid: true, validCalls: 3 }, 1],
		[{ correct: 1, formatValid: 1, validCalls: 4 }, 3],
		[{ correct: true, formatValid: true, validCalls: 4, calls: "capped", requiredHops: 2 }, 2.5],
		[{ correct: true, formatValid: true, validCalls: 4, calls: "new", newCalls: 1 }, 2.25],
		[{ correct: true, formatValid: true, validCalls: 2, alpha: 2, beta: 0.5, gamma: 1 }, 4.5],
		[{ correct: false, formatValid: false, validCalls: 9 }, 0],
	])("%j is %d", (input, expected) => {
		expect(resultOf("reward", input)?.value).toBe(expected);
	});

	test("the components stand beside it", () => {
		expect(resultOf("reward", { correct: true, formatValid: false, validCalls: 3 })).toEqual({
			value: 1,
			outcome: 1,
			format: 0,
			tool: 3,
			action: 0,
			calls: "all",
		});
	});

	test("what could not be scored is no 0, and a variant names the count it needs", () => {
		expect(resultOf("reward", { correct: null, formatValid: true, validCalls: 1 })).toMatchObject({
			value: null,
			reason: "the answer was not scored",
		});
		const right = { correct: true, formatValid: true, validCalls: 1 };
		expect(resultOf("reward", { ...right, calls: "capped" })?.reason).toContain("requiredHops");
		expect(resultOf("reward", { ...right, calls: "new" })?.reason).toContain("newCalls");
		expect(() => reward(right, { calls: "new" })).toThrow("newCalls");
	});

	test("more valid calls never score less, and useless ones only in the published form", () => {
		const calls = fc.nat({ max: 20 });
		fc.assert(
			fc.property(fc.boolean(), fc.boolean(), calls, calls, (correct, formatValid, validCalls, requiredHops) => {
				const made = { correct, formatValid, validCalls, requiredHops, newCalls: validCalls };
				const more = { ...made, validCalls: validCalls + 1 };
				expect(reward(more).value).toBeGreaterThanOrEqual(reward(made).value);
				expect(reward(more, { calls: "new" }).value).toBe(reward(made, { calls: "new" }).value);
				expect(reward(made, { calls: "capped" }).value).toBeLessThanOrEqual(2 + 0.25 * requiredHops);
			}),
		);
	});
});

describe("advantage", () => {
	// reference values: NumPy's std with ddof 0 and 1
	test.each([
		[{ rewards: [2, 1, 1, 0] }, [Math.SQRT2, 0, 0, -Math.SQRT2]],
		[{ rewards: [3, 2.75, 1, 0] }, [1.05662467, 0.85536283, -0.55347007, -1.35851743]],
		[{ rewards: [3, 2.75, 1, 0], mode: "verl" }, [0.91506317, 0.74076542, -0.4793188, -1.17650979]],
		[{ rewards: [1, 0, 0, 1], mode: "verl" }, [0.8660239, -0.8660239, -0.8660239, 0.8660239]],
		[{ rewards: [2, 1, 1, 0], mode: "dr-grpo" }, [1, 0, 0, -1]],
		[{ rewards: [0.1, 0.1, 0.1] }, [0, 0, 0]],
		[{ rewards: [0.1, 0.1, 0.1], mode: "verl" }, [0, 0, 0]],
		[{ rewards: [5] }, [0]],
		[{ rewards: [2.75], mode: "verl" }, [2.75 / (1 + 1e-6)]],
	])("%j", (input, expected) => {
		const value = resultOf("advantage", input)?.value;
		expect(value).toHaveLength(expected.length);
		for (const [index, each] of expected.entries()) expect([value].flat()[index]).toBeCloseTo(each, 6);
	});

	test("an empty group is unscored", () => {
		expect(resultOf("advantage", { rewards: [] })).toMatchObject({ value: null, reason: "no rewards" });
	});

	test("sums to 0, keeps the order of the rewards, and in the paper's form has deviation 1", () => {
		const rewards = fc.array(
			fc.integer({ min: 0, max: 12 }).map((quarters) => quarters / 4),
			{ minLength: 2 },
		);
		fc.assert(
			fc.property(rewards, fc.constantFrom("paper", "verl", "dr-grpo" as const), (group, mode) => {
				const found = advantage(group, { mode });
				expect(found.reduce((sum, value) => sum + value, 0)).toBeCloseTo(0, 9);
				for (const [index, one] of group.entries())
					for (const [other, value] of group.entries())
						if (one > value) expect(found[index]).toBeGreaterThan(found[other] ?? Number.NaN);
				const variance = found.reduce((sum, value) => sum + value ** 2, 0) / found.length;
				if (mode === "paper" && new Set(group).size > 1) expect(variance).toBeCloseTo(1, 9);
				const shifted = advantage(
					group.map((value) => value + 1),
					{ mode },
				);
				for (const [index, value] of shifted.entries()) expect(value).toBeCloseTo(found[index] ?? Number.NaN, 9);
			}),
		);
	});
});

describe("group-filter", () => {
	const groups = [[true, false], [false, false], [true, true], [], [true]];

	test("the paper keeps groups that are all right, DAPO does not", () => {
		expect(groupFilter(groups)).toEqual({ value: 3 / 5, kept: [0, 2, 4], allWrong: 1, allRight: 2, n: 5 });
		expect(groupFilter(groups, { mode: "dapo" })).toMatchObject({ value: 1 / 5, kept: [0] });
		expect(resultOf("group-filter", { correct: [[1, 0], [0]] })).toMatchObject({ value: 0.5, kept: [0] });
		expect(resultOf("group-filter", { correct: [] })).toMatchObject({ value: null, reason: "no groups" });
	});

	test("DAPO keeps a part of what the paper keeps: all but the groups that are all right", () => {
		fc.assert(
			fc.property(fc.array(fc.array(fc.boolean())), (correct) => {
				const paper = groupFilter(correct);
				const dapo = groupFilter(correct, { mode: "dapo" });
				expect(paper.kept).toEqual(expect.arrayContaining(dapo.kept));
				expect(paper.kept.length).toBe(dapo.kept.length + paper.allRight);
			}),
		);
	});
});

describe("loss-mask", () => {
	test("spans count code points, as Python does, and runs that touch are one", () => {
		const segments = [
			{ text: "Q?", by: "prompt" },
			{ text: "𝔘se 🔎", by: "policy" },
			{ text: "!", by: "policy" },
			{ text: "found", by: "observation" },
			{ text: "", by: "policy" },
			{ text: "again", by: "penalty" },
			{ text: "ok", by: "policy" },
		];
		expect(resultOf("loss-mask", { segments })).toEqual({
			value: 8 / 20,
			spans: [
				[2, 8],
				[18, 20],
			],
			trained: 8,
			characters: 20,
		});
		expect(resultOf("loss-mask", { segments: [] })).toMatchObject({ value: null, reason: "no text" });
		expect(resultOf("loss-mask", { segments: [{ text: "x", by: "judge" }] })?.reason).toContain("segments");
	});

	test("what the spans cut out is what the policy wrote, and nothing else", () => {
		const segment = fc.record({
			text: fc.string({ unit: "grapheme", maxLength: 8 }),
			by: fc.constantFrom("policy", "observation", "penalty", "prompt" as const),
		});
		fc.assert(
			fc.property(fc.array(segment), (segments) => {
				const { spans, trained } = lossMask(segments);
				const points = [...segments.map(({ text }) => text).join("")];
				const cut = spans.map(([start, end]) => points.slice(start, end).join("")).join("");
				const written = segments.flatMap(({ text, by }) => (by === "policy" ? [text] : [])).join("");
				expect(cut).toBe(written);
				expect(trained).toBe([...written].length);
			}),
		);
	});
});
