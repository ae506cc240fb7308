import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { benjaminiHochberg, holm, interval, metrics, paired } from "#scoring";
import { longTest } from "../../../test/long.ts";
import { intraclass } from "./intraclass.ts";
import { mcnemar } from "./mcnemar.ts";
import { seededRandom } from "./random.ts";
import { ratioInterval } from "./ratio-interval.ts";
import { signFlip } from "./sign-flip.ts";
import { wilson } from "./wilson.ts";

// expected values without another source named: scipy 1.17, statsmodels 0.15

const measure = (name: string, input: unknown): Record<string, unknown> => ({
	...metrics[name]?.measure(input).result,
});

const a = [1, 0.5, 0.25, 1, 0, 0.75, 1, 0.5, 0.3, 0.9, 0.1, 1];
const b = [0.5, 0.5, 0.5, 0, 0, 0.25, 1, 0.25, 0.1, 1, 0.3, 0.6];
const clusters = ["a", "a", "a", "b", "b", "c", "c", "d", "e", "e", "e", "e"];

describe("paired difference", () => {
	test("of independent tasks: scipy's ttest_rel, pearsonr and exact permutation_test", () => {
		const found = paired(a, b);
		expect(found.low).toBeCloseTo(-0.037752638932113586, 10);
		expect(found.high).toBeCloseTo(0.421085972265447, 10);
		expect(found.p).toBeCloseTo(0.09765625, 12);
		expect(found.correlation).toBeCloseTo(0.49967884035262444, 10);
		expect(found).toMatchObject({ n: 12, groups: 12, method: "t", test: "sign-flip", wins: 6, ties: 3, losses: 3 });
	});
	test("of clusters: the clustered error with C/(C-1), all 32 sign patterns, t on C-1 degrees", () => {
		const found = paired(a, b, { clusters });
		const error = 0.07909505776962457;
		expect(found.value).toBeCloseTo(0.19166666666666668, 12);
		expect(Number(found.high) - Number(found.value)).toBeCloseTo(2.7764451051977934 * error, 10);
		expect(found.p).toBe(0.0625);
		expect(found.detectable).toBeCloseTo((2.7764451051977934 + 0.9409645772351816) * error, 10);
		expect(found).toMatchObject({ groups: 5, method: "clustered-t" });
	});
	test("of independent outcomes: exact McNemar; of clustered ones: sign flips", () => {
		const right = [1, 1, 1, 1, 1, 0, 0, 1];
		const wrong = [0, 0, 0, 0, 0, 0, 0, 1];
		expect(paired(right, wrong)).toMatchObject({ test: "mcnemar", p: 0.0625, wins: 5, ties: 3, losses: 0 });
		expect(paired(right, wrong, { clusters: [..."aabbccdd"] })).toMatchObject({ test: "sign-flip", p: 0.25 });
	});
	test("too little to compare", () => {
		expect(paired([], [])).toMatchObject({ value: null, p: null, test: "none", reason: "no pairs" });
		expect(paired([1], [0.5])).toMatchObject({ value: 0.5, low: null, p: null, method: "none" });
		expect(paired([1, 0], [0, 0], { clusters: ["a", "a"] })).toMatchObject({ value: 0.5, low: null, p: null });
		expect(paired([0.5, 0.5], [0.5, 0.5])).toMatchObject({ value: 0, low: 0, high: 0, p: 1, detectable: null });
		expect(paired([1], [1, 2]).value).toBeNull();
		expect(paired([1e308, 1], [-1e308, 1]).value).toBeNull();
		expect(measure("paired", { a: [1], b: [] })).toMatchObject({ value: null, is: "unscored" });
	});
	test("the same repeats averaged in another order are a tie", () => {
		expect(paired([(0.1 + 0.2 + 0.3) / 3, 1], [(0.3 + 0.2 + 0.1) / 3, 0])).toMatchObject({ ties: 1, wins: 1 });
	});
	test("weights make it a difference of ratios, with the ratio's delta error", () => {
		const weights = [2, 2, 1, 4, 3, 4];
		const zero = weights.map(() => 0);
		const found = paired([1, 0.5, 0, 0.75, 2 / 3, 1], zero, { weights, clusters: [..."aabcdd"] });
		// statsmodels WLS with cluster-robust errors on the same ratio
		expect(found.value).toBeCloseTo(0.75, 12);
		expect(Number(found.high) - 0.75).toBeCloseTo(3.182446305284263 * 0.07654655, 6);
	});

	const values = fc.array(
		fc.record({
			x: fc.double({ min: 0, max: 1, noNaN: true }),
			y: fc.constantFrom(0, 0.25, 1),
			cluster: fc.constantFrom(..."abcd"),
		}),
		{ minLength: 2, maxLength: 14 },
	);
	const ask = (rows: { x: number; y: number; cluster: string }[], flipped = false) => {
		const [one, other] = [rows.map(({ x }) => x), rows.map(({ y }) => y)];
		const options = { clusters: rows.map(({ cluster }) => cluster) };
		return flipped ? paired(other, one, options) : paired(one, other, options);
	};
	test("turned round it is its own mirror; the order and names of clusters do not matter; it holds its value", () => {
		fc.assert(
			fc.property(values, (rows) => {
				const found = ask(rows);
				const mirrored = ask(rows, true);
				const renamed = ask([...rows].reverse().map((row) => ({ ...row, cluster: `cluster ${row.cluster}` })));
				expect(Number(mirrored.value)).toBeCloseTo(-Number(found.value), 12);
				expect(mirrored).toMatchObject({ wins: found.losses, losses: found.wins, ties: found.ties });
				for (const other of [mirrored, renamed]) expect(Number(other.p)).toBeCloseTo(Number(found.p), 12);
				expect(Number(renamed.low)).toBeCloseTo(Number(found.low), 10);
				if (found.p !== null) expect(found.p > 0 && found.p <= 1).toBe(true);
				if (found.low !== null && found.high !== null) {
					expect(found.low).toBeLessThanOrEqual(Number(found.value));
					expect(found.high).toBeGreaterThanOrEqual(Number(found.value));
				}
			}),
		);
	});
	test("against nothing it is the interval of the values", () => {
		const zero = a.map(() => 0);
		const { value, low, high } = interval(a, { clusters });
		expect(paired(a, zero, { clusters })).toMatchObject({ value, low, high });
	});
});

