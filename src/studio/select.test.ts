import { describe, expect, it } from "vitest";
import { besideIn } from "./select.ts";

describe("going from one row to the next", () => {
	const rows = Uint32Array.from([7, 2, 9, 4]);
	const beside = (from: number, step: number, among?: number[]) =>
		besideIn(rows, { from, step, among: among && Uint32Array.from(among) });

	it("follows the order that is set, and ends at its ends", () => {
		expect(beside(2, 1)).toBe(2);
		expect(beside(2, -1)).toBe(0);
		expect(beside(4, 1)).toBeUndefined();
		expect(beside(7, -1)).toBeUndefined();
	});

	it("finds the next of some in that order, from a row that is none of them", () => {
		expect(beside(2, 1, [7, 4])).toBe(3);
		expect(beside(9, -1, [7, 4])).toBe(0);
		expect(beside(9, 1, [7])).toBeUndefined();
	});

	it("begins where the table has a row that the filter leaves out", () => {
		expect(beside(3, 1)).toBe(0);
		expect(beside(100, -1)).toBe(3);
		expect(beside(5, 0)).toBeUndefined();
	});
});
