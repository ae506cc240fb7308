import { describe, expect, test } from "vitest";
import { type DocumentNames, joinEvidence } from "#benchmarks";

async function* corpus(...ids: string[]) {
	for (const id of ids) yield { id };
}
const found = async (cited: string[], ...held: string[]) =>
	Object.fromEntries((await joinEvidence(cited, corpus(...held))).ids);
const both = async (cited: string[], held: string[], names?: DocumentNames) => {
	const { ids, reasons } = await joinEvidence(cited, corpus(...held), names);
	return [Object.fromEntries(ids), Object.fromEntries(reasons)];
};

describe("evidence that a set cites by names of its own", () => {
	test("is found under its name, in or without folders, without the ending of its file", async () => {
		expect(await found(["a.pdf#p3"], "a.pdf#p3", "papers/a.pdf#p3")).toEqual({ "a.pdf#p3": "a.pdf#p3" });
		expect(await found(["a.pdf#p3"], "papers/a.pdf#p3")).toEqual({ "a.pdf#p3": "papers/a.pdf#p3" });
		expect(await found(["docs/Spanish/2811#p0"], "Spanish/2811.pdf#p0")).toEqual({
			"docs/Spanish/2811#p0": "Spanish/2811.pdf#p0",
		});
		expect(await found(["2310.05634#p1"], "2310.05634.pdf#p1", "2310.05635.pdf#p1")).toEqual({
			"2310.05634#p1": "2310.05634.pdf#p1",
		});
	});
	test("is found on a page by that page's document", async () => {
		expect(await found(["a.pdf#p3.2"], "papers/a.pdf#p3.2", "b.pdf#p3.2")).toEqual({
			"a.pdf#p3.2": "papers/a.pdf#p3.2",
		});
	});
	test("waits where its document has no such page, or only looks alike", async () => {
		expect(await found(["a.pdf#p9"], "a.pdf#p3")).toEqual({});
		expect(await found(["docs/English/1#p0"], "docs/Spanish/1#p0", "ba.pdf#p0")).toEqual({});
		expect(await found(["a.pdf#p3"], "a.pdf#p3.2")).toEqual({});
	});
	test("is found as a record by what stands behind its file's name", async () => {
		expect(await found(["mmqa#t1", "d5_1"], "texts.jsonl#t1", "facts.jsonl#d5_1", "other#x")).toEqual({
			"mmqa#t1": "texts.jsonl#t1",
			d5_1: "facts.jsonl#d5_1",
		});
	});
	test("is found with another ending, or none as a folder of page pictures; the closest name is meant", async () => {
		expect(await found(["docs/1#p0"], "docs/1.html#p0")).toEqual({ "docs/1#p0": "docs/1.html#p0" });
		expect(await found(["a.pdf#p0"], "a#p0")).toEqual({ "a.pdf#p0": "a#p0" });
		expect(await found(["a.pdf#p0"], "a#p0", "old/a.html#p0")).toEqual({ "a.pdf#p0": "a#p0" });
		expect(await found(["a.pdf#p0"], "x/a.PDF#p0")).toEqual({ "a.pdf#p0": "x/a.PDF#p0" });
	});
	test("is joined to nothing where two could be meant, or two names would be one; both are told", async () => {
		expect(await both(["1#p0", "2#p0"], ["en/1.pdf#p0", "de/1.pdf#p0", "2.pdf#p0"])).toEqual([
			{ "2#p0": "2.pdf#p0" },
			{ "1#p0": 'its document "1" could be "en/1.pdf" or "de/1.pdf": say which with --documents-map' },
		]);
		expect(await both(["a.pdf#p0"], ["a.html#p0", "x/a.pdf#p0"])).toEqual([
			{},
			{ "a.pdf#p0": expect.stringMatching(/could be/) },
		]);
		const same = '"en/1.pdf" and "de/1.pdf" would both be "1.pdf": say which with --documents-map';
		expect(await both(["en/1.pdf#p0", "de/1.pdf#p0"], ["1.pdf#p0"])).toEqual([
			{},
			{ "en/1.pdf#p0": same, "de/1.pdf#p0": same },
		]);
		expect(await both(["q.pdf#p0", "q#p0"], ["q.pdf#p0"])).toEqual([
			{ "q.pdf#p0": "q.pdf#p0" },
			{ "q#p0": '"q.pdf" and "q" would both be "q.pdf": say which with --documents-map' },
		]);
		expect(await both(["mmqa#t1"], ["a.jsonl#t1", "b.jsonl#t1"])).toEqual([
			{},
			{ "mmqa#t1": '"mmqa#t1" could be "a.jsonl#t1" or "b.jsonl#t1": leave one of them out' },
		]);
		expect(await both(["x#t1", "y#t1"], ["a.jsonl#t1"])).toEqual([
			{},
			{ "x#t1": expect.any(String), "y#t1": '"x#t1" and "y#t1" would both be "a.jsonl#t1"' },
		]);
	});
	test("is what a map says, with the rows' names; two that are one then may be", async () => {
		const map = new Map(Object.entries({ a: "scans/harbour", b: "light.html", c: "nowhere", d: "light.html" }));
		const held = ["scans/harbour.pdf#p0", "light.pdf#p0", "light.html#p0"];
		expect(
			await both(["rows/a#p0", "rows/b#p0", "rows/c#p0", "rows/d#p0", "rows/a#p7"], held, { map, prefix: "rows/" }),
		).toEqual([
			{ "rows/a#p0": "scans/harbour.pdf#p0", "rows/b#p0": "light.html#p0", "rows/d#p0": "light.html#p0" },
			{
				"rows/a#p7": '"scans/harbour.pdf" has no page 7 (pages count from 0)',
				"rows/c#p0": 'its document "rows/c" is "nowhere" by the map, which is not in the knowledge base',
			},
		]);
	});
});
