import { expect, test } from "vitest";
import type { Join } from "./board-rows.ts";
import { joinLines } from "./join-lines.ts";

const rects = (steps: number) =>
	new Map([
		["hop:h1", { left: 50, top: 0, width: 300, height: 80 }],
		...Array.from(
			{ length: steps },
			(_, at): [string, { left: number; top: number; width: number; height: number }] => [
				`step:${at}`,
				{ left: 500, top: at * 50, width: 400, height: 48 },
			],
		),
	]);

const joins = (count: number): Join[] =>
	Array.from({ length: count }, (_, step) => ({ hop: "h1", step, is: step === 0 ? "gold" : "missed" }));

test("a line runs from a hop's right edge to a step's left edge, with a mark at its end", () => {
	const { lines, trunks } = joinLines(joins(2), rects(2));
	expect(trunks).toEqual([]);
	expect(lines.map(({ line }) => line.startsWith("M350 "))).toEqual([true, true]);
	expect(lines[0]?.line).toMatch(/ 486 24$/);
	expect(new Set(lines.map(({ end }) => end)).size).toBe(2);
});

test("many lines of one hop run down together, and leave the bundle at the height of their step", () => {
	const { lines, trunks } = joinLines(joins(40), rects(40));
	expect(lines).toHaveLength(40);
	expect(trunks.map(({ is }) => is)).toEqual(["gold", "missed"]);
	expect(trunks[1]?.line).toMatch(/V1974$/);
	expect(lines[39]?.line).toMatch(/^M\d+ 1974H486$/);
});

test("what is not measured yet is not drawn", () => {
	expect(joinLines(joins(2), rects(0))).toEqual({ lines: [], trunks: [] });
});
