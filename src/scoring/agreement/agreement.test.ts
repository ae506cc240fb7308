import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cohenKappa, fleissKappa, krippendorffAlpha, metrics, pearson, spearman } from "#scoring";
import { blandAltman } from "./bland-altman.ts";

const letters = (text: string) => [...text];
const resultOf = (name: string, input: unknown) => metrics[name]?.measure(input).result;

describe("worked values of the specification", () => {
	test.each([
		["kappa-cohen", { a: letters("aabbc"), b: letters("aabcc") }, 0.7059],
		[
			"kappa-fleiss",
			{
				counts: [
					[3, 0],
					[2, 1],
					[0, 3],
					[1, 2],
				],
			},
			0.3333,
		],
	])("%s", (name, input, expected) => {
		expect(resultOf(name, input)?.value).toBeCloseTo(expected, 4);
	});
});

// statsmodels 0.14 (cohens_kappa), scikit-learn (cohen_kappa_score), irrCAC 0.4 (Fleiss with Gwet's interval), krippendorff 0.8 and
// SciPy gave the reference values below; Fleiss' table is that of his 1971 example
const fleissTable = [
	[0, 0, 0, 0, 14],
	[0, 2, 6, 4, 2],
	[0, 0, 3, 5, 6],
	[0, 3, 9, 2, 0],
	[2, 2, 8, 1, 1],
	[7, 7, 0, 0, 0],
	[3, 2, 6, 3, 0],
	[2, 5, 3, 2, 2],
	[6, 5, 2, 1, 0],
	[0, 2, 2, 3, 7],
];
const n = null;

describe("reference programs", () => {
	test("Cohen's kappa with the interval of Fleiss, Cohen and Everitt", () => {
		const plain = cohenKappa(letters("aabbcabcca"), letters("aabccabbca"));
		expect(plain.value).toBeCloseTo(0.696969696969697, 12);
		expect(plain.low).toBeCloseTo(0.33183097233695547, 6);
		// beyond 1 in statsmodels, which does not cut it off
		expect(plain.high).toBe(1);
		const a = [0, 1, 2, 3, 2, 1, 0, 3, 2, 1, 1, 2];
		const b = [0, 2, 2, 3, 1, 1, 1, 3, 2, 0, 1, 3];
		for (const [weights, value, low, high] of [
			["linear", 0.625, 0.34487426985489994, 0.9051257301451001],
			["quadratic", 0.7916666666666666, 0.612009781873476, 0.9713235514598573],
		] as const) {
			const found = cohenKappa(a, b, { weights });
			expect(found.value).toBeCloseTo(value, 12);
			expect(found.low).toBeCloseTo(low, 6);
			expect(found.high).toBeCloseTo(high, 6);
		}
	});

	test("Fleiss' kappa with Gwet's interval", () => {
		const found = fleissKappa(fleissTable);
		expect(found.value).toBeCloseTo(0.20993070442195522, 12);
		expect(found.low).toBeCloseTo(0.00097273, 7);
		expect(found.high).toBeCloseTo(0.41888868, 7);
	});

	test.each([
		["nominal", 0.691358024691358, 0.743421052631579],
		["ordinal", 0.8067214199413153, 0.8153875037548814],
		["interval", 0.8108448928121059, 0.8491071428571428],
	] as const)("Krippendorff's alpha, %s, ratings missing", (level, first, second) => {
		const three = [
			[n, n, n, n, n, 3, 4, 1, 2, 1, 1, 3, 3, n, 3],
			[1, n, 2, 1, 3, 3, 4, 3, n, n, n, n, n, n, n],
			[n, n, 2, 1, 3, 4, 4, n, 2, 1, 1, 3, 3, n, 4],
		];
		const four = [
			[1, 2, 3, 3, 2, 1, 4, 1, 2, n, n, n],
			[1, 2, 3, 3, 2, 2, 4, 1, 2, 5, n, 3],
			[n, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, n],
			[1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, n],
		];
		expect(krippendorffAlpha(three, { level }).value).toBeCloseTo(first, 12);
		const found = krippendorffAlpha(four, { level });
		expect(found.value).toBeCloseTo(second, 12);
		expect(found).toMatchObject({ n: 11, method: "item-bootstrap" });
		expect(found.low).toBeGreaterThan(0.2);
		expect(found.low).toBeLessThan(second);
		expect(found.high).toBeGreaterThan(second);
		expect(found.high).toBeLessThanOrEqual(1);
	});

	test("correlations and limits of agreement", () => {
		const p = [7, 8, 6.5, 9, 5, 7.5, 3, 8.5];
		const q = [6.5, 8, 7, 8, 5.5, 9, 4, 8.5];
		const straight = pearson(p, q);
		expect(straight.value).toBeCloseTo(0.9170892157697165, 12);
		expect(straight.low).toBeCloseTo(0.6004665791159102, 10);
		expect(straight.high).toBeCloseTo(0.985126299348003, 10);
		const ranked = spearman([1, 2, 2, 4, 5, 3, 3, 8, 9, 2], [10, 20, 30, 25, 90, 25, 10, 60, 60, 15]);
		expect(ranked.value).toBeCloseTo(0.7391446925624305, 12);
		expect(ranked.low).toBeCloseTo(0.11224053643706651, 10);
		expect(ranked.high).toBeCloseTo(0.9451736038796917, 10);
		const limits = blandAltman(p, q);
		expect(limits.value).toBe(-0.25);
		expect(limits.halfWidth).toBeCloseTo(1.5714961024450553, 12);
		expect(limits.low).toBeCloseTo(-0.25 - 1.5714961024450553, 12);
		expect(limits.biasLow).toBeCloseTo(-0.9203079691734598, 9);
		expect(limits.biasHigh).toBeCloseTo(0.4203079691734598, 9);
		expect(blandAltman([2, 3], [1, 2])).toMatchObject({
			value: 1,
			halfWidth: 0,
			reason: expect.stringContaining("no spread"),
		});
	});
});

