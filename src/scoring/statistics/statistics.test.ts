import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { interval } from "#scoring";
import { longTest } from "../../../test/long.ts";
import { seededRandom } from "./random.ts";
import { ratioInterval } from "./ratio-interval.ts";
import { studentQuantile } from "./student-t.ts";

test.each([
	[0.975, 1, 12.7062047362],
	[0.975, 2, 4.3026527297],
	[0.975, 5, 2.5705818356],
	[0.975, 10, 2.228138852],
	[0.975, 30, 2.0422724563],
	[0.975, 120, 1.9799304051],
	[0.975, 1000, 1.9623390808],
	[0.995, 4, 4.6040948713],
	[0.95, 7, 1.8945786051],
	[0.025, 10, -2.228138852],
	[0.9, 1, 3.0776835372],
])("the %d quantile of t with %d degrees of freedom is %d", (probability, freedom, expected) => {
	expect(studentQuantile(probability, freedom)).toBeCloseTo(expected, 8);
});

test("the two ways of finding the quantile meet at 1,000 degrees", () => {
	expect(Math.abs(studentQuantile(0.975, 999.999) - studentQuantile(0.975, 1000))).toBeLessThan(1e-8);
});

describe("interval", () => {
	test("few independent binary outcomes: Wilson", () => {
		const { value, low, high, n, method } = interval([1, 1, 1, 1, 1, 1, 1, 0, 0, 0]);
		expect([value, n, method]).toEqual([0.7, 10, "wilson"]);
		expect(low).toBeCloseTo(0.3968, 4);
		expect(high).toBeCloseTo(0.8922, 4);
	});
	test("all outcomes equal: Wilson, over the clusters", () => {
		expect(interval([1, 1, 1, 1, 1]).low).toBeCloseTo(0.5655, 4);
		const many = interval(Array.from({ length: 400 }, () => 1));
		expect([many.method, many.high]).toEqual(["wilson", 1]);
		expect(many.low).toBeCloseTo(0.9905, 4);
		// two clusters of two: n_e = 4 / 2 * 1/2 = 1
		expect(interval([1, 1, 1, 1], { clusters: ["a", "a", "b", "b"] }).low).toBeCloseTo(0.2065493144, 8);
	});
	test("counts are no outcomes, though all be 0 or 1: equal ones have a spread nobody saw, and the interval says so", () => {
		expect(interval([1, 1, 1, 1], { share: false })).toMatchObject({ value: 1, low: 1, high: 1, method: "t" });
		expect(interval([1, 1, 1, 1], { share: false }).reason).toContain("no spread");
		expect(interval([0, 1, 0, 1], { share: false }).method).toBe("t");
		expect(interval([0.1, 0.1, 0.1])).toMatchObject({ low: 0.1, high: 0.1, reason: expect.any(String) });
		expect(interval([0], { share: false })).toMatchObject({ value: 0, low: null, high: null });
	});
	test("independent values: t", () => {
		const { value, low, high, method } = interval([1, 2, 3, 4, 5]);
		expect([value, method]).toEqual([3, "t"]);
		expect(Number(high) - 3).toBeCloseTo(1.9632432, 6);
		expect(3 - Number(low)).toBeCloseTo(1.9632432, 6);
	});
	test("clusters of unbounded values: SE^2 = C/(C-1) * sum of squared cluster sums / n^2", () => {
		// deviations from the mean 1: a sums to 2, b to 0, c to -2; SE^2 = 3/2 * 8 / 36
		const found = interval([2, 2, 2, 0, 0, 0], { clusters: ["a", "a", "b", "b", "c", "c"] });
		expect(found).toMatchObject({ value: 1, n: 6, groups: 3, method: "clustered-t" });
		expect(Number(found.high) - 1).toBeCloseTo(4.3026527297 * Math.sqrt(1 / 3), 8);
	});
	test("a rare outcome: the exact one-sided bound where Wilson's is too near", () => {
		const outcomes = (right: number, of: number) => Array.from({ length: of }, (_, at) => (at < right ? 1 : 0));
		// 1 - (1 - 0.077)^(1/20); Wilson's own bound would be 0.0089
		expect(interval(outcomes(1, 20)).low).toBeCloseTo(1 - 0.923 ** (1 / 20), 10);
		expect(interval(outcomes(19, 20)).high).toBeCloseTo(0.923 ** (1 / 20), 10);
		const { low, high } = interval(outcomes(113, 115));
		expect(low).toBeCloseTo(0.9387998333, 8);
		expect(high).toBeCloseTo(0.9960303732, 8);
	});
	/** Clusters of outcomes, written as digits. */
	const clustered = (...groups: (string | number[])[]) => {
		const members = groups.flatMap((group, at) =>
			[...group].map((value) => ({ value: Number(value), cluster: `${at}` })),
		);
		return { values: members.map(({ value }) => value), clusters: members.map(({ cluster }) => cluster) };
	};
	// computed apart in Python: analysis of variance over cell means, the exact bound by Simpson's rule
	test.each([
		{ groups: ["11", "10", "00"], value: 0.5, low: 0.1158593044, high: 0.8841406956 },
		{ groups: ["10", "1", "1"], value: 0.75, low: 0.29297106, high: 0.9559854463 },
		{
			groups: [...Array.from({ length: 17 }, () => "11111"), "11100", "11110", "00111"],
			...{ value: 0.95, low: 0.8443352699, high: 0.9870187896 },
		},
		{
			groups: ["1111111", "0", "10", "1111", "000", "1", "11011", "111", "01", "111111", "110"],
			...{ value: 29 / 37, low: 0.509502615, high: 0.9267423928 },
		},
	])("clusters of outcomes: Wilson on the effective number, $groups", ({ groups, value, low, high }) => {
		const { values, clusters } = clustered(...groups);
		const found = interval(values, { clusters });
		expect(found).toMatchObject({ groups: groups.length, method: "clustered-wilson" });
		expect(found.value).toBeCloseTo(value, 12);
		expect(found.low).toBeCloseTo(low, 8);
		expect(found.high).toBeCloseTo(high, 8);
	});
	test("shares between 0 and 1 stay there, where it is said that they are shares", () => {
		const values = [0.5, 1, 1, 0.75, 1, 1, 1, 0.25, 1, 1, 1, 1];
		const found = interval(values, { share: true });
		expect(found.method).toBe("wilson");
		expect(found.low).toBeCloseTo(0.6344793073, 8);
		expect(found.high).toBeCloseTo(0.9722204405, 8);
		expect(interval(values).method).toBe("t");
		const pairs = clustered([0.5, 0.5], [1, 1], [0.75, 1], [1, 0.25], [1, 1, 1], [1, 1]);
		const together = interval(pairs.values, { clusters: pairs.clusters, share: true });
		expect(together.low).toBeCloseTo(0.5549533063, 8);
		expect(together.high).toBeCloseTo(0.9604102927, 8);
		expect(interval([0.5, 1.5, 1], { share: true }).method).toBe("t");
		expect(interval([0.4, 0.4], { share: true })).toMatchObject({ low: 0.4, high: 0.4, reason: expect.any(String) });
	});
	test("never leaves [0, 1], and holds its value, whatever the outcomes and clusters", () => {
		const pair = fc.tuple(fc.constantFrom(0, 1), fc.constantFrom("a", "b", "c", "d", "e"));
		fc.assert(
			fc.property(fc.array(pair, { minLength: 1, maxLength: 60 }), (pairs) => {
				const { value, low, high, reason } = interval(
					pairs.map(([each]) => each),
					{ clusters: pairs.map(([, cluster]) => cluster) },
				);
				if (low === null || high === null) expect(reason).toContain("one cluster");
				else {
					expect(low).toBeGreaterThanOrEqual(0);
					expect(high).toBeLessThanOrEqual(1);
					expect(low).toBeLessThanOrEqual(Number(value));
					expect(high).toBeGreaterThanOrEqual(Number(value));
					expect(high).toBeGreaterThan(low);
				}
			}),
		);
	});
	test("what clusters agree on widens, and mirrors: right and wrong change sides", () => {
		const outcomes = "1111011101101111101111111".split("").map(Number);
		const clusters = outcomes.map((_, at) => `${Math.floor(at / 5)}`);
		const one = interval(outcomes, { clusters });
		const other = interval(
			outcomes.map((each) => 1 - each),
			{ clusters },
		);
		expect(other.low).toBeCloseTo(1 - Number(one.high), 10);
		expect(other.high).toBeCloseTo(1 - Number(one.low), 10);
		const sorted = [...outcomes].sort();
		expect(Number(interval(sorted, { clusters }).low)).toBeLessThan(Number(one.low));
	});
	test("too little for an interval", () => {
		expect(interval([])).toMatchObject({ value: null, low: null, n: 0, reason: "no values" });
		expect(interval([0.4])).toMatchObject({ value: 0.4, low: null, high: null, n: 1, reason: expect.any(String) });
		expect(interval([1])).toMatchObject({ value: 1, high: 1, method: "wilson" });
		expect(interval([0, 1], { clusters: ["a", "a"] })).toMatchObject({ value: 0.5, low: null });
		expect(interval([1e308, 1e308])).toMatchObject({ value: null });
	});
	test("holds the mean, whatever the values and clusters", () => {
		const value = fc.oneof(fc.constantFrom(0, 1), fc.double({ min: -1e6, max: 1e6, noNaN: true }));
		const pair = fc.tuple(value, fc.constantFrom("a", "b", "c", "d"));
		fc.assert(
			fc.property(fc.array(pair, { maxLength: 20 }), fc.boolean(), (pairs, clustered) => {
				const options = clustered ? { clusters: pairs.map(([, cluster]) => cluster) } : {};
				const found = interval(
					pairs.map(([each]) => each),
					options,
				);
				if (found.low === null || found.high === null) expect(found.reason).toBeTruthy();
				else {
					expect(found.low).toBeLessThanOrEqual(Number(found.value));
					expect(found.high).toBeGreaterThanOrEqual(Number(found.value));
				}
			}),
		);
	});
	longTest("covers the truth about 19 times in 20, with clusters and without", () => {
		const random = seededRandom(7);
		const covers = (clusters: number, size: number, shared: number) => {
			const rounds = 2000;
			let covered = 0;
			for (let round = 0; round < rounds; round++) {
				const values: number[] = [];
				const names: string[] = [];
				for (let cluster = 0; cluster < clusters; cluster++) {
					const common = random();
					for (let member = 0; member < size; member++) {
						// each copies its cluster's luck with probability sqrt(shared): correlation `shared` within
						const luck = random() < Math.sqrt(shared) ? common : random();
						values.push(luck < 0.6 ? 1 : 0);
						names.push(String(cluster));
					}
				}
				const { low, high } = interval(values, size > 1 ? { clusters: names } : {});
				if (Number(low) <= 0.6 && Number(high) >= 0.6) covered += 1;
			}
			return covered / rounds;
		};
		for (const coverage of [covers(20, 5, 0.3), covers(60, 5, 0.3), covers(50, 1, 0), covers(200, 1, 0)]) {
			expect(coverage).toBeGreaterThan(0.925);
			expect(coverage).toBeLessThan(0.975);
		}
	});
});

