import { describe, expect, it } from "vitest";
import type { Evidence, Page, Passage } from "#domain";
import { goldBoxes } from "./page-boxes.ts";

const common = {
	document: "report.pdf",
	title: "Report",
	language: "en",
	sha256: "a".repeat(64),
	provenance: { source: "report.pdf" },
};
const size: [number, number] = [200, 400];
const page: Page = {
	...{ kind: "page", ...common, id: "report.pdf#p2", page: 2, text: "", size },
	blocks: [
		{ kind: "heading", text: "Costs", box: [20, 40, 180, 60] },
		{ kind: "text", text: "They were 12 in 2019, and rose to 120.", box: [20, 80, 180, 120] },
		{ kind: "text", text: "Nothing says where 12 stands." },
	],
};
const passage = (id: string, at: number, document = "report.pdf"): Passage => ({
	...{ kind: "passage", ...common, document, id, text: "", form: "prose" },
	regions: [{ page: at, box: [0, 200, 100, 400], size }],
});
const hop = (place: number, evidence: string[], ...accepted: string[]) => ({ place, evidence, accepted });
const boxesOf = (hops: ReturnType<typeof hop>[], evidence: Evidence[] = []) => goldBoxes(page, { hops, evidence });

describe("what of a page is gold", () => {
	it("are the blocks that state an answer as whole words, where the page itself is wanted", () => {
		const box = { corners: [0.1, 0.2, 0.9, 0.3], says: "states the answer of hop 2" };
		expect(boxesOf([hop(1, ["elsewhere"], "Costs"), hop(2, [page.id], "12")])).toEqual([box]);
		expect(boxesOf([hop(2, [page.id], "2", "201", " "), hop(3, [page.id], "1")])).toEqual([]);
		expect(boxesOf([hop(1, [page.id], "COSTS"), hop(2, [page.id], "120")]).map(({ says }) => says)).toEqual([
			"states the answer of hop 1",
			"states the answer of hop 2",
		]);
	});

	it("are the regions of gold passages that stand on it, and of no other page or document", () => {
		const own = passage("report.pdf#p2.1", 2);
		const others = [passage("report.pdf#p3.1", 3), passage("other.pdf#p2.1", 2, "other.pdf")];
		const ids = [own, ...others].map(({ id }) => id);
		expect(boxesOf([hop(1, ids), hop(4, ids)], [own, ...others])).toEqual([
			{ corners: [0, 0.5, 0.5, 1], says: "gold of hop 1 and 4" },
		]);
	});

	it("is nothing where no place is known", () => {
		const { size: _, ...without } = page;
		expect(goldBoxes(without, { hops: [hop(1, [page.id], "Costs")], evidence: [] })).toEqual([]);
	});
});
