import { describe, expect, it } from "vitest";
import { readRowsAs } from "../../../test/support/benchmarks/rows-read.ts";
import { mmdocir } from "./mmdocir.ts";
import { pageEvidence, pageNumber } from "./pages.ts";
import { slidevqa } from "./slidevqa.ts";
import { vidoseek } from "./vidoseek.ts";

describe("pages", () => {
	it("count from 0 inside, and from the format's base outside", () => {
		for (const base of [0, 1] as const)
			for (const number of [base, 7, 300]) {
				const id = pageEvidence("a/b.pdf", number, { base, prefix: "papers/" });
				expect(id).toBe(`papers/a/b.pdf#page=${number - base + 1}`);
				expect(pageNumber(id, { base, prefix: "papers/" })).toEqual({ document: "a/b.pdf", number });
			}
		expect(pageNumber("a.pdf#page=4.f1", { base: 1 })).toEqual({ document: "a.pdf", number: 4 });
		expect(pageNumber("wiki:1", { base: 0 })).toBeUndefined();
		expect(() => pageEvidence("a.pdf", 0, { base: 1 })).toThrow("page 0");
		expect(() => pageEvidence("a.pdf", 1.5, { base: 0 })).toThrow("page 1.5");
	});
});

describe("ViDoSeek", () => {
	const example = {
		uid: "ab_1",
		query: "How deep is the harbour at low water?",
		reference_answer: "4 metres",
		meta_info: { file_name: "harbour.pdf", reference_page: [10], source_type: "Table", query_type: "Single-Hop" },
	};
	it("reads the list of examples, pages from 1", async () => {
		const two = { ...example, uid: "ab_2", meta_info: { ...example.meta_info, reference_page: [10, 11] } };
		const none = { ...example, uid: "ab_3", meta_info: { ...example.meta_info, reference_page: [0] } };
		const { tasks, refused } = await readRowsAs(vidoseek, { examples: [example, two, none] });
		expect(tasks[0]?.chain?.hops[0]).toMatchObject({ modality: "page", evidence: ["harbour.pdf#page=10"] });
		expect(tasks[1]?.supporting).toEqual(["harbour.pdf#page=10", "harbour.pdf#page=11"]);
		expect(refused).toMatchObject([{ row: 3, id: "ab_3", reason: "page 0: pages are whole numbers from 1" }]);
	});
	it("is an error where the list is not there", async () => {
		await expect(readRowsAs(vidoseek, { rows: [] })).rejects.toThrow('holds no list "examples"');
	});
});

describe("MMDocIR", () => {
	const line = {
		doc_name: "tides",
		domain: "Guidebook",
		page_indices: [0, 20],
		layout_indices: [0, 90],
		questions: [
			{
				Q: "When is high water?",
				A: "at noon",
				page_id: [0],
				type: "['Table']",
				layout_mapping: [{ page: 0, page_size: [600, 800], bbox: [10, 20, 300, 90] }],
			},
			{ Q: "Who wrote it?", A: ["Vane", "Captain Vane"], page_id: [2, 3], type: "Text", layout_mapping: [] },
			{ Q: "Which tide?", A: "x", page_id: [1], type: "['Table'", layout_mapping: [] },
			{
				Q: "Which box?",
				A: "x",
				page_id: [1],
				type: "[]",
				layout_mapping: [{ page: 1, page_size: [6, 8], bbox: [9, 2, 3, 4] }],
			},
			{ Q: "No page?", A: "x", page_id: [-1], type: "[]" },
		],
	};
	it("reads each question of a line, pages from 0 and boxes in points", async () => {
		const text = `${JSON.stringify(line)}\n{"doc_name": "empty"}\n`;
		const { tasks, refused, rows } = await readRowsAs(mmdocir, text, { documents: "docs/" }, "annotations.jsonl");
		expect(rows).toBe(6);
		expect(tasks).toHaveLength(2);
		expect(tasks[0]).toMatchObject({
			chain: { hops: [{ evidence: ["docs/tides#page=1"] }] },
			native: { regions: [{ page: 0, box: [10, 20, 300, 90], size: [600, 800] }] },
			tags: { evidenceSources: "Table", domain: "Guidebook" },
		});
		expect(tasks[1]).toMatchObject({
			answer: { accepted: ["Vane", "Captain Vane"] },
			supporting: ["docs/tides#page=3", "docs/tides#page=4"],
		});
		expect(refused.map(({ row, reason }) => [row, reason.split(":")[0]])).toEqual([
			[1, "at type"],
			[1, "at layout_mapping"],
			[1, "page -1"],
			[2, "holds no list of questions"],
		]);
	});
});

