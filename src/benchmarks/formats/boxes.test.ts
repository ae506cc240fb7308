import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type BoxForm, boxFrom } from "./boxes.ts";

const units = ["pixels", "points", "fraction", "percent", "thousandths"] as const;
const form = fc.record<BoxForm>({ shape: fc.constantFrom("xyxy", "xywh"), unit: fc.constantFrom(...units) });
const side = fc.integer({ min: 1, max: 5000 });
const box = fc.tuple(fc.nat(1000), fc.nat(1000), fc.nat(1000), fc.nat(1000));

type Side = readonly [number, number];
const shares = { fraction: 1, percent: 100, thousandths: 1000 } as const;

/** Our box in a format's own form. */
function boxTo([left, top, right, bottom]: readonly number[], { shape, unit }: BoxForm, size: Side, shown: Side) {
	const counted = unit === "pixels" || unit === "points" ? shown : ([shares[unit], shares[unit]] as const);
	const x = (at = 0) => (at * counted[0]) / size[0];
	const y = (at = 0) => (at * counted[1]) / size[1];
	return shape === "xywh"
		? [x(left), y(top), x(right) - x(left), y(bottom) - y(top)]
		: [x(left), y(top), x(right), y(bottom)];
}

describe("boxes", () => {
	it("reads each form", () => {
		const size = [200, 400] as const;
		expect(boxFrom([20, 40, 100, 200], { shape: "xyxy", unit: "pixels" }, size)).toEqual({ box: [20, 40, 100, 200] });
		expect(boxFrom([20, 40, 80, 160], { shape: "xywh", unit: "points" }, size)).toEqual({ box: [20, 40, 100, 200] });
		expect(boxFrom([0.25, 0.25, 0.5, 0.5], { shape: "xyxy", unit: "fraction" }, size)).toEqual({
			box: [50, 100, 100, 200],
		});
		expect(boxFrom([10, 10, 40, 40], { shape: "xywh", unit: "percent" }, size)).toEqual({ box: [20, 40, 100, 200] });
		expect(boxFrom([100, 100, 500, 500], { shape: "xyxy", unit: "thousandths" }, size)).toEqual({
			box: [20, 40, 100, 200],
		});
		// a picture shown at half its size
		expect(boxFrom([10, 20, 50, 100], { shape: "xyxy", unit: "pixels" }, size, [100, 200])).toEqual({
			box: [20, 40, 100, 200],
		});
	});

	it("refuses what is no box", () => {
		const shape = { shape: "xyxy", unit: "pixels" } as const;
		expect(boxFrom([1, 2, 3], shape, [10, 10])).toHaveProperty("problem");
		expect(boxFrom([5, 0, 4, 9], shape, [10, 10])).toHaveProperty("problem");
		expect(boxFrom([0, 0, Number.NaN, 9], shape, [10, 10])).toHaveProperty("problem");
		expect(boxFrom([0, 0, 1, 1], shape, [0, 10])).toHaveProperty("problem");
	});

	it("comes back the same from every form", () => {
		fc.assert(
			fc.property(
				form,
				box,
				side,
				side,
				side,
				side,
				(written, [a, b, c, d], width, height, shownWidth, shownHeight) => {
					const ours: [number, number, number, number] = [
						Math.min(a, c),
						Math.min(b, d),
						Math.max(a, c),
						Math.max(b, d),
					];
					const [size, shown] = [[width, height] as const, [shownWidth, shownHeight] as const];
					const again = boxFrom(boxTo(ours, written, size, shown), written, size, shown);
					if (!("box" in again)) throw new Error(again.problem);
					for (const [index, value] of again.box.entries()) expect(value).toBeCloseTo(ours[index] ?? Number.NaN, 6);
				},
			),
		);
	});
});
