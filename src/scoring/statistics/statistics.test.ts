import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { interval } from "#scoring";
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
		expect(interval([1, 1, 1, 1], { clusters: ["a", "a", "b", "b"] }).low).toBeCloseTo(0.3424, 4);
	});
	test("counts are no outcomes, though all be 0 or 1: equal ones have a spread nobody saw, and the interval says so", () => {
		expect(interval([1, 1, 1, 1], { binary: false })).toMatchObject({ value: 1, low: 1, high: 1, method: "t" });
		expect(interval([1, 1, 1, 1], { binary: false }).reason).toContain("no spread");
		expect(interval([0, 1, 0, 1], { binary: false }).method).toBe("t");
		expect(interval([0.1, 0.1, 0.1])).toMatchObject({ low: 0.1, high: 0.1, reason: expect.any(String) });
		expect(interval([0], { binary: false })).toMatchObject({ value: 0, low: null, high: null });
	});
	test("independent values: t", () => {
		const { value, low, high, method } = interval([1, 2, 3, 4, 5]);
		expect([value, method]).toEqual([3, "t"]);
		expect(Number(high) - 3).toBeCloseTo(1.9632432, 6);
		expect(3 - Number(low)).toBeCloseTo(1.9632432, 6);
	});
	test("clusters: SE^2 = C/(C-1) * sum of squared cluster sums / n^2", () => {
		// deviations from the mean 0.5: a sums to 1, b to 0, c to -1; SE^2 = 3/2 * 2 / 36
		const found = interval([1, 1, 1, 0, 0, 0], { clusters: ["a", "a", "b", "b", "c", "c"] });
		expect(found).toMatchObject({ value: 0.5, n: 6, groups: 3, method: "clustered-t" });
		expect(Number(found.high) - 0.5).toBeCloseTo(4.3026527297 * Math.sqrt(3 / 36), 8);
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
	test("covers the truth about 19 times in 20, with clusters and without", () => {
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
	test("bootstrap and delta method agree where they meet, and the seed fixes the draws", () => {
		const resampled = ratioInterval(parts(1000));
		const delta = ratioInterval(parts(1001));
		expect([resampled.method, delta.method]).toEqual(["cluster-bootstrap", "clustered-delta"]);
		expect(Math.abs(Number(resampled.low) - Number(delta.low))).toBeLessThan(0.004);
		expect(Math.abs(Number(resampled.high) - Number(delta.high))).toBeLessThan(0.004);
		expect(ratioInterval(parts(1000))).toEqual(resampled);
	});
	test("nothing, one cluster, and all covered", () => {
		expect(ratioInterval([])).toMatchObject({ value: null, reason: "nothing to cover" });
		expect(ratioInterval([{ numerator: 1, denominator: 2, cluster: "a" }])).toMatchObject({ value: 0.5, low: null });
		const all = ["a", "b", "c", "d", "e"].map((cluster) => ({ numerator: 2, denominator: 2, cluster }));
		expect(ratioInterval(all)).toMatchObject({ value: 1, high: 1, method: "wilson" });
	});
});
