import fc from "fast-check";
import { expect, test } from "vitest";
import { repeatSpread } from "#scoring";
import { seededRandom } from "./random.ts";

test("the variance of an answer is pooled within runs and tasks, worked by hand", () => {
	// task 1: s^2 = (0.5 + 0.5) / 2 on 2 degrees = 0.5; task 2: 0 on 2 degrees
	// SE^2 = (0.5 (1/2 + 1/2) + 0) / 4 = 0.125; t(0.975, 4) = 2.776445 (scipy.stats.t.ppf)
	const found = repeatSpread([
		{ a: [0, 1], b: [1, 0] },
		{ a: [1, 1], b: [0, 0] },
	]);
	expect(found).toMatchObject({ repeated: 2, tasks: 2 });
	expect(found.half).toBeCloseTo(2.776445 * Math.sqrt(0.125), 5);
});

test("what differs between the runs is no spread of repeats, and without repeats nothing is known", () => {
	expect(repeatSpread([{ a: [1, 1], b: [0, 0] }])).toMatchObject({ half: null, repeated: 1 });
	expect(repeatSpread([{ a: [1], b: [0] }])).toMatchObject({ half: null, repeated: 0 });
	expect(repeatSpread([])).toMatchObject({ half: null, tasks: 0 });
	expect(repeatSpread([{ a: [], b: [0, 1] }])).toMatchObject({ half: null, tasks: 0 });
});

test("holds the difference of two runs that differ by chance alone in about 95 of 100", () => {
	const random = seededRandom(5);
	let held = 0;
	for (let trial = 0; trial < 400; trial++) {
		const tasks = Array.from({ length: 40 }, () => {
			const chance = random();
			const draw = () => Array.from({ length: 3 }, () => Number(random() < chance));
			return { a: draw(), b: draw() };
		});
		const mean = (side: "a" | "b") =>
			tasks.reduce((sum, task) => sum + task[side].reduce((total, one) => total + one, 0) / 3, 0) / tasks.length;
		if (Math.abs(mean("a") - mean("b")) <= (repeatSpread(tasks).half ?? 0)) held += 1;
	}
	expect(held / 400).toBeGreaterThan(0.92);
	expect(held / 400).toBeLessThan(0.98);
});

test("neither the order of tasks nor which run comes first matters, and it is never NaN", () => {
	const values = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 4 });
	fc.assert(
		fc.property(fc.array(fc.record({ a: values, b: values }), { maxLength: 8 }), (tasks) => {
			const { half } = repeatSpread(tasks);
			const other = repeatSpread(tasks.map(({ a, b }) => ({ a: b, b: a })).reverse()).half;
			if (half === null) expect(other).toBeNull();
			else {
				expect(half).toBeGreaterThan(0);
				expect(other).toBeCloseTo(half, 9);
			}
		}),
	);
});