describe("McNemar", () => {
	test.each([
		[10, 2, 0.03857421875],
		[5, 0, 0.0625],
		[0, 1, 1],
		[7, 7, 1],
		[3, 4, 1],
		[30, 15, 0.035697803555194696],
		[520, 430, 0.0038597074976553887],
		[100_000, 99_000, 0.025127217688360817],
	])("%d wins against %d losses: p %d", (wins, losses, p) => {
		expect(mcnemar(wins, losses)).toBeCloseTo(p, 9);
		expect(mcnemar(losses, wins)).toBe(mcnemar(wins, losses));
		expect(measure("mcnemar", { b: wins, c: losses }).value).toBe(mcnemar(wins, losses));
	});
	test("is the sign flip of single differences", () => {
		for (let wins = 0; wins <= 8; wins++)
			for (let losses = 0; losses <= 8; losses++) {
				const sums = Float64Array.from({ length: wins + losses }, (_, at) => (at < wins ? 1 : -1));
				expect(signFlip(sums)).toBeCloseTo(mcnemar(wins, losses), 12);
			}
	});
});

describe("sign flips", () => {
	test("count all patterns, as brute force does", () => {
		fc.assert(
			fc.property(fc.array(fc.integer({ min: -4, max: 4 }), { maxLength: 9 }), (sums) => {
				const seen = Math.abs(sums.reduce((sum, each) => sum + each, 0));
				let hits = 0;
				for (let pattern = 0; pattern < 2 ** sums.length; pattern++) {
					const total = sums.reduce((sum, each, at) => sum + ((pattern >> at) & 1 ? each : -each), 0);
					if (Math.abs(total) >= seen) hits += 1;
				}
				expect(signFlip(Float64Array.from(sums))).toBeCloseTo(hits / 2 ** sums.length, 12);
			}),
		);
	});
	test("drawn, they agree with McNemar; the seed fixes them; p is never 0", () => {
		const sums = Float64Array.from({ length: 100 }, (_, at) => (at < 60 ? 1 : -1));
		expect(Math.abs(signFlip(sums) - mcnemar(60, 40))).toBeLessThan(0.01);
		expect(signFlip(sums, { seed: 5 })).toBe(signFlip(sums, { seed: 5 }));
		expect(signFlip(new Float64Array(60).fill(1))).toBeCloseTo(1 / 10_001, 12);
	});
	test("beyond 10,000 clusters the limit agrees with McNemar", () => {
		const sums = Float64Array.from({ length: 20_001 }, (_, at) => (at < 10_150 ? 1 : -1));
		expect(Math.abs(signFlip(sums) - mcnemar(10_150, 9851))).toBeLessThan(0.002);
	});
});