describe("ratio interval", () => {
	const parts = (count: number) => {
		const random = seededRandom(3);
		return Array.from({ length: count }, (_, index) => {
			const denominator = 1 + Math.floor(random() * 4);
			const numerator = Array.from({ length: denominator }).filter(() => random() < 0.7).length;
			return { numerator, denominator, cluster: `c${index}` };
		});
	};
	longTest("bootstrap and delta method agree where they meet, and the seed fixes the draws", () => {
		const resampled = ratioInterval(parts(1000), { share: false });
		const delta = ratioInterval(parts(1001), { share: false });
		expect([resampled.method, delta.method]).toEqual(["cluster-bootstrap", "clustered-delta"]);
		expect(Math.abs(Number(resampled.low) - Number(delta.low))).toBeLessThan(0.004);
		expect(Math.abs(Number(resampled.high) - Number(delta.high))).toBeLessThan(0.004);
		expect(ratioInterval(parts(1000), { share: false })).toEqual(resampled);
	});
	test("a share of whole things is that of so many outcomes, those of a task and its cluster together", () => {
		const found = ratioInterval([
			{ numerator: 1, denominator: 2, cluster: "a" },
			{ numerator: 1, denominator: 1, cluster: "b" },
			{ numerator: 1, denominator: 1, cluster: "c" },
		]);
		const outcomes = interval([1, 0, 1, 1], { clusters: ["a", "a", "b", "c"] });
		expect(found).toMatchObject({
			value: 0.75,
			low: outcomes.low,
			high: outcomes.high,
			method: "clustered-wilson",
			n: 3,
		});
		const broken = ratioInterval(
			["a", "b", "c"].map((cluster, at) => ({ numerator: at / 4, denominator: 0.5, cluster })),
		);
		expect(broken.method).not.toBe("clustered-wilson");
		expect(Number(broken.low)).toBeGreaterThanOrEqual(0);
	});
	test("nothing, one cluster, and all covered", () => {
		expect(ratioInterval([])).toMatchObject({ value: null, reason: "nothing to cover" });
		expect(ratioInterval([{ numerator: 1, denominator: 2, cluster: "a" }])).toMatchObject({ value: 0.5, low: null });
		const all = ["a", "b", "c", "d", "e"].map((cluster) => ({ numerator: 2, denominator: 2, cluster }));
		expect(ratioInterval(all)).toMatchObject({ value: 1, high: 1, method: "clustered-wilson" });
	});
});
