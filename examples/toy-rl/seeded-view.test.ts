import { expect, test } from "vitest";
import { renderMarkdown } from "#reports";
import { seededView } from "./seeded-view.ts";

const about = { name: "toy", title: "A toy", describe: "Invented.", source: "invented", notes: [] };
const labels = [{ key: "condition", title: "Condition" }];
const measures = [
	{ key: "right", title: "Right", unit: "percent" as const },
	{ key: "calls", title: "Calls", unit: "number" as const },
];
const run = (condition: string, seed: number, right: number | null, calls: number) => ({
	labels: { condition },
	seed,
	values: { right, calls },
	...(right === null ? { reason: "not started" } : {}),
});

test("a row is a condition: the mean over its seeds with an interval, and each seed in order", () => {
	// reference values: SciPy, t interval of 0.5, 0.6, 0.7 on 2 degrees of freedom
	const view = seededView({ ...about, labels, measures, shown: "right" }, [
		run("b", 3, 0.7, 2),
		run("a", 1, 1, 3),
		run("b", 1, 0.5, 2),
		run("b", 2, 0.6, 2),
	]);
	expect(view.rows.map(({ cells }) => cells.condition)).toEqual([
		{ is: "text", text: "b" },
		{ is: "text", text: "a" },
	]);
	const cell = view.rows[0]?.cells.right;
	expect(cell?.is).toBe("measured");
	if (cell?.is !== "measured") return;
	expect(cell.measured.value).toBeCloseTo(0.6, 12);
	expect(cell.measured.low).toBeCloseTo(0.3515862, 6);
	expect(cell.measured.high).toBeCloseTo(0.8484138, 6);
	expect(view.rows[0]?.cells.seeds).toEqual({ is: "text", text: "50 60 70" });
	// one seed has no spread, and no interval is made up for it
	expect(view.rows[1]?.cells.right).toMatchObject({ measured: { value: 1, low: null, high: null } });
	expect(renderMarkdown(view)).toContain("50 60 70");
});

test("a seed without a value is counted with its reason and is no 0", () => {
	const view = seededView({ ...about, labels, measures, shown: "right" }, [
		run("a", 1, 0.5, 1),
		run("a", 2, null, 1),
		run("b", 1, null, 1),
	]);
	expect(view.rows[0]?.cells.right).toMatchObject({
		measured: { value: 0.5, n: 1, expected: 2, missing: { "not started": 1 } },
	});
	expect(view.rows[0]?.cells.seeds).toEqual({ is: "text", text: "50 –" });
	expect(view.rows[1]?.cells.right).toEqual({ is: "unscored", reason: "not started" });
});
