import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { metrics } from "#scoring";

const measure = (name: string, input: object) => metrics[name]?.measure(input).result;

describe("order", () => {
	const hops = [
		{ id: "h1", needs: [], evidence: ["a"] },
		{ id: "h2", needs: ["h1"], evidence: ["b"] },
		{ id: "sum", needs: ["h2"], evidence: [] },
		{ id: "h3", needs: ["sum"], evidence: ["c"] },
	];
	const order = (steps: string[][], over: object[] = hops) => measure("order", { hops: over, steps });

	test("pairs through a computing hop count, each in its permitted order", () => {
		expect(order([["a"], ["b"], ["c"]])).toMatchObject({ value: 1, pairs: 2, solved: 2, inOrder: 2 });
		expect(order([["c"], ["a"], ["b"]])).toMatchObject({ value: 0.5, solved: 2, inOrder: 1 });
		// one step may solve both; a hop may be solved again later
		expect(order([["a", "b"], ["c"]])?.value).toBe(1);
		expect(order([["c"], ["a"], ["b"], ["c"]])?.value).toBe(1);
		expect(order([["a"], ["b"]])).toMatchObject({ value: 0.5, solved: 1 });
	});
	test("independent hops have no order; hops that are not there, and ids twice, are mistakes", () => {
		expect(order([["a"]], [{ id: "h1", needs: [], evidence: ["a"] }])).toMatchObject({ value: null, pairs: 0 });
		expect(order([], [{ id: "h1", needs: ["h9"], evidence: ["a"] }])?.reason).toContain("hops");
		expect(order([], [...hops, ...hops])?.reason).toContain("twice");
	});
	test("renaming hops and evidence changes nothing", () => {
		const id = fc.constantFrom("a", "b", "c", "x");
		fc.assert(
			fc.property(fc.array(fc.array(id, { maxLength: 2 }), { maxLength: 6 }), (steps) => {
				const name = (each: string) => `renamed ${each}`;
				const renamed = hops.map((hop) => ({
					id: name(hop.id),
					needs: hop.needs.map(name),
					evidence: hop.evidence.map(name),
				}));
				expect(
					order(
						steps.map((step) => step.map(name)),
						[...renamed].reverse(),
					),
				).toEqual(order(steps));
			}),
		);
	});
});

describe("modality coverage", () => {
	const cover = (tasks: object[]) => measure("modality-coverage", { tasks });

	test("a ratio of sums: a task's surplus does not cover another's lack", () => {
		const tasks = [
			{ gold: { text: 2, image: 1 }, steps: { text: 3 }, image: false },
			{ gold: { text: 1, image: 1 }, steps: { image: 2 }, image: true },
		];
		expect(cover(tasks)).toMatchObject({
			value: 3 / 5,
			n: 2,
			modalities: { text: { value: 2 / 3 }, image: { value: 0.5 } },
			withImage: { text: { value: 0 }, image: { value: 1 } },
			withoutImage: { text: { value: 1 }, image: { value: 0 } },
		});
	});
	test("a column of MC-Search's Table 4, with the counts as one task each", () => {
		const tasks = [
			{ gold: { image: 1533, text: 4109 }, steps: { image: 1339, text: 3230 }, image: true },
			{ gold: { image: 1017, text: 2510 }, steps: { image: 300, text: 2097 }, image: false },
		];
		const result = cover(tasks) ?? { value: null };
		const percent = (half: string, modality: string) => {
			const table = (result as Record<string, unknown>)[half] as Record<string, { value: number }>;
			return (100 * Number(table[modality]?.value)).toFixed(2);
		};
		expect(percent("withImage", "image")).toBe("87.35");
		expect(percent("withImage", "text")).toBe("78.61");
		expect(percent("withoutImage", "image")).toBe("29.50");
		expect(percent("withoutImage", "text")).toBe("83.55");
		expect(percent("modalities", "image")).toBe("64.27");
		expect(percent("modalities", "text")).toBe("80.48");
	});
	test("nothing to cover is undefined; clusters are what is redrawn", () => {
		expect(cover([{ gold: {}, steps: { text: 2 } }])).toMatchObject({ value: null, reason: "no gold hop" });
		expect(cover([])).toMatchObject({ value: null });
		const one = { gold: { text: 2 }, steps: { text: 1 }, cluster: "c" };
		expect(cover([one, one])).toMatchObject({ value: 0.5, groups: 1, low: null });
	});
	test("lies in [0, 1], and one more step never lowers it", () => {
		const counts = fc.record({ text: fc.nat(4), image: fc.nat(4) });
		const task = fc.record({ gold: counts, steps: counts });
		fc.assert(
			fc.property(fc.array(task, { minLength: 1, maxLength: 4 }), (tasks) => {
				const before = cover(tasks)?.value;
				fc.pre(typeof before === "number");
				expect(before).toBeGreaterThanOrEqual(0);
				expect(before).toBeLessThanOrEqual(1);
				const [first, ...rest] = tasks;
				const more = { gold: first?.gold, steps: { ...first?.steps, image: (first?.steps.image ?? 0) + 1 } };
				expect(Number(cover([more, ...rest])?.value)).toBeGreaterThanOrEqual(Number(before));
			}),
			{ numRuns: 40 },
		);
	});
});

