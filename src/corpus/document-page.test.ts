import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Block, Evidence, Passage } from "#domain";
import { addPage, blocksOf } from "./document-page.ts";
import { cutByLength } from "./passages.ts";
import { defaultReading } from "./reader.ts";

const file = { path: "/nowhere/report.pdf", label: "docs/report.pdf", size: 1 };
const about = { file, title: "Report", tool: "test-1" };
const size: [number, number] = [600, 800];

function added(blocks: Block[], section = ""): { evidence: Evidence[]; passages: Passage[]; last: string } {
	const evidence: Evidence[] = [];
	const status = { is: "ok" as const };
	const last = addPage(about, { page: 2, size, blocks, status }, section, {
		add: (one) => void evidence.push(one),
		options: defaultReading,
	});
	return { evidence, passages: evidence.filter((one) => one.kind === "passage"), last };
}

describe("a page", () => {
	const blocks: Block[] = [
		{ kind: "header", text: "Annual report", box: [50, 10, 550, 20] },
		{ kind: "text", text: "What the page before began.", box: [50, 30, 550, 60] },
		{ kind: "heading", text: "2 Costs", box: [50, 70, 550, 85] },
		{ kind: "text", text: "Costs rose in both years.", box: [50, 90, 550, 120] },
		{ kind: "caption", text: "Table 1: Costs by year", box: [50, 130, 550, 140] },
		{ kind: "table", text: "Year | Cost\n2020 | 12", box: [50, 145, 550, 200], caption: 4 },
		{ kind: "text", text: "The rest is in the annex.", box: [50, 210, 550, 240] },
		{ kind: "footer", text: "3", box: [290, 780, 310, 790] },
	];

	test("gives itself and passages by section, tables with their captions apart, each with its boxes", () => {
		const { evidence, passages, last } = added(blocks, "1 Summary");
		expect(evidence[0]).toMatchObject({
			kind: "page",
			id: "docs/report.pdf#page=3",
			page: 2,
			status: { is: "ok" },
			blocks,
		});
		expect(passages.map(({ id, section, form, text }) => [id, section, form, text])).toEqual([
			["docs/report.pdf#page=3.1", "1 Summary", "prose", "What the page before began."],
			["docs/report.pdf#page=3.2", "2 Costs", "prose", "Costs rose in both years."],
			["docs/report.pdf#page=3.3", "2 Costs", "table", "Table 1: Costs by year\nYear | Cost\n2020 | 12"],
			["docs/report.pdf#page=3.4", "2 Costs", "prose", "The rest is in the annex."],
		]);
		expect(passages[2]?.regions).toEqual([
			{ page: 2, box: [50, 130, 550, 140], size },
			{ page: 2, box: [50, 145, 550, 200], size },
		]);
		expect(last).toBe("2 Costs");
	});

	test("without text is a page and no passage", () => {
		expect(added([]).evidence).toHaveLength(1);
	});
});

test("pieces cut from blocks name just the blocks whose characters they hold", () => {
	const words = fc.array(fc.constantFrom("ab", "cd.", "e", "ab cd", "."), { minLength: 1, maxLength: 12 });
	const texts = fc.array(
		words.map((parts) => parts.join(" ")),
		{ minLength: 1, maxLength: 8 },
	);
	fc.assert(
		fc.property(texts, fc.integer({ min: 8, max: 60 }), (texts, longest) => {
			const blocks = texts.map((text): Block => ({ kind: "text", text }));
			const pieces = cutByLength(texts.join("\n\n"), { longest, overlap: 5 });
			const named = blocksOf(pieces, blocks);
			// every block is in some piece, and what is named holds the piece
			expect(new Set(named.flat()).size).toBe(blocks.length);
			for (const [index, piece] of pieces.entries()) {
				const text = named[index]?.map((block) => block.text).join("");
				expect(text?.replace(/\s/g, "")).toContain(piece.replace(/\s/g, ""));
			}
		}),
	);
});