describe("what is undefined is null with a reason", () => {
	test.each([
		["kappa-cohen", { a: [], b: [] }, "no items"],
		["kappa-cohen", { a: ["x", "x"], b: ["x", "x"] }, "agreement by chance is 1"],
		["kappa-fleiss", { counts: [] }, "no items"],
		["kappa-fleiss", { counts: [[1, 0]] }, "fewer than two ratings"],
		[
			"kappa-fleiss",
			{
				counts: [
					[3, 0],
					[3, 0],
				],
			},
			"agreement by chance is 1",
		],
		[
			"alpha-krippendorff",
			{
				ratings: [
					[1, n],
					[n, 2],
				],
			},
			"no item has two ratings",
		],
		[
			"alpha-krippendorff",
			{
				ratings: [
					[1, 1],
					[1, 1],
				],
			},
			"all ratings are the same",
		],
		["pearson", { a: [1], b: [2] }, "fewer than two pairs"],
		["pearson", { a: [0.1, 0.1, 0.1], b: [1, 2, 3] }, "a has one value"],
		["spearman", { a: [1, 2], b: [5, 5] }, "b has one value"],
		["bland-altman", { a: [], b: [] }, "no values"],
	])("%s %j", (name, input, reason) => {
		expect(resultOf(name, input)).toMatchObject({
			value: null,
			is: "unscored",
			reason: expect.stringContaining(reason),
		});
	});

	test("no interval where none can be given, which says why", () => {
		for (const [name, input] of [
			["kappa-cohen", { a: ["x", "y"], b: ["x", "y"] }],
			[
				"kappa-fleiss",
				{
					counts: [
						[3, 0],
						[0, 3],
					],
				},
			],
			[
				"alpha-krippendorff",
				{
					ratings: [
						[1, 2],
						[1, 2],
					],
				},
			],
			["pearson", { a: [1, 2, 3, 4], b: [2, 4, 6, 8] }],
			["spearman", { a: [1, 2, 3, 4], b: [2, 4, 60, 80] }],
		] as const) {
			const found = resultOf(name, input);
			expect(found?.value).toBeCloseTo(1, 12);
			expect(found).toMatchObject({ low: null, high: null, reason: expect.stringMatching(/./) });
		}
		expect(resultOf("pearson", { a: [1, 2, 3], b: [1, 3, 2] })).toMatchObject({ low: null, method: "none" });
		expect(resultOf("bland-altman", { a: [3], b: [1] })).toMatchObject({ value: 2, halfWidth: null, n: 1 });
	});

	test("input that does not fit names the field", () => {
		expect(resultOf("kappa-cohen", { a: ["x"], b: [] })?.reason).toContain("b: a and b must hold as many items");
		expect(resultOf("kappa-cohen", { a: ["x"], b: ["y"], weights: "linear" })?.reason).toContain("numbers");
		expect(
			resultOf("kappa-fleiss", {
				counts: [
					[1, 2],
					[1, 1],
				],
			})?.reason,
		).toContain("counts");
		expect(
			resultOf("alpha-krippendorff", {
				ratings: [
					["a", "b"],
					["a", "b"],
				],
				level: "ordinal",
			})?.reason,
		).toContain("ratings");
		expect(resultOf("alpha-krippendorff", { ratings: [[1, 2], [1]] })?.reason).toContain("null where");
	});
});

