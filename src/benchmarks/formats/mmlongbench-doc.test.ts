import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { readRowsAs } from "../../../test/support/benchmarks/rows-read.ts";
import { mmlongbenchDoc } from "./mmlongbench-doc.ts";

const row = {
	doc_id: "report.pdf",
	doc_type: "Brochure",
	question: "How many gates does the harbour have?",
	answer: "7",
	evidence_pages: "[3]",
	evidence_sources: "['Chart', \"Pure-text (Plain-text)\"]",
	answer_format: "Int",
};

const documents = join("..", "shared", "data", "documents");

describe("MMLongBench-Doc", () => {
	it("reads lists as text, pages from 1, and typed answers", async () => {
		const { tasks, refused, losses } = await readRowsAs(mmlongbenchDoc, [
			row,
			{ ...row, question: "Which gates are closed?", answer: "['North', \"Fishers' gate\"]", answer_format: "List" },
			{ ...row, question: "How tall is it?", answer: "3.50", answer_format: "Float", evidence_pages: "[1, 4]" },
			{ ...row, question: "Who built it?", answer: "Not answerable", answer_format: "None", evidence_pages: "[]" },
			{ ...row, question: "Who closed it?", answer: "no one", answer_format: "Str", evidence_pages: "[]" },
			{ ...row, question: "What does it cost?", answer: "$4", answer_format: "Int" },
		]);
		expect(refused).toEqual([]);
		expect(tasks.map(({ answer }) => answer)).toEqual([
			{ type: "number", value: "7", accepted: ["7"], number: { value: 7, kind: "count" } },
			{
				type: "list",
				value: "['North', \"Fishers' gate\"]",
				accepted: ["['North', \"Fishers' gate\"]"],
				items: ["North", "Fishers' gate"],
			},
			{ type: "number", value: "3.50", accepted: ["3.50", "3.5"], number: { value: 3.5, kind: "measure" } },
			{ type: "none", value: "Not answerable", accepted: ["Not answerable"] },
			{ type: "string", value: "no one", accepted: ["no one"] },
			{ type: "string", value: "$4", accepted: ["$4"] },
		]);
		expect(tasks[0]?.chain?.hops[0]).toMatchObject({ modality: "page", evidence: ["report.pdf#p2"] });
		expect(tasks[0]?.tags).toMatchObject({
			evidenceSources: "Chart, Pure-text (Plain-text)",
			...{ documentType: "pdf", documentGenre: "Brochure", evidenceModality: "text, figure" },
		});
		expect(tasks[2]).toMatchObject({ supporting: ["report.pdf#p0", "report.pdf#p3"] });
		expect(tasks[2]?.chain).toBeUndefined();
		expect(tasks[3]?.supporting).toBeUndefined();
		expect(losses).toHaveLength(2);
		expect(new Set(tasks.map(({ cluster }) => cluster)).size).toBe(1);
	});

	it("puts the name of the documents' folder before them", async () => {
		const { tasks } = await readRowsAs(mmlongbenchDoc, [row], { documents: "papers/" });
		expect(tasks[0]?.chain?.hops[0]?.evidence).toEqual(["papers/report.pdf#p2"]);
	});

	it("refuses what it does not understand, with the row", async () => {
		const { tasks, refused } = await readRowsAs(mmlongbenchDoc, [
			{ ...row, evidence_pages: "[0]" },
			{ ...row, evidence_pages: "3, 4" },
			{ ...row, evidence_pages: "['iii']" },
			{ ...row, answer: "7", answer_format: "None" },
			{ ...row, answer_format: "Text" },
			{ ...row, answer: "[]", answer_format: "List" },
			row,
			row,
		]);
		expect(tasks).toHaveLength(1);
		expect(refused.map(({ row, reason }) => [row, reason.slice(0, 24)])).toEqual([
			[1, "page 0: pages are whole "],
			[2, "at evidence_pages: not a"],
			[3, 'evidence_pages holds "ii'],
			[4, "says that it has no answ"],
			[5, "at answer_format: Invali"],
			[6, "its answer is an empty l"],
			[8, "another row has the same"],
		]);
	});

	test.skipIf(!existsSync(documents))("reads the real file whole", async () => {
		const reading = await mmlongbenchDoc.read?.([join(documents, "questions.json")], { documents: "documents/" });
		expect(reading).toMatchObject({ rows: 25, refused: [] });
		const tasks = reading?.tasks ?? [];
		expect(tasks).toHaveLength(25);
		const cited = new Set(
			tasks.flatMap((task) => [...(task.supporting ?? []), ...(task.chain?.hops[0]?.evidence ?? [])]),
		);
		expect([...cited].every((id) => existsSync(join("..", "shared", "data", id.replace(/#p\d+$/, ""))))).toBe(true);
	});
});
