import { describe, expect, test } from "vitest";
import { heldAs } from "#benchmarks";

async function* corpus(...ids: string[]) {
	for (const id of ids) yield { id };
}
const found = async (cited: string[], ...held: string[]) => Object.fromEntries(await heldAs(cited, corpus(...held)));

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
	test("is refused where two could be meant, or two names would be one, with both names", async () => {
		await expect(heldAs(["1#p0"], corpus("en/1.pdf#p0", "de/1.pdf#p0"))).rejects.toThrow(
			'"1" could be "en/1.pdf" or "de/1.pdf"',
		);
		await expect(heldAs(["en/1.pdf#p0", "de/1.pdf#p0"], corpus("1.pdf#p0"))).rejects.toThrow(
			'"en/1.pdf" and "de/1.pdf" would both be "1.pdf"',
		);
		await expect(heldAs(["mmqa#t1"], corpus("a.jsonl#t1", "b.jsonl#t1"))).rejects.toThrow("could be");
	});
});
