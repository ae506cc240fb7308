import { describe, expect, it } from "vitest";
import { joinRuns } from "./join-runs.ts";
import type { ComparedPair, ComparePage } from "./pages.ts";
import { reorderComparison } from "./reorder-comparison.ts";
import { select } from "./select.ts";
import { createCategory, type Table, valueAt } from "./table.ts";

const verdicts = ["solved", "misread", "not-planned"];

/** Sixty tasks, of which each run does others right and breaks at other hops. */
function madeRun(seed: number): Table {
	const rows = 60;
	const right = Array.from({ length: rows }, (_, row) => ((row * seed) % 7 < 3 ? 1 : 0));
	const column = (textOf: (row: number) => string) => {
		const category = createCategory(rows);
		for (let row = 0; row < rows; row++) category.set(row, textOf(row));
		return category.done();
	};
	return {
		rows,
		numbers: new Map([["accuracy", Float64Array.from(right)]]),
		categories: new Map([
			["task", column((row) => `t${(row * 7) % rows}`)],
			["outcome", column((row) => (right[row] === 1 ? "right" : "wrong"))],
			["broken", column((row) => (right[row] === 1 ? "none" : String(1 + ((row * seed) % 2))))],
			["hop1", column((row) => verdicts[(row * seed) % 3] ?? "")],
			["hop2", column((row) => verdicts[(row + seed) % 3] ?? "")],
		]),
	};
}

const tables: Record<string, Table> = { x: madeRun(3), y: madeRun(5), z: madeRun(11) };

function tasksOf(runs: readonly string[], where: string) {
	const table = joinRuns(
		runs.map((run) => tables[run] as Table),
		{ metric: "accuracy" },
	);
	const { rows, problems } = select({ where, sort: "" }, table);
	expect(problems).toEqual([]);
	const tasks = table.categories.get("task");
	return Array.from(rows, (row) => tasks && valueAt(tasks, row)).sort();
}

const flips = (where: string, term: string) => ({
	...{ count: 1, where },
	breaks: [{ place: 2, verdict: "misread", count: 1, where: `${where} ${term}` }],
});

function pageOf(runs: readonly string[], pairs: Pick<ComparedPair, "a" | "b" | "won" | "lost" | "alike">[]) {
	return {
		runs: runs.map((id, place) => ({ id, letter: String.fromCharCode(97 + place) })),
		pairs: pairs.map((pair) => ({ ...pair, differences: [], effort: [], uncompared: 0, onlyIn: [0, 0] })),
	} as unknown as ComparePage;
}

describe("a comparison in another order of its runs", () => {
	it.each([
		{
			before: ["x", "y"],
			after: ["y", "x"],
			page: pageOf(
				["x", "y"],
				[
					{
						...{ a: "a", b: "b", won: flips("flip:right-wrong", "b.broken:2 b.hop2:misread") },
						lost: flips("flip:wrong-right", "a.broken:2"),
						alike: [{ standing: "wrong", count: 1, where: "flip:wrong-wrong" }],
					},
				],
			),
		},
		{
			before: ["x", "y", "z"],
			after: ["z", "x", "y"],
			page: pageOf(
				["x", "y", "z"],
				["ab", "ac", "bc"].map(([a = "", b = ""]) => ({
					...{ a, b, won: flips(`${a}:right ${b}:wrong`, `${b}.broken:2 ${b}.hop2:misread`) },
					lost: flips(`${a}:wrong ${b}:right`, `${a}.broken:2`),
					alike: [{ standing: "right", count: 1, where: `${a}:right ${b}:right` }],
				})),
			),
		},
	])("leads from every figure to the same tasks: $after", ({ before, after, page }) => {
		const turned = reorderComparison(page, { before, after });
		expect(turned.runs).toEqual(after.map((id, place) => ({ id, letter: String.fromCharCode(97 + place) })));
		const named = (runs: readonly string[], { a, b }: { a: string; b: string }) =>
			[a, b].map((letter) => runs[letter.charCodeAt(0) - 97]).join(" ");
		for (const pair of turned.pairs) {
			const old = page.pairs.find((one) => named(before, one) === named(after, pair));
			const wheres = ({ won, lost, alike }: ComparedPair) =>
				[won, ...won.breaks, lost, ...lost.breaks, ...alike].map(({ where }) => where);
			const meant = old ? wheres(old) : [];
			expect(meant).toHaveLength(5);
			for (const [place, where] of wheres(pair).entries()) {
				const tasks = tasksOf(before, meant[place] ?? "");
				expect(tasks.length).toBeGreaterThan(0);
				expect([where, tasksOf(after, where)]).toEqual([where, tasks]);
			}
		}
		expect(reorderComparison(turned, { before: after, after: before })).toEqual(page);
	});
});