test("sign flips: many tests to correct for take more draws, so that a sure difference survives", () => {
	const sums = new Float64Array(60).fill(1);
	expect(300 * signFlip(sums)).toBeGreaterThan(0.02);
	expect(1000 * signFlip(sums)).toBeGreaterThan(0.05);
	expect(1000 * signFlip(sums, { tests: 1000 })).toBeCloseTo(1000 / 25_001, 12);
});

test("what rounding leaves of values that cancel out is neither a spread nor a difference", () => {
	// 0.1 + 0.2 - 0.3 is 5.6e-17 in every cluster
	const a = Array.from({ length: 20 }, () => [0.1, 0.2, 0]).flat();
	const b = Array.from({ length: 20 }, () => [0, 0, 0.3]).flat();
	const clusters = a.map((_, at) => `${Math.floor(at / 3)}`);
	const difference = paired(a, b, { clusters });
	expect(difference).toMatchObject({ p: 1, detectable: null, reason: expect.stringContaining("no spread") });
	expect(difference.value).toBeCloseTo(0, 12);
	expect(interval([0.1, 0.3, 0.2, 0.7, -0.3], { clusters: [..."aabcc"] })).toMatchObject({
		reason: "no spread was seen, so the width is unknown",
	});
});

describe("many comparisons", () => {
	const p = [0.01, 0.04, 0.03, 0.005, 0.8, 0.04, 1, 0];
	test("adjusted as statsmodels multipletests does", () => {
		const close = (found: unknown, expected: number[]) =>
			expect((found as number[]).map((each) => each.toFixed(10))).toEqual(expected.map((each) => each.toFixed(10)));
		close(holm(p), [0.06, 0.16, 0.15, 0.035, 1, 0.16, 1, 0]);
		close(benjaminiHochberg(p), [0.8 / 30, 0.16 / 3, 0.16 / 3, 0.02, 6.4 / 7, 0.16 / 3, 1, 0]);
		expect(measure("holm", { p }).value).toEqual(holm(p));
		expect(measure("benjamini-hochberg", { p }).value).toEqual(benjaminiHochberg(p));
		expect(measure("holm", { p: [] }).value).toEqual([]);
	});
	test("keep the order of the p-values, stay above them and below 1; Holm is the stricter; order does not matter", () => {
		const ps = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 });
		fc.assert(
			fc.property(ps, (list) => {
				const [strict, loose] = [holm(list), benjaminiHochberg(list)];
				const turned = holm([...list].reverse()).reverse();
				for (const [at, each] of list.entries()) {
					expect(strict[at]).toBeGreaterThanOrEqual((loose[at] ?? 2) - 1e-12);
					expect(loose[at]).toBeGreaterThanOrEqual(each - 1e-12);
					expect(strict[at]).toBeLessThanOrEqual(1);
					expect(turned[at]).toBeCloseTo(strict[at] ?? 2, 12);
					for (const [other, p] of list.entries())
						if (p < each) expect(strict[other]).toBeLessThanOrEqual(strict[at] ?? 0);
				}
			}),
		);
	});
});

describe("power", () => {
	test("one sample's t test, as statsmodels TTestPower has it", () => {
		// 198.15 by the noncentral t; the approximation by two t quantiles differs in the fourth digit
		expect(measure("power", { sd: 1, effect: 0.2 }).value).toBe(199);
		expect(measure("power", { sd: 1, n: 50 }).value).toBeCloseTo(0.40418, 2);
		expect(Number(measure("power", { sd: 1, n: 60, effect: 0.3 }).power)).toBeCloseTo(0.62775, 2);
	});
	test("the n it asks for finds the effect, one less does not", () => {
		fc.assert(
			fc.property(fc.double({ min: 0.05, max: 3, noNaN: true }), (effect) => {
				const n = Number(measure("power", { sd: 1, effect }).value);
				expect(Number(measure("power", { sd: 1, n }).value)).toBeLessThanOrEqual(effect + 1e-9);
				if (n > 2) expect(Number(measure("power", { sd: 1, n: n - 1 }).value)).toBeGreaterThan(effect - 1e-9);
			}),
		);
	});
	test("clusters cost the design effect", () => {
		const single = Number(measure("power", { sd: 1, n: 1000 }).value);
		const grouped = Number(measure("power", { sd: 1, n: 1000, icc: 0.3, size: 5 }).value);
		expect(grouped / single).toBeCloseTo(Math.sqrt(2.2), 1);
	});
	test("from differences it is what `paired` can detect", () => {
		const differences = a.map((each, at) => each - (b[at] ?? 0));
		const { detectable } = paired(a, b, { clusters });
		expect(Number(measure("power", { values: differences, clusters }).value)).toBeCloseTo(Number(detectable), 12);
		expect(measure("power", { values: differences, clusters, effect: Number(detectable) }).value).toBe(12);
		for (const effect of [1e-9, 1e-300])
			expect(measure("power", { sd: 1, effect })).toMatchObject({
				value: null,
				reason: expect.stringContaining("more than"),
			});
		expect(measure("power", { values: [1, 1, 1] })).toMatchObject({ value: null, reason: "no spread was seen" });
	});
});

