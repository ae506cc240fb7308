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
		expect(tasks[0]?.chain?.hops[0]).toMatchObject({ modality: "page", evidence: ["report.pdf#page=3"] });
		expect(tasks[0]?.tags).toMatchObject({
			evidenceSources: "Chart, Pure-text (Plain-text)",
			...{ documentType: "pdf", documentGenre: "Brochure", evidenceModality: "text, figure" },
		});
		expect(tasks[2]).toMatchObject({ supporting: ["report.pdf#page=1", "report.pdf#page=4"] });
		expect(tasks[2]?.chain).toBeUndefined();
		expect(tasks[3]?.supporting).toBeUndefined();
		expect(losses).toHaveLength(2);
		expect(new Set(tasks.map(({ cluster }) => cluster)).size).toBe(1);
	});

	it("puts the name of the documents' folder before them", async () => {
		const { tasks } = await readRowsAs(mmlongbenchDoc, [row], { documents: "papers/" });
		expect(tasks[0]?.chain?.hops[0]?.evidence).toEqual(["papers/report.pdf#page=3"]);
	});

	it("keeps odd rows, and says what is odd about each", async () => {
		const ask = (question: string, odd: object) => ({ ...row, question, ...odd });
		const { tasks, refused, losses } = await readRowsAs(mmlongbenchDoc, [
			ask("a", { evidence_pages: "[0]" }),
			ask("b", { evidence_pages: "[0, 3]" }),
			ask("c", { evidence_pages: "5" }),
			ask("d", { evidence_pages: 5, evidence_sources: "Chart" }),
			ask("e", { evidence_pages: [5, 6], evidence_sources: ["Table"] }),
			ask("f", { answer: "0.660", answer_format: "List" }),
			ask("g", { answer: "[]", answer_format: "List" }),
			ask("h", {}),
			ask("h", {}),
			ask("h", { answer: "8" }),
		]);
		expect(refused).toEqual([]);
		const rests = tasks.map(({ chain, supporting }) => supporting ?? chain?.hops[0]?.evidence);
		expect(rests.slice(0, 5)).toEqual([
			...[undefined, ["report.pdf#page=3"], ["report.pdf#page=5"], ["report.pdf#page=5"]],
			["report.pdf#page=5", "report.pdf#page=6"],
		]);
		expect(tasks[1]?.chain).toBeUndefined();
		expect(tasks[3]?.tags.evidenceSources).toBe("Chart");
		expect(tasks.slice(5, 7).map(({ answer }) => answer)).toEqual([
			{ type: "list", value: "0.660", accepted: ["0.660"], items: ["0.660"] },
			{ type: "string", value: "[]", accepted: ["[]"] },
		]);
		const [first, second, third] = tasks.slice(7);
		expect([second?.id, third?.id]).toEqual([`${first?.id}-2`, `${first?.id}-3`]);
		expect(third?.answer.value).toBe("8");
		expect(losses.map((told) => told.replace(/^\S+: /, ""))).toEqual([
			"evidence_pages holds page 0, and pages count from 1: that one is left out, kept without a chain",
			"evidence_pages holds page 0, and pages count from 1: that one is left out, kept without a chain",
			'evidence_pages is "5" and no list: taken as its only member',
			'evidence_sources is "Chart" and no list: taken as its only member',
			'evidence_pages is "5" and no list: taken as its only member',
			'answer is "0.660" and no list: taken as its only member',
			"its answer is an empty list: kept as it is written",
			`says the same as ${first?.id}: kept as a task of its own`,
			`says the same as ${first?.id}: kept as a task of its own`,
		]);
	});

	it("refuses what it does not understand, with the row", async () => {
		const { tasks, refused } = await readRowsAs(mmlongbenchDoc, [
			{ ...row, evidence_pages: "[-1]" },
			{ ...row, evidence_pages: "3, 4" },
			{ ...row, evidence_pages: "['iii']" },
			{ ...row, answer: "7", answer_format: "None" },
			{ ...row, answer_format: "Text" },
			{ ...row, answer: "['a'", answer_format: "List" },
			{ ...row, evidence_pages: "" },
			row,
		]);
		expect(tasks).toHaveLength(1);
		expect(refused.map(({ row, reason }) => [row, reason.slice(0, 24)])).toEqual([
			[1, 'evidence_pages holds "-1'],
			[2, 'evidence_pages holds "3,'],
			[3, 'evidence_pages holds "ii'],
			[4, "says that it has no answ"],
			[5, "at answer_format: Invali"],
			[6, "at answer: not a Python "],
			[7, "at evidence_pages: it is"],
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
		expect([...cited].every((id) => existsSync(join("..", "shared", "data", id.replace(/#page=\d+$/, ""))))).toBe(true);
	});
});
