import fc from "fast-check";
import { expect, test } from "vitest";
import { metrics } from "#scoring";

const hps = (gold: string[][], steps: string[][], more = {}) => metrics.hps?.measure({ gold, steps, ...more }).result;

test("the worked chain: the second b needs a second step", () => {
	const gold = [["a"], ["b"], ["b"], ["c"]];
	expect(hps(gold, [["b"], ["x"], ["a"]])?.value).toBe(0.5);
	expect(hps(gold, [["b"], ["x"], ["a"]], { mode: "coverage" })?.value).toBe(0.75);
});

test("a step with several results matches one hop by any of them", () => {
	expect(hps([["a"], ["b"]], [["x", "b", "a"]])?.value).toBe(0.5);
	expect(hps([["a", "a2"], ["b"]], [["a2", "b"], ["a"]])?.value).toBe(1);
	// a greedy choice would give the first step to the first hop and lose the second
	expect(hps([["a", "b"], ["a"]], [["a"], ["b"]])?.value).toBe(1);
});

test("no steps is 0, nothing to retrieve is undefined, computing hops do not count", () => {
	expect(hps([["a"]], [])?.value).toBe(0);
	expect(hps([], [["a"]])).toMatchObject({ value: null, reason: expect.any(String) });
	expect(hps([[]], [["a"]])?.value).toBeNull();
	expect(hps([["a"], []], [["a"]])?.value).toBe(1);
});

/** The best matching by trying every assignment. */
function bruteForce(gold: string[][], steps: string[][], from = 0, used = new Set<number>()): number {
	if (from === gold.length) return 0;
	let best = bruteForce(gold, steps, from + 1, used);
	for (const [index, step] of steps.entries()) {
		if (used.has(index) || !gold[from]?.some((id) => step.includes(id))) continue;
		best = Math.max(best, 1 + bruteForce(gold, steps, from + 1, new Set([...used, index])));
	}
	return best;
}

const id = fc.constantFrom("a", "b", "c", "d", "e");
const sets = fc.array(fc.array(id, { minLength: 1, maxLength: 3 }), { maxLength: 5 });

test("the matching is the largest there is", () => {
	fc.assert(
		fc.property(sets, sets, (gold, steps) => {
			fc.pre(gold.length > 0);
			expect(Number(hps(gold, steps)?.value) * gold.length).toBeCloseTo(bruteForce(gold, steps), 9);
		}),
		{ numRuns: 300 },
	);
});

test("HPS does not depend on names or on the order of steps, hops or results, and is at most the coverage", () => {
	fc.assert(
		fc.property(sets, sets, (gold, steps) => {
			const value = hps(gold, steps)?.value;
			const renamed = (lists: string[][]) => lists.map((list) => list.map((name) => `renamed ${name}`));
			expect(hps(renamed(gold), renamed(steps))?.value).toBe(value);
			expect(hps([...gold].reverse(), steps.map((step) => [...step].reverse()).reverse())?.value).toBe(value);
			if (typeof value === "number")
				expect(value).toBeLessThanOrEqual(Number(hps(gold, steps, { mode: "coverage" })?.value));
		}),
	);
});

test("a long chain does not exhaust the stack or the clock", () => {
	const gold = Array.from({ length: 3000 }, (_, index) => [`e${index}`, `e${index + 1}`]);
	const steps = Array.from({ length: 3000 }, (_, index) => [`e${index + 1}`]);
	expect(hps(gold, steps.reverse())?.value).toBe(1);
});

test("the same evidence everywhere, and more hops than steps, take a moment", () => {
	const many = (count: number) => Array.from({ length: count }, () => ["a"]);
	const start = process.cpuUsage();
	expect(hps(many(2000), many(1000))?.value).toBe(0.5);
	const repeated = Array.from({ length: 50_000 }, () => "a");
	expect(hps([repeated], [repeated])?.value).toBe(1);
	expect(process.cpuUsage(start).user / 1000).toBeLessThan(5000);
});

test("rollout deviation and its sign", () => {
	const deviation = (gold: number, steps: number) => metrics["rollout-deviation"]?.measure({ gold, steps }).result;
	expect(deviation(3, 5)).toEqual({ value: 2, delta: 2 });
	expect(deviation(3, 0)).toEqual({ value: 3, delta: -3 });
});
