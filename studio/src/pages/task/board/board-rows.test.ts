import { describe, expect, test } from "vitest";
import { hopWith, stepWith } from "../testing.ts";
import { boardRows, holeWords, joinsOf, neverTried } from "./board-rows.ts";

/** Rows in short: hops, then the numbers of their steps. */
const shape = (...given: Parameters<typeof boardRows>) =>
	boardRows(...given).map(({ hops, steps, hole }) =>
		[hops.map(({ id }) => id).join("+"), steps.map(({ index }) => index).join(","), ...(hole ? ["hole"] : [])].join(
			" | ",
		),
	);

const hops = (count: number, given: Parameters<typeof hopWith>[1] = {}) =>
	Array.from({ length: count }, (_, at) => hopWith(`h${at + 1}`, { aimed: [0], ...given }));

const aimedAt = (...ids: (string | null)[]) =>
	ids.map((id, index) => stepWith(index, { aimed: id === null ? [] : [id], stray: id === null }));

describe("rows of the board", () => {
	test("a hop stands beside its first step, with all steps up to the next hop's", () => {
		expect(shape(hops(3), aimedAt("h1", "h2", "h2", null, "h3"))).toEqual(["h1 | 0", "h2 | 1,2,3", "h3 | 4"]);
	});

	test("steps before the first hop's own stand alone", () => {
		expect(shape(hops(2), aimedAt(null, "h1", "h2"))).toEqual([" | 0", "h1 | 1", "h2 | 2"]);
	});

	test("a hop that was never tried leaves a hole in its place", () => {
		const [one, , three] = hops(3) as [never, never, never];
		const never = hopWith("h2", { aimed: [], brought: [], verdict: "not-planned" });
		expect(shape([one, never, three], aimedAt("h1", "h3"))).toEqual(["h1 | 0", "h2 |  | hole", "h3 | 1"]);
		expect(neverTried(never)).toBe(true);
		expect(holeWords(never)).toBe("never tried");
		// behind a break a step may have asked it with a wrong value: it is not said to be never tried then
		expect(holeWords({ ...never, verdict: "unobserved" })).not.toBe("never tried");
		expect(neverTried(hopWith("h2", { verdict: "not-judged" }))).toBe(false);
		expect(neverTried(hopWith("h2", { wanted: [] }))).toBe(false);
	});

	test("an answer without steps has hops and no holes", () => {
		const never = hops(2, { aimed: [], brought: [] });
		expect(boardRows(never, []).every(({ hole }) => !hole)).toBe(true);
	});

	test("one hop tried late stands in the order of the chain, beside what was done meanwhile", () => {
		expect(shape(hops(4), aimedAt("h2", "h2", "h3", "h1", "h4"))).toEqual(["h1 | ", "h2 | 0,1", "h3 | 2,3", "h4 | 4"]);
	});

	test("where most hops were tried against the chain, all stand in one row", () => {
		expect(shape(hops(3), aimedAt("h3", "h2", "h1"))).toEqual(["h1+h2+h3 | 0,1,2"]);
	});

	test("every hop and every step stands exactly once, in its own order", () => {
		const ids = ["h1", "h2", "h3", "h4", null];
		for (let seed = 0; seed < 500; seed++) {
			let state = seed;
			const next = () => {
				state = (state * 1103515245 + 12345) % 2147483648;
				return state / 2147483648;
			};
			const steps = aimedAt(
				...Array.from({ length: Math.floor(next() * 12) }, () => ids[Math.floor(next() * 5)] ?? null),
			);
			const chain = hops(4).map((hop) => ({
				...hop,
				aimed: steps.filter(({ aimed }) => aimed.includes(hop.id)).map(({ index }) => index),
				first: hop.id === ids[Math.floor(next() * 5)],
			}));
			const rows = boardRows(chain, steps);
			expect(rows.flatMap((row) => row.hops.map(({ id }) => id))).toEqual(["h1", "h2", "h3", "h4"]);
			expect(rows.flatMap((row) => row.steps.map(({ index }) => index))).toEqual(steps.map(({ index }) => index));
		}
	});
});

test("a join says whether a step aimed at a hop, and whether it brought its evidence", () => {
	expect(joinsOf([hopWith("h1", { aimed: [0, 1], brought: [1, 4] })])).toEqual([
		{ hop: "h1", step: 0, is: "missed" },
		{ hop: "h1", step: 1, is: "gold" },
		{ hop: "h1", step: 4, is: "besides" },
	]);
});
