import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Box, BoxConvention } from "#domain";
import { readBox, type Sizes, smartResize, writeBox } from "../boxes.ts";

const sizes: Sizes = { original: [2000, 1000], shown: [1000, 500] };
const anySide = fc.integer({ min: 28, max: 8000 });

describe("a box under each convention", () => {
	test.each([
		["pixels", [200, 100, 1000, 500]],
		["shown-pixels", [100, 50, 500, 250]],
		["fraction", [0.1, 0.1, 0.5, 0.5]],
		["thousandths", [100, 100, 500, 500]],
		["thousandths-y-first", [100, 100, 500, 500]],
	] as const)("%s", (convention, raw) => {
		expect(readBox(raw, { convention, ...sizes })).toEqual({ is: "box", box: [200, 100, 1000, 500] });
	});
	test("y first is told from x first", () => {
		const raw = [100, 300, 200, 900];
		expect(readBox(raw, { convention: "thousandths-y-first", ...sizes })).toEqual({
			is: "box",
			box: [600, 100, 1800, 200],
		});
		expect(readBox(raw, { convention: "thousandths", ...sizes })).toEqual({ is: "box", box: [200, 300, 400, 900] });
		expect(writeBox([600, 100, 1800, 200], { convention: "thousandths-y-first", ...sizes })).toEqual(raw);
	});
	test.each(BoxConvention.options)("%s: written and read again within a pixel", (convention) => {
		const box = fc
			.tuple(anySide, anySide, fc.double({ min: 0.05, max: 1.5, noNaN: true }))
			.chain(([width, height, scale]) =>
				fc.record({
					sizes: fc.constant<Sizes>({
						original: [width, height],
						shown: [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))],
					}),
					x: fc.integer({ min: 0, max: width - 28 }),
					y: fc.integer({ min: 0, max: height - 28 }),
					wide: fc.integer({ min: 28, max: width }),
					tall: fc.integer({ min: 28, max: height }),
				}),
			);
		fc.assert(
			fc.property(box, ({ sizes: these, x, y, wide, tall }) => {
				const [width, height] = these.original;
				const given: Box = [x, y, Math.min(width, x + wide), Math.min(height, y + tall)];
				fc.pre(Math.max((given[2] - x) / (given[3] - y), (given[3] - y) / (given[2] - x)) < 90);
				const read = readBox(writeBox(given, { convention, ...these }), { convention, ...these });
				expect(read).toEqual({ is: "box", box: expect.any(Array) });
				if (read.is !== "box") return;
				for (const [index, value] of given.entries())
					expect(Math.abs((read.box[index] ?? 0) - value)).toBeLessThanOrEqual(1);
			}),
			{ numRuns: 300 },
		);
	});
});

test("a box of an image that is sent at a few pixels is no fraction for being small", () => {
	const sizes: Sizes = { original: [600, 600], shown: [12, 12] };
	const written = writeBox([2, 3, 35, 41], { convention: "shown-pixels", ...sizes });
	expect(readBox(written, { convention: "shown-pixels", ...sizes })).toEqual({ is: "box", box: expect.any(Array) });
	expect(
		readBox([0.1, 0.2, 0.5, 0.9], { convention: "pixels", original: [600, 600], shown: [600, 600] }),
	).toHaveProperty("suspect");
});

