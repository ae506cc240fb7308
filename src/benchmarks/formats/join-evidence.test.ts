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
		expect(await found(["a.pdf#page=4"], "a.pdf#page=4", "papers/a.pdf#page=4")).toEqual({
			"a.pdf#page=4": "a.pdf#page=4",
		});
		expect(await found(["a.pdf#page=4"], "papers/a.pdf#page=4")).toEqual({ "a.pdf#page=4": "papers/a.pdf#page=4" });
		expect(await found(["docs/Spanish/2811#page=1"], "Spanish/2811.pdf#page=1")).toEqual({
			"docs/Spanish/2811#page=1": "Spanish/2811.pdf#page=1",
		});
		expect(await found(["2310.05634#page=2"], "2310.05634.pdf#page=2", "2310.05635.pdf#page=2")).toEqual({
			"2310.05634#page=2": "2310.05634.pdf#page=2",
		});
	});
	test("is found on a page by that page's document", async () => {
		expect(await found(["a.pdf#page=4.2"], "papers/a.pdf#page=4.2", "b.pdf#page=4.2")).toEqual({
			"a.pdf#page=4.2": "papers/a.pdf#page=4.2",
		});
	});
	test("is found by either count of pages: from 1, or from 0 as corpora of before have it", async () => {
		expect(await found(["a.pdf#page=4", "a.pdf#page=1.2"], "a.pdf#p3", "a.pdf#p4", "a.pdf#p0.2")).toEqual({
			"a.pdf#page=4": "a.pdf#p3",
			"a.pdf#page=1.2": "a.pdf#p0.2",
		});
		expect(await found(["a.pdf#p3"], "a.pdf#page=4", "a.pdf#page=3")).toEqual({ "a.pdf#p3": "a.pdf#page=4" });
	});
	test("waits where its document has no such page, or only looks alike", async () => {
		expect(await found(["a.pdf#page=10"], "a.pdf#page=4")).toEqual({});
		expect(await found(["docs/English/1#page=1"], "docs/Spanish/1#page=1", "ba.pdf#page=1")).toEqual({});
		expect(await found(["a.pdf#page=4"], "a.pdf#page=4.2")).toEqual({});
	});
	test("is found as a record by what stands behind its file's name", async () => {
		expect(await found(["mmqa#t1", "d5_1"], "texts.jsonl#t1", "facts.jsonl#d5_1", "other#x")).toEqual({
			"mmqa#t1": "texts.jsonl#t1",
			d5_1: "facts.jsonl#d5_1",
		});
	});
	test("is found with another ending, or none as a folder of page pictures; the closest name is meant", async () => {
		expect(await found(["docs/1#page=1"], "docs/1.html#page=1")).toEqual({ "docs/1#page=1": "docs/1.html#page=1" });
		expect(await found(["a.pdf#page=1"], "a#page=1")).toEqual({ "a.pdf#page=1": "a#page=1" });
		expect(await found(["a.pdf#page=1"], "a#page=1", "old/a.html#page=1")).toEqual({ "a.pdf#page=1": "a#page=1" });
		expect(await found(["a.pdf#page=1"], "x/a.PDF#page=1")).toEqual({ "a.pdf#page=1": "x/a.PDF#page=1" });
	});
	test("is joined to nothing where two could be meant, or two names would be one; both are told", async () => {
		expect(await both(["1#page=1", "2#page=1"], ["en/1.pdf#page=1", "de/1.pdf#page=1", "2.pdf#page=1"])).toEqual([
			{ "2#page=1": "2.pdf#page=1" },
			{ "1#page=1": 'its document "1" could be "en/1.pdf" or "de/1.pdf": say which with --documents-map' },
		]);
		expect(await both(["a.pdf#page=1"], ["a.html#page=1", "x/a.pdf#page=1"])).toEqual([
			{},
			{ "a.pdf#page=1": expect.stringMatching(/could be/) },
		]);
		const same = '"en/1.pdf" and "de/1.pdf" would both be "1.pdf": say which with --documents-map';
		expect(await both(["en/1.pdf#page=1", "de/1.pdf#page=1"], ["1.pdf#page=1"])).toEqual([
			{},
			{ "en/1.pdf#page=1": same, "de/1.pdf#page=1": same },
		]);
		expect(await both(["q.pdf#page=1", "q#page=1"], ["q.pdf#page=1"])).toEqual([
			{ "q.pdf#page=1": "q.pdf#page=1" },
			{ "q#page=1": '"q.pdf" and "q" would both be "q.pdf": say which with --documents-map' },
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
		const held = ["scans/harbour.pdf#page=1", "light.pdf#page=1", "light.html#page=1"];
		expect(
			await both(["rows/a#page=1", "rows/b#page=1", "rows/c#page=1", "rows/d#page=1", "rows/a#page=8"], held, {
				map,
				prefix: "rows/",
			}),
		).toEqual([
			{
				"rows/a#page=1": "scans/harbour.pdf#page=1",
				"rows/b#page=1": "light.html#page=1",
				"rows/d#page=1": "light.html#page=1",
			},
			{
				"rows/a#page=8": '"scans/harbour.pdf" has no page 8',
				"rows/c#page=1": 'its document "rows/c" is "nowhere" by the map, which is not in the knowledge base',
			},
		]);
	});
});
