import { expect, test } from "vitest";
import { markdownTable } from "#recipes";
import { written } from "./probes/view.ts";

test("a cell stays one cell, whatever stands in it", () => {
	const table = markdownTable(["name", "count"], [["a|b \\| c\nd\u001b[2J", 3]]);
	expect(table.split("\n")).toEqual(["| name | count |", "| --- | ---: |", "| a\\|b \\\\\\| c d\ufffd[2J | 3 |"]);
});

test("evidence is shown with its lines, so that a table stays a table", () => {
	const text = "Town | Size\nAlba | 300\nBerg | 400";
	const passage = { kind: "passage", id: "a#1", document: "a", title: "Towns", language: "en", form: "table" } as const;
	const shown = written([{ ...passage, text, sha256: "", provenance: { source: "test" } }]);
	expect(shown).toBe(`[1] Towns\n${text}`);
	const long = written([{ ...passage, text: "x".repeat(9000), sha256: "", provenance: { source: "test" } }]);
	expect(long.length).toBe("[1] Towns\n".length + 6000);
	expect(long.endsWith("…")).toBe(true);
});