describe("whatever a model writes", () => {
	test("never throws, and a box lies on the image, whole and no smaller than can be seen", () => {
		const wild = fc.oneof(
			fc.anything(),
			fc.array(fc.double({ min: -3000, max: 3000 }), { minLength: 3, maxLength: 5 }),
			fc.array(fc.integer({ min: -50, max: 2200 }), { minLength: 4, maxLength: 4 }),
			fc.array(fc.constantFrom(0, -0, 0.5, 1, 1000, Number.NaN, Number.POSITIVE_INFINITY, 1e300), {
				minLength: 4,
				maxLength: 4,
			}),
		);
		const side = fc.integer({ min: 1, max: 3000 });
		fc.assert(
			fc.property(wild, fc.constantFrom(...BoxConvention.options), side, side, (raw, convention, width, height) => {
				const read = readBox(raw, { convention, original: [width, height], shown: [width, height] });
				if (read.is === "bad-box") {
					expect(read.problem.length).toBeLessThan(200);
					return;
				}
				const [x0, y0, x1, y1] = read.box;
				expect(read.box.every((value) => Number.isInteger(value))).toBe(true);
				expect([x0 >= 0, y0 >= 0, x1 <= width, y1 <= height]).toEqual([true, true, true, true]);
				expect(x1 - x0).toBeGreaterThanOrEqual(Math.min(28, width));
				expect(y1 - y0).toBeGreaterThanOrEqual(Math.min(28, height));
			}),
			{ numRuns: 1000 },
		);
	});
	test.each([
		["empty", [10, 10, 10, 50]],
		["inverted", [500, 10, 100, 50]],
		["outside", [2100, 10, 2300, 100]],
		["three numbers", [1, 2, 3]],
		["five numbers", [1, 2, 3, 4, 5]],
		["not a number", [0, 0, Number.NaN, 10]],
		["endless", [0, 0, Number.POSITIVE_INFINITY, 10]],
		["numbers in words", ["1", "2", "3", "4"]],
		["nothing", undefined],
		["a word", "everything"],
		["a stripe", [0, 0, 2000, 10]],
	])("refused: %s", (_, raw) => {
		const read = readBox(raw, { convention: "pixels", ...sizes });
		expect(read).toEqual({ is: "bad-box", problem: expect.stringContaining("pixels of the original image") });
	});
	test.each([
		["a list in a list", [[200, 100, 1000, 500]]],
		["text", "[200, 100, 1000, 500]"],
		["text without brackets", " 200 100,1000 500 "],
	])("understood: %s", (_, raw) => {
		expect(readBox(raw, { convention: "pixels", ...sizes })).toEqual({ is: "box", box: [200, 100, 1000, 500] });
	});
	test("what reaches over the edge is clipped, what is tiny is widened around its centre and at the edge", () => {
		const read = (raw: number[]) => readBox(raw, { convention: "pixels", ...sizes });
		expect(read([-5, -5, 2010, 1005])).toEqual({ is: "box", box: [0, 0, 2000, 1000] });
		expect(read([100, 100, 104, 104])).toEqual({ is: "box", box: [88, 88, 116, 116] });
		expect(read([1996, 0, 2000, 4])).toEqual({ is: "box", box: [1972, 0, 2000, 28] });
	});
});

describe("a convention that is not the declared one", () => {
	test.each([
		["pixels", [0.1, 0.2, 0.6, 0.8], "fraction"],
		["thousandths", [0.1, 0.2, 0.6, 0.8], "fraction"],
		["thousandths", [100, 100, 1800, 900], "pixels"],
		["shown-pixels", [100, 100, 1800, 900], "pixels"],
		["pixels", [100, 100, 900, 1600], undefined],
		["thousandths", [100, 100, 500, 500], undefined],
		["thousandths", [0, 0, 1004, 1000], undefined],
	] as const)("%s %j", (convention, raw, likely) => {
		const read = readBox(raw, { convention, ...sizes });
		const suspect = read.is === "box" ? read.suspect : "refused";
		if (likely === undefined) expect(suspect).toBeUndefined();
		else expect(suspect).toContain(likely);
	});
});

describe("smartResize", () => {
	test.each([
		[[70, 70], 28, 1, 1e9, [56, 56]],
		[[98, 42], 28, 1, 1e9, [112, 56]],
		[[1024, 768], 28, 3136, 1003520, [1036, 756]],
		[[4000, 3000], 28, 3136, 1003520, [1148, 840]],
		[[10, 10], 28, 3136, 1003520, [56, 56]],
		[[4096, 2160], 32, 65536, 8294400, [3936, 2080]],
		[[80, 48], 32, 1, 1e9, [64, 64]],
		[[30, 4000], 28, 3136, 1003520, [28, 4004]],
		[[640, 480], 32, 65536, 8294400, [640, 480]],
		[[100, 100], 32, 65536, 8294400, [256, 256]],
		[[6000, 4000], 32, 65536, 8294400, [3520, 2336]],
	] as const)("%j by %i, as Python computes it", ([width, height], factor, minPixels, maxPixels, expected) => {
		expect(smartResize(width, height, { factor, minPixels, maxPixels })).toEqual(expected);
	});
});