describe("MMDocIR's answers of several things", () => {
	it("are lists, one right form only where they are no list", async () => {
		const asked = ["['North', '10%']", "[1, 2]", "[]", "[see table 3", "North", "Not answerable"];
		const questions = asked.map((A) => ({ Q: `Which, ${A}?`, A, page_id: [1], type: "['Chart']" }));
		const { tasks, refused } = await readRowsAs(mmdocir, [{ doc_name: "tides", domain: "", questions }]);
		expect(refused).toEqual([]);
		expect(tasks.map(({ answer }) => [answer.type, "items" in answer ? answer.items : answer.value])).toEqual([
			["list", ["North", "10%"]],
			["list", ["1", "2"]],
			["string", "[]"],
			["string", "[see table 3"],
			["string", "North"],
			["none", "Not answerable"],
		]);
	});
});

describe("MMDocIR's rows that ask the same", () => {
	it("are told apart by their pages, and kept where these are the same", async () => {
		const asked = { Q: "What is shown?", A: "a quay", type: "['Figure']" };
		const questions = [4, 9, 9].map((page) => ({ ...asked, page_id: [page] }));
		const { tasks, refused, losses } = await readRowsAs(mmdocir, [{ doc_name: "tides", domain: "", questions }]);
		expect(refused).toEqual([]);
		expect(tasks.map(({ chain }) => chain?.hops[0]?.evidence)).toEqual([
			["tides#page=5"],
			["tides#page=10"],
			["tides#page=10"],
		]);
		expect(tasks[2]?.id).toBe(`${tasks[1]?.id}-2`);
		expect(losses).toEqual([`${tasks[2]?.id}: says the same as ${tasks[1]?.id}: kept as a task of its own`]);
	});
});

describe("SlideVQA", () => {
	const row = {
		deck_name: "harbour-talk",
		deck_url: "https://example.org/d",
		image_urls: [],
		qa_id: 5,
		question: "How many cranes are there?",
		answer: "3",
		arithmetic_expression: "5-2",
		evidence_pages: [20],
		reasoning_type: "Single-hop",
		answer_type: "Single-Span",
	};
	const deck = {
		deck_name: "harbour-talk",
		category: "x",
		bboxes: [
			[
				"20",
				[
					{ bbox_id: 1, class: "Title", bbox: [5, 6, 100, 20] },
					{ bbox_id: 2, class: "Diagram", bbox: [0, 0, 1, 1] },
				],
			],
		],
	};
	it("reads questions, and decks' boxes of corner and extent, and tells its licence", async () => {
		const { tasks, evidence, refused, source } = await readRowsAs(slidevqa, [
			row,
			deck,
			{ deck_name: "x" },
			{ ...deck, bboxes: [[1, [{ bbox_id: 1, class: "Title", bbox: [5, 6, -1, 20] }]]] },
		]);
		expect(tasks[0]).toMatchObject({
			chain: { hops: [{ evidence: ["harbour-talk#page=20"] }] },
			tags: { arithmetic: "5-2" },
		});
		expect(evidence).toMatchObject([
			{ id: "harbour-talk#page=20", page: 19, blocks: [{ kind: "heading", box: [5, 6, 105, 26] }, { kind: "figure" }] },
		]);
		expect(refused.map(({ row: number }) => number)).toEqual([3, 4]);
		expect(source.licence).toContain("no redistribution");
		expect(tasks[0]?.rights).toBe(source.licence);
	});
});
