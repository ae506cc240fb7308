import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { allocate, sampleItems } from "./sample.ts";
import { disjointSubsets } from "./subsets.ts";

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
const strataSizes = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 8 });

describe("allocation", () => {
	test("goes by largest remainders, with one place for the smallest", () => {
		expect(allocate([50, 30, 20], 10)).toEqual([5, 3, 2]);
		expect(allocate([55, 25, 20], 9)).toEqual([5, 2, 2]);
		expect(allocate([97, 2, 1], 10)).toEqual([8, 1, 1]);
		expect(allocate([3, 2], 10)).toEqual([3, 2]);
		expect(() => allocate([5, 5, 5], 2)).toThrow(/3 strata/);
	});

	test("fills every place, sees every stratum, and strays from its quota only for that", () => {
		fc.assert(
			fc.property(strataSizes, fc.integer({ min: 8, max: 200 }), (sizes, size) => {
				const places = allocate(sizes, size);
				expect(sum(places)).toBe(Math.min(size, sum(sizes)));
				const quotas = sizes.map((count) => (Math.min(size, sum(sizes)) * count) / sum(sizes));
				const forced = sum(quotas.map((quota) => Math.max(0, 1 - quota)));
				for (const [index, place] of places.entries()) {
					expect(place).toBeGreaterThanOrEqual(1);
					expect(place).toBeLessThanOrEqual(sizes[index] ?? 0);
					expect(Math.abs(place - (quotas[index] ?? 0))).toBeLessThan(1 + forced);
				}
			}),
		);
	});
});

describe("a stratified sample", () => {
	const population = (sizes: number[]) =>
		sizes.flatMap((count, stratum) =>
			Array.from({ length: count }, (_, index) => ({ id: `${stratum}-${index}`, stratum })),
		);
	const draw = (items: { id: string; stratum: number }[], size: number, seed: number) =>
		sampleItems(items, { size, seed, id: ({ id }) => id, stratum: ({ stratum }) => `s${stratum}` });

	test("weighs up to the population, stratum by stratum, and draws nobody twice", () => {
		fc.assert(
			fc.property(strataSizes, fc.integer({ min: 8, max: 100 }), fc.nat(), (sizes, size, seed) => {
				const drawn = draw(population(sizes), size, seed);
				expect(new Set(drawn.map(({ item }) => item.id)).size).toBe(drawn.length);
				for (const [stratum, count] of sizes.entries()) {
					const own = drawn.filter(({ item }) => item.stratum === stratum);
					expect(sum(own.map(({ weight }) => weight))).toBeCloseTo(count, 6);
					expect(new Set(own.map((one) => one.stratum)).size).toBe(1);
				}
			}),
			{ numRuns: 50 },
		);
	});

	test("is the seed's, whatever the order; another seed draws others", () => {
		const items = population([40, 20, 10]);
		const ids = (drawn: { item: { id: string } }[]) => drawn.map(({ item }) => item.id);
		expect(ids(draw([...items].reverse(), 20, 3))).toEqual(ids(draw(items, 20, 3)));
		expect(ids(draw(items, 20, 4))).not.toEqual(ids(draw(items, 20, 3)));
	});

	test("reaches every item alike over seeds", () => {
		const items = population([20, 10]);
		const counts = new Map<string, number>();
		for (let seed = 0; seed < 600; seed++)
			for (const { item } of draw(items, 6, seed)) counts.set(item.id, (counts.get(item.id) ?? 0) + 1);
		// expected 120 of 600 each, standard deviation about 10
		for (const { id } of items) expect(Math.abs((counts.get(id) ?? 0) - 120)).toBeLessThan(50);
	});

	test("comes out mixed: neighbours tell nothing of a stratum", () => {
		const drawn = draw(population([50, 50]), 40, 1);
		const changes = drawn.filter(({ stratum }, index) => index > 0 && stratum !== drawn[index - 1]?.stratum).length;
		expect(changes).toBeGreaterThan(10);
	});
});

test("subsets are disjoint, of one size, and the seed's whatever the order", () => {
	const names = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 60 });
	fc.assert(
		fc.property(
			names,
			fc.integer({ min: 1, max: 8 }),
			fc.constantFrom(0.1, 0.25, 0.5),
			fc.nat(),
			(all, count, share, seed) => {
				const subsets = disjointSubsets(all, { count, share, seed });
				const members = subsets.flat();
				expect(new Set(members).size).toBe(members.length);
				expect(members.every((name) => all.includes(name))).toBe(true);
				for (const subset of subsets) expect(subset.length).toBe(Math.max(1, Math.floor(share * all.length + 1e-9)));
				expect(disjointSubsets([...all].reverse(), { count, share, seed })).toEqual(subsets);
			},
		),
	);
	const hundred = Array.from({ length: 100 }, (_, index) => `q${index}`);
	expect(disjointSubsets(hundred, { count: 5, share: 0.1, seed: 0 }).map(({ length }) => length)).toEqual([
		10, 10, 10, 10, 10,
	]);
	expect(disjointSubsets(hundred, { count: 5, share: 0.1, seed: 1 })).not.toEqual(
		disjointSubsets(hundred, { count: 5, share: 0.1, seed: 0 }),
	);
});
