import { describe, expect, it } from "vitest";
import { completionsOf, isBegun } from "./completion.ts";

const known = {
	columns: [
		{ name: "outcome", title: "Outcome", numeric: false },
		{ name: "tokens", title: "Tokens", numeric: true },
	],
	facets: [
		{
			name: "outcome",
			title: "Outcome",
			values: [
				{ value: "wrong", title: "wrong", count: 183, where: "outcome:wrong" },
				{ value: "partly right", title: "partly right", count: 2, where: 'outcome:"partly right"' },
			],
		},
	],
};
const inserted = (where: string) =>
	completionsOf(where, where.length, known).map(({ from, insert }) => where.slice(0, from) + insert);

describe("completing a filter", () => {
	it("offers columns, with what compares their values", () => {
		expect(inserted("broken:2 to")).toEqual(["broken:2 tokens>"]);
		expect(inserted("-out")).toEqual(["-outcome:"]);
	});

	it("offers the values of a column, quoted where they must be, after a comma too", () => {
		expect(inserted("outcome:")).toEqual(["outcome:wrong ", 'outcome:"partly right" ']);
		expect(inserted("outcome:wrong,pa")).toEqual(['outcome:wrong,"partly right" ']);
	});

	it("offers nothing within a quoted text", () => expect(inserted('"outc')).toEqual([]));

	it("holds what is only begun, and nothing else", () => {
		const begun = (where: string) => isBegun(where, where.length, known);
		expect(["outc", "outcome:", "outcome:wr", "tokens>"].map(begun)).toEqual([true, true, true, true]);
		expect(["railway", "outcome:wrong", "tokens>5", "outcome:wrong "].map(begun)).toEqual([false, false, false, false]);
	});
});