const pairs = (least: number) =>
	fc.array(fc.tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 4 })), {
		minLength: least,
		maxLength: 25,
	});
const columns = (rows: readonly (readonly [number, number])[]) =>
	[rows.map(([a]) => a), rows.map(([, b]) => b)] as const;
const near = (found: number | null, expected: number | null) => {
	if (found === null || expected === null) expect(found).toBe(expected);
	else expect(found).toBeCloseTo(expected, 9);
};

describe("properties", () => {
	test.each([
		["kappa", cohenKappa],
		["weighted kappa", (a: number[], b: number[]) => cohenKappa(a, b, { weights: "quadratic" })],
		["pearson", pearson],
		["spearman", spearman],
	])("%s: symmetric, in [-1, 1], whatever the order of items; the interval holds the value", (_, measure) => {
		fc.assert(
			fc.property(pairs(0), (rows) => {
				const [a, b] = columns(rows);
				const found = measure(a, b);
				near(measure(b, a).value, found.value);
				near(measure([...a].reverse(), [...b].reverse()).value, found.value);
				if (found.low === null || found.high === null) expect(found.reason).toMatch(/./);
				else if (found.value !== null) {
					expect(found.low).toBeGreaterThanOrEqual(-1);
					expect(found.low).toBeLessThanOrEqual(found.value);
					expect(found.high).toBeGreaterThanOrEqual(found.value);
					expect(found.high).toBeLessThanOrEqual(1);
				}
				if (found.value !== null) expect(Math.abs(found.value)).toBeLessThanOrEqual(1);
			}),
		);
	});

	test("kappa and nominal alpha do not depend on what labels are called; equal ratings give 1", () => {
		const names = ["e", "c", "a", "d", "b"];
		fc.assert(
			fc.property(pairs(1), (rows) => {
				const [a, b] = columns(rows);
				const renamed = [a, b].map((column) => column.map((label) => names[label] ?? ""));
				near(cohenKappa(renamed[0] ?? [], renamed[1] ?? []).value, cohenKappa(a, b).value);
				near(krippendorffAlpha(renamed).value, krippendorffAlpha([a, b]).value);
				near(cohenKappa(a, a).value, new Set(a).size > 1 ? 1 : null);
				near(krippendorffAlpha([a, a, a]).value, new Set(a).size > 1 ? 1 : null);
			}),
			{ numRuns: 50 },
		);
	});

	test("quadratic kappa of labels 0 and 1 is plain kappa", () => {
		const binary = fc.array(fc.tuple(fc.integer({ min: 0, max: 1 }), fc.integer({ min: 0, max: 1 })), { minLength: 1 });
		fc.assert(
			fc.property(binary, (rows) => {
				const [a, b] = columns(rows);
				near(cohenKappa(a, b, { weights: "quadratic" }).value, cohenKappa(a, b).value);
			}),
		);
	});

	test("Fleiss' kappa: whatever the order of items and categories, at most 1", () => {
		const counts = fc.array(fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 4, maxLength: 4 }), { minLength: 1 });
		fc.assert(
			fc.property(counts, (ratings) => {
				const table = ratings.map((row) => [0, 1, 2].map((category) => row.filter((one) => one === category).length));
				const found = fleissKappa(table);
				near(fleissKappa(table.map((row) => [...row].reverse()).reverse()).value, found.value);
				if (found.value !== null) expect(found.value).toBeLessThanOrEqual(1);
			}),
		);
	});

	const rating = fc.option(fc.integer({ min: 1, max: 5 }), { nil: null });
	const table = fc.array(fc.array(rating, { minLength: 6, maxLength: 6 }), { minLength: 2, maxLength: 4 });

	test.each(["nominal", "ordinal", "interval"] as const)("alpha, %s, is that of all pairs of ratings", (level) => {
		fc.assert(
			fc.property(table, (ratings) => {
				near(krippendorffAlpha(ratings, { level }).value, alphaByPairs(ratings, level));
				near(krippendorffAlpha([...ratings].reverse(), { level }).value, alphaByPairs(ratings, level));
			}),
			{ numRuns: 60 },
		);
	});

	test("spearman only sees the order, pearson any line", () => {
		fc.assert(
			fc.property(pairs(2), (rows) => {
				const [a, b] = columns(rows);
				near(spearman(a.map(Math.exp), b).value, spearman(a, b).value);
				near(
					pearson(
						a.map((value) => 3 * value - 100),
						b,
					).value,
					pearson(a, b).value,
				);
			}),
		);
	});

	test("limits of agreement turn with the sides", () => {
		fc.assert(
			fc.property(pairs(2), (rows) => {
				const [a, b] = columns(rows);
				const [one, other] = [blandAltman(a, b), blandAltman(b, a)];
				near(one.value, -(other.value ?? 0));
				near(one.halfWidth, other.halfWidth);
				near(one.low, -(other.high ?? 0));
			}),
		);
	});
});

