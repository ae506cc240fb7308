import { expect, it } from "vitest";
import { steadyFacets } from "./steady-facets.ts";

it("keeps the order of the whole run, and what a filter leaves none of", () => {
	const value = (name: string, count: number) => ({ value: name, title: name, count, where: `outcome:${name}` });
	const facet = (...values: ReturnType<typeof value>[]) => [{ name: "outcome", title: "Outcome", values }];
	const steady = steadyFacets(facet(value("wrong", 9), value("right", 5)), facet(value("right", 4), value("rare", 1)));
	expect(steady[0]?.values.map(({ value, count }) => [value, count])).toEqual([
		["wrong", 0],
		["right", 4],
		["rare", 1],
	]);
});
