import { expect, test } from "vitest";
import { brokenOnwards, chainEdges, chainLayers } from "./chain-shape.ts";
import { hopWith, testLegend } from "./testing.ts";

const needing = (id: string, needs: string[], verdict = "solved") =>
	hopWith(id, { verdict, needs: needs.map((hop) => ({ hop, role: "bridge" })) });

test("a chain stands in one line, parallel branches beneath each other", () => {
	const places = (hops: Parameters<typeof chainLayers>[0]) =>
		chainLayers(hops).map(({ hop, layer, lane }) => [hop.id, layer, lane]);
	expect(places([needing("h1", []), needing("h2", ["h1"]), needing("h3", ["h2"])])).toEqual([
		["h1", 0, 0],
		["h2", 1, 0],
		["h3", 2, 0],
	]);
	expect(places([needing("h1", []), needing("h2", ["h1"]), needing("h3", []), needing("h4", ["h2", "h3"])])).toEqual([
		["h1", 0, 0],
		["h2", 1, 0],
		["h3", 0, 1],
		["h4", 2, 0],
	]);
});

test("no two hops stand in the same place, whatever they need", () => {
	const fan = [needing("h1", []), ...["h2", "h3", "h4"].map((id) => needing(id, ["h1"])), needing("h5", ["h2", "h4"])];
	const places = chainLayers(fan).map(({ layer, lane }) => `${layer} ${lane}`);
	expect(new Set(places).size).toBe(fan.length);
});

test("from a break on all is behind it, other branches are not", () => {
	const hops = [
		needing("h1", []),
		needing("h2", ["h1"], "misread"),
		needing("h3", [], "unobserved"),
		needing("h4", ["h2"]),
		needing("h5", ["h1"]),
		needing("h6", ["h3", "gone"]),
	];
	expect([...brokenOnwards(hops, testLegend)]).toEqual(["h2", "h4"]);
	expect(chainEdges(hops, testLegend)).toEqual([
		{ from: "h1", to: "h2", is: "broken" },
		{ from: "h2", to: "h4", is: "broken" },
		{ from: "h1", to: "h5", is: "sound" },
		{ from: "h3", to: "h6", is: "unsaid" },
	]);
});
