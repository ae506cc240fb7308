import fc from "fast-check";
import { expect, test } from "vitest";
import { frontierOf } from "./frontier.ts";

test("the frontier holds what no other beats, cheapest first", () => {
	const of = (name: string, cost: number, height: number) => ({ name, cost, height });
	const all = [
		of("dear", 9, 0.9),
		of("cheap", 1, 0.5),
		of("dominated", 5, 0.5),
		of("middle", 4, 0.7),
		of("twin", 4, 0.6),
	];
	expect(frontierOf(all).map(({ name }) => name)).toEqual(["cheap", "middle", "dear"]);
	expect(frontierOf([])).toEqual([]);
});

test("property: each is on it, or beaten by one that is", () => {
	const point = fc.record({ cost: fc.integer({ min: 0, max: 9 }), height: fc.integer({ min: 0, max: 9 }) });
	fc.assert(
		fc.property(fc.array(point, { maxLength: 20 }), (all) => {
			const frontier = frontierOf(all);
			for (const one of all)
				expect(frontier.some((other) => other.cost <= one.cost && other.height >= one.height)).toBe(true);
			for (const one of frontier)
				expect(all.some((other) => other.cost <= one.cost && other.height > one.height)).toBe(false);
		}),
	);
});