describe("anchors", () => {
	const region = { image: "i", box: [0, 0, 100, 100] };
	const crop = (box: number[], step: number, image = "i") => ({ image, box, step });
	const anchors = (input: object) => measure("anchors", input);

	test("a crop inspects a region from half of its area on", () => {
		const covered = (box: number[]) => anchors({ regions: [region], crops: [crop(box, 0)] })?.value;
		expect(covered([0, 0, 50, 100])).toBe(1);
		expect(covered([0, 0, 49, 100])).toBe(0);
		expect(covered([-50, -50, 500, 500])).toBe(1);
		expect(covered([100, 100, 200, 200])).toBe(0);
		// quarters of the region are not added up
		const quarters = [crop([0, 0, 50, 50], 0), crop([50, 50, 100, 100], 1), crop([0, 50, 50, 100], 2)];
		expect(anchors({ regions: [region], crops: quarters })?.value).toBe(0);
		expect(anchors({ regions: [region], crops: [crop([0, 0, 100, 100], 0, "other")] })?.value).toBe(0);
	});
	test("inspections per anchor, and whether all were", () => {
		const regions = [region, { image: "i", box: [200, 0, 300, 100] }];
		const crops = [crop([0, 0, 100, 100], 0), crop([0, 0, 90, 90], 3)];
		expect(anchors({ regions, crops })).toEqual({
			value: 0.5,
			covered: 1,
			all: false,
			inspections: [2, 0],
			meanInspections: 1,
			revisits: 0,
		});
		expect(anchors({ regions, crops: [...crops, crop([0, 0, 300, 100], 4)] })).toMatchObject({ value: 1, all: true });
	});
	test("a revisit needs an earlier crop of the image and a retrieval in between", () => {
		const box = [0, 0, 10, 10];
		const revisits = (steps: number[], retrievals: number[], image = "i") =>
			anchors({ regions: [region], crops: steps.map((step) => crop(box, step, image)), retrievals })?.revisits;
		expect(revisits([0, 2], [1])).toBe(1);
		expect(revisits([0, 1], [2])).toBe(0);
		expect(revisits([2, 3], [1])).toBe(0);
		// in one step the order of crop and retrieval is not known
		expect(revisits([1, 2], [1])).toBe(0);
		expect(revisits([0, 2, 4], [1, 3])).toBe(2);
		const two = [crop(box, 0, "one"), crop(box, 2, "two")];
		expect(anchors({ regions: [region], crops: two, retrievals: [1] })?.revisits).toBe(0);
	});
	test("no region is undefined, an empty box a mistake", () => {
		expect(anchors({ regions: [], crops: [] })).toMatchObject({ value: null, reason: expect.any(String) });
		expect(anchors({ regions: [{ image: "i", box: [5, 0, 5, 9] }], crops: [] })?.reason).toContain("regions.0.box");
	});
	test("one more crop never lowers the value, and moving everything changes nothing", () => {
		const box = fc
			.tuple(fc.nat(50), fc.nat(50), fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 50 }))
			.map(([x, y, width, height]) => [x, y, x + width, y + height]);
		const image = fc.constantFrom("i", "j");
		const regions = fc.array(fc.record({ image, box }), { minLength: 1, maxLength: 4 });
		const crops = fc.array(fc.record({ image, box, step: fc.nat(9) }), { minLength: 1, maxLength: 5 });
		fc.assert(
			fc.property(regions, crops, fc.nat(100), (over, made, by) => {
				const value = Number(anchors({ regions: over, crops: made })?.value);
				expect(Number(anchors({ regions: over, crops: made.slice(1) })?.value)).toBeLessThanOrEqual(value);
				const moved = <Placed extends { box: number[] }>(each: Placed) => ({
					...each,
					box: each.box.map((place) => place + by),
				});
				expect(anchors({ regions: over.map(moved), crops: made.map(moved) })?.value).toBe(value);
			}),
		);
	});
});