test("intraclass correlation: one-way analysis of variance", () => {
	const values = [1, 0, 1, 1, 0, 1, 0.5, 0.25, 1, 0, 0, 1];
	const found = intraclass(
		values,
		clusters.map((_, at) => "aaabbccdeeee"[at] ?? ""),
	);
	expect(found.value).toBeCloseTo(-0.5667486727955459, 10);
	expect(found.designEffect).toBeCloseTo(1 + (17 / 6) * -0.5667486727955459 + 0.5667486727955459, 10);
	expect(intraclass([1, 1, 0, 0], [..."aabb"])).toMatchObject({ value: 1, designEffect: 2 });
	expect(intraclass([1, 0, 1, 0], [..."aabb"]).value).toBeCloseTo(-1, 12);
	for (const scale of [1e-200, 1e200])
		expect(intraclass([1 * scale, 1 * scale, 3 * scale, 4 * scale], [..."aabb"]).value).toBeCloseTo(
			Number(intraclass([1, 1, 3, 4], [..."aabb"]).value),
			12,
		);
	for (const [list, names] of [
		[[1, 0], "aa"],
		[[1, 0], "ab"],
		[[1, 1, 1], "aab"],
		[[], ""],
	] as const)
		expect(intraclass(list, [...names])).toMatchObject({ value: null, reason: expect.any(String) });
});

describe("pass@k", () => {
	test("the unbiased estimator, by exact binomials", () => {
		expect(measure("pass-at-k", { n: 5, c: 2, k: 3 }).value).toBeCloseTo(0.9, 12);
		expect(measure("pass-at-k", { n: 200, c: 7, k: 10 }).value).toBeCloseTo(0.3055988116177335, 12);
		expect(measure("pass-at-k", { n: 200, c: 7, k: 3 }).all).toBeCloseTo(2.6648393482564338e-5, 15);
		expect(measure("pass-at-k", { n: 5, c: 0, k: 5 })).toMatchObject({ value: 0, all: 0 });
		expect(measure("pass-at-k", { n: 5, c: 5, k: 5 })).toMatchObject({ value: 1, all: 1 });
		expect(measure("pass-at-k", { n: 3, c: 1, k: 4 })).toMatchObject({ value: null, is: "unscored" });
		expect(measure("pass-at-k", { n: 3, c: 4, k: 1 })).toMatchObject({ value: null, is: "unscored" });
	});
	test("is the share of draws with a right attempt, and grows with k as pass^k falls", () => {
		fc.assert(
			fc.property(fc.integer({ min: 1, max: 9 }), fc.nat(9), (n, right) => {
				const c = Math.min(right, n);
				let before = { value: 0, all: 1 };
				for (let k = 1; k <= n; k++) {
					const found = measure("pass-at-k", { n, c, k });
					let [draws, some, all] = [0, 0, 0];
					for (let pattern = 0; pattern < 2 ** n; pattern++) {
						const drawn = Array.from({ length: n }, (_, at) => (pattern >> at) & 1);
						if (drawn.reduce((sum, each) => sum + each, 0) !== k) continue;
						const hits = drawn.slice(0, c).reduce((sum, each) => sum + each, 0);
						draws += 1;
						if (hits > 0) some += 1;
						if (hits === k) all += 1;
					}
					expect(found.value).toBeCloseTo(some / draws, 10);
					expect(found.all).toBeCloseTo(all / draws, 10);
					expect(Number(found.value)).toBeGreaterThanOrEqual(before.value - 1e-12);
					expect(Number(found.all)).toBeLessThanOrEqual(before.all + 1e-12);
					before = { value: Number(found.value), all: Number(found.all) };
				}
			}),
			{ numRuns: 25 },
		);
	});
});

