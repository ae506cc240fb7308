import fc from "fast-check";
import { expect, test } from "vitest";
import { maximumWeightMatching, metrics } from "#scoring";

const measure = (name: string, input: object) => metrics[name]?.measure(input).result;
const soft = (gold: string[][], steps: string[][], similarity: number[][], tau: number) =>
	measure("soft-hps", { gold, steps, similarity, tau });

const id = fc.constantFrom("a", "b", "c", "d");
const lists = fc.array(fc.array(id, { maxLength: 2 }), { maxLength: 5 });
const cosine = fc.double({ min: -1, max: 1, noNaN: true });
/** Gold, steps and a table that fits them. */
const chains = fc.tuple(lists, lists).chain(([gold, steps]) =>
	fc.record({
		gold: fc.constant(gold),
		steps: fc.constant(steps),
		similarity: fc.array(fc.array(cosine, { minLength: steps.length, maxLength: steps.length }), {
			minLength: gold.length,
			maxLength: gold.length,
		}),
	}),
);

test("similar evidence counts from tau on", () => {
	const [gold, steps, similarity] = [
		[["a"], ["b"]],
		[["a"], ["c"]],
		[
			[1, 0.2],
			[0.3, 0.91],
		],
	];
	expect(soft(gold, steps, similarity, 1)).toMatchObject({ value: 0.5, hits: 1, gold: 2 });
	expect(soft(gold, steps, similarity, 0.95)?.value).toBe(0.5);
	expect(soft(gold, steps, similarity, 0.91)?.value).toBe(1);
});

test("the same evidence counts whatever the table says; at tau 1 a copy under another id does not", () => {
	expect(soft([["a"]], [["a"]], [[0.1]], 0.9)?.value).toBe(1);
	expect(soft([["a"]], [["copy"]], [[1]], 1)?.value).toBe(0);
	expect(soft([["a"]], [["copy"]], [[1]], 0.999)?.value).toBe(1);
});

test("hops without evidence do not count, even where the table has a similarity for them", () => {
	expect(soft([[], ["b"]], [["x"]], [[1], [0]], 0.5)?.value).toBe(0);
	expect(soft([[]], [["x"]], [[1]], 0.5)).toMatchObject({
		value: null,
		reason: expect.stringContaining("no gold hop"),
	});
	expect(soft([["a"]], [], [[]], 0.5)?.value).toBe(0);
	expect(soft([["a"]], [["a"]], [[1, 1]], 0.5)?.reason).toContain("similarity");
});

test("at tau 1 soft HPS is HPS, and it never rises with tau", () => {
	fc.assert(
		fc.property(
			chains,
			fc.double({ min: 0, max: 1, noNaN: true }),
			fc.double({ min: 0, max: 1, noNaN: true }),
			(chain, s, t) => {
				const at = (tau: number) => measure("soft-hps", { ...chain, tau })?.value ?? null;
				const { gold, steps } = chain;
				expect(at(1)).toBe(measure("hps", { gold, steps })?.value);
				if (at(1) === null) return;
				expect(Number(at(Math.min(s, t)))).toBeGreaterThanOrEqual(Number(at(Math.max(s, t))));
			},
		),
		{ numRuns: 300 },
	);
});

/** The best total by trying every pairing. */
function bruteForce(weights: number[][], from = 0, used = new Set<number>()): number {
	const row = weights[from];
	if (!row) return 0;
	return row.reduce(
		(best, weight, column) =>
			used.has(column) ? best : Math.max(best, weight + bruteForce(weights, from + 1, new Set([...used, column]))),
		bruteForce(weights, from + 1, used),
	);
}

interface Pair {
	hop: number;
	step: number;
	weight: number;
}
const align = (weights: number[][]) => {
	const result = measure("alignment", { weights });
	return { value: Number(result?.value), pairs: result?.pairs as Pair[] };
};
const tables = fc.tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 5 })).chain(([rows, columns]) =>
	fc.array(
		// many zeros and equal weights, where a wrong method shows
		fc.array(fc.oneof(fc.constantFrom(0, 0.5, 1), fc.double({ min: 0, max: 1, noNaN: true })), {
			minLength: columns,
			maxLength: columns,
		}),
		{ minLength: rows, maxLength: rows },
	),
);

test("alignment by hand: the greedy pair is not the best", () => {
	expect(
		align([
			[0.9, 0.8, 0],
			[0.9, 0.1, 0.2],
		]),
	).toEqual({
		value: 1.7000000000000002,
		pairs: [
			{ hop: 0, step: 1, weight: 0.8 },
			{ hop: 1, step: 0, weight: 0.9 },
		],
	});
	expect(
		align([
			[0, 0],
			[0, 0],
		]),
	).toEqual({ value: 0, pairs: [] });
	expect(align([])).toEqual({ value: 0, pairs: [] });
});

test("no pairing is better, none uses a hop or a step twice, and pairs of weight 0 stay out", () => {
	fc.assert(
		fc.property(tables, (weights) => {
			const { value, pairs } = align(weights);
			expect(value).toBeCloseTo(bruteForce(weights), 9);
			expect(new Set(pairs.map(({ hop }) => hop)).size).toBe(pairs.length);
			expect(new Set(pairs.map(({ step }) => step)).size).toBe(pairs.length);
			for (const { hop, step, weight } of pairs) expect(weights[hop]?.[step]).toBe(weight);
			expect(pairs.every(({ weight }) => weight > 0)).toBe(true);
			expect(pairs.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(value, 12);
		}),
		{ numRuns: 500 },
	);
});

test("the total does not depend on the order of hops or steps, or on which side is which", () => {
	fc.assert(
		fc.property(tables, (weights) => {
			const { value } = align(weights);
			expect(align([...weights].reverse()).value).toBeCloseTo(value, 12);
			const turned = (weights[0] ?? []).map((_, column) => weights.map((row) => row[column] ?? 0));
			expect(align(turned).value).toBeCloseTo(value, 12);
		}),
	);
});

test("weights of 0 and 1 give the size of a maximum matching, as HPS finds it", () => {
	fc.assert(
		fc.property(chains, ({ gold, steps }) => {
			const weights = gold.map((evidence) => steps.map((ids) => (evidence.some((each) => ids.includes(each)) ? 1 : 0)));
			expect(align(weights).value).toBe(measure("hps", { gold, steps })?.hits);
		}),
	);
});

test("rows of different lengths are short of weights, not of sense", () => {
	expect(maximumWeightMatching([[1], [0.5, 0.25]])).toEqual({
		total: 1.25,
		pairs: [
			{ row: 0, column: 0, weight: 1 },
			{ row: 1, column: 1, weight: 0.25 },
		],
	});
	expect(measure("alignment", { weights: [[1], [0.5, 0.25]] })?.reason).toContain("weights");
});

test("200 x 200 takes moments", () => {
	const weights = Array.from({ length: 200 }, (_, row) =>
		Array.from({ length: 200 }, (_, column) => ((row * 7919 + column * 104_729) % 1009) / 1009),
	);
	const start = process.cpuUsage();
	// scipy 1.17.1, optimize.linear_sum_assignment(maximize=True)
	expect(align(weights).value).toBeCloseTo(196.90089197224975, 9);
	expect(process.cpuUsage(start).user / 1000).toBeLessThan(5000);
});