/** Krippendorff's definition, pair by pair, with the ordinal difference summed over the ranks between. */
function alphaByPairs(ratings: (number | null)[][], level: "nominal" | "ordinal" | "interval"): number | null {
	const items = (ratings[0] ?? []).map((_, item) => ratings.flatMap((row) => row[item] ?? []));
	const kept = items.filter((item) => item.length > 1);
	const all = kept.flat();
	const count = (label: number) => all.filter((one) => one === label).length;
	const between = (a: number, b: number) => {
		const [low, high] = [Math.min(a, b), Math.max(a, b)];
		let ranks = -(count(low) + count(high)) / 2;
		for (let label = low; label <= high; label++) ranks += count(label);
		return ranks;
	};
	const difference = (a: number, b: number) => {
		if (a === b) return 0;
		return level === "nominal" ? 1 : (level === "ordinal" ? between(a, b) : a - b) ** 2;
	};
	const sum = (values: number[]) =>
		values.reduce(
			(total, a, i) => total + values.reduce((part, b, j) => (i === j ? part : part + difference(a, b)), 0),
			0,
		);
	const seen = kept.reduce((total, item) => total + sum(item) / (item.length - 1), 0) / all.length;
	const expected = sum(all) / (all.length * (all.length - 1));
	return expected > 0 ? 1 - seen / expected : null;
}