describe("ratio", () => {
	test("its delta error is that of a weighted regression with cluster-robust errors", () => {
		const rows = Array.from({ length: 251 }).flatMap((_, copy) =>
			[2, 1, 0, 3, 2, 4].map((numerator, at) => ({
				numerator,
				denominator: [2, 2, 1, 4, 3, 4][at] ?? 0,
				cluster: `${copy} ${"aabcdd"[at]}`,
			})),
		);
		// the same four clusters 251 times: sqrt(3/4 C/(C-1) / 251) of the error of the four, by statsmodels WLS
		const error = 0.07654655 * Math.sqrt(((3 / 4) * (1004 / 1003)) / 251);
		const found = ratioInterval(rows, { share: false });
		expect(found).toMatchObject({ method: "clustered-delta", groups: 1004 });
		expect(found.value).toBeCloseTo(0.75, 12);
		expect(Number(found.high) - 0.75).toBeCloseTo(1.9623 * error, 6);
	});
	test("metric: shares stay in [0, 1], costs without a success count, zeros are unscored", () => {
		const numerators = [2, 1, 0, 3, 1, 4, 2, 1];
		const found = measure("ratio", { numerators, denominators: [2, 2, 1, 4, 4, 4, 3, 1] });
		expect(found).toMatchObject({ value: 14 / 21, method: "clustered-wilson", groups: 8 });
		expect(Number(found.high)).toBeLessThanOrEqual(1);
		expect(measure("ratio", { numerators: [3, 5], denominators: [1, 0] })).toMatchObject({ value: 8, n: 2 });
		expect(measure("ratio", { numerators: [3], denominators: [0] })).toMatchObject({ value: null, is: "unscored" });
		expect(measure("ratio", { numerators: [], denominators: [] })).toMatchObject({ value: null, is: "unscored" });
	});
	test("few clusters, nearly all covered: inside [0, 1]", () => {
		const found = measure("ratio", { numerators: [2, 2, 2, 1], denominators: [2, 2, 2, 2] });
		expect(found).toMatchObject({ value: 7 / 8, method: "clustered-wilson" });
		expect(Number(found.low)).toBeGreaterThan(0);
		expect(Number(found.high)).toBeLessThan(1);
	});
	test("holds its value and is the same whatever the order of the parts", () => {
		const part = fc
			.tuple(fc.nat(4), fc.nat(4), fc.constantFrom(..."abcdef"))
			.map(([x, y, cluster]) => ({ numerator: Math.min(x, y), denominator: Math.max(x, y), cluster }));
		fc.assert(
			fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
				const found = ratioInterval(parts, { resamples: 200 });
				if (found.value === null || found.low === null || found.high === null) {
					expect(found.reason).toEqual(expect.any(String));
					return;
				}
				expect(found.low).toBeLessThanOrEqual(found.value);
				expect(found.high).toBeGreaterThanOrEqual(found.value);
				expect(found.low).toBeGreaterThanOrEqual(0);
				expect(found.high).toBeLessThanOrEqual(1);
				expect(ratioInterval([...parts].reverse(), { resamples: 200 }).value).toBeCloseTo(found.value, 12);
			}),
		);
	});
});

test("Wilson's interval is statsmodels' proportion_confint, and below one outcome of many the exact bound", () => {
	for (const [right, n, low, high] of [
		[7, 10, 0.39677814746114537, 0.8922087325936989],
		[0, 5, 0, 0.43448246478317487],
		[50, 60, 0.7196838683638547, 0.9068682302080855],
		// one or more of 99 have a chance of 7.7 %
		[1, 99, 1 - 0.923 ** (1 / 99), 0.05501531464587295],
	] as const) {
		expect(wilson(right / n, n).low).toBeCloseTo(low, 10);
		expect(wilson(right / n, n).high).toBeCloseTo(high, 10);
	}
});

test("a clustered mean has the cluster-robust error of statsmodels' OLS", () => {
	const values = [1, 0, 1, 1, 0, 1, 0.5, 0.25, 1, 0, 0, 1];
	const found = interval(values, { clusters: [..."aaabbccdeeee"] });
	expect(found.low).toBeCloseTo(0.3960454, 6);
	expect(found.high).toBeCloseTo(0.7289546, 6);
});

longTest("large inputs: a million values, a hundred thousand clusters, ten million draws", () => {
	const random = seededRandom(1);
	const values = Array.from({ length: 1_000_000 }, random);
	const names = values.map((_, at) => `c${at % 100_000}`);
	const began = process.cpuUsage();
	expect(interval(values, { clusters: names }).groups).toBe(100_000);
	const parts = values.slice(0, 1000).map((value, at) => ({ numerator: value, denominator: 1, cluster: `${at}` }));
	expect(ratioInterval(parts, { share: false }).method).toBe("cluster-bootstrap");
	expect(process.cpuUsage(began).user / 1000).toBeLessThan(8000);
});
