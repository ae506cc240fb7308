import { existsSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tagValues, tally } from "#domain";
import { readRowsAs, rowsWritten } from "../../../test/support/benchmarks/rows-read.ts";
import { doubleBench } from "./double-bench.ts";

const single = {
	uid: "0005",
	question: "What does the tide table of the pilots' handbook say about the north gate?",
	answer: "It opens two hours before high water.",
	reference_page: [0, 7],
	source_type: "table",
	language: "fr",
	doc_path: "docs/French/0010",
	query_type: "Specific Information Retrieval",
	doc_type: "PDF",
};
const { source_type: _source, ...withoutType } = single;
const other = { ...withoutType, uid: "2100", modality: "figure", reference_page: [3] };
const multi = {
	...withoutType,
	uid: "0005",
	source_type: ["text", "table"],
	question: "Who commanded the ship that the north gate is named after?",
	answer: "Captain Vane",
	reference_page: [2, 4, 9],
	steps: [
		{ question0: "Which ship is the north gate named after?", answer0: "The Heron", reference_page: [4, 2] },
		{ question1: "Who commanded the Heron?", answer1: "Captain Vane", reference_page: [9] },
	],
};
const fromOne = {
	...multi,
	uid: "0006",
	reference_page: [4, 9, 30],
	steps: multi.steps.map((step, index) => ({
		[`question${index + 1}`]: Object.values(step)[0],
		[`answer${index + 1}`]: Object.values(step)[1],
		reference_page: step.reference_page,
	})),
};

describe("Double-Bench", () => {
	it("reads both variants; pages count from 0 and any of them suffices", async () => {
		const { tasks, refused } = await readRowsAs(doubleBench, [single, other], { documents: "db/" });
		expect(refused).toEqual([]);
		expect(tasks.map((task) => task.chain?.hops[0]?.evidence)).toEqual([
			["db/docs/French/0010#page=1", "db/docs/French/0010#page=8"],
			["db/docs/French/0010#page=4"],
		]);
		expect(tasks.map(({ tags }) => [tags.documentType, tags.evidenceModality])).toEqual([
			["pdf", "table"],
			["pdf", "figure"],
		]);
		expect(tasks[0]?.answer.type).toBe("text");
	});

	it("has one word for each type of document, and every modality of its steps", async () => {
		const types = ["PDF", "Scanned Doc", "Slides", "HTML Pages"];
		const rows = types.map((doc_type, uid) => ({ ...multi, uid, doc_type }));
		const odd = [
			{ ...single, uid: 8, doc_type: "Poster" },
			{ ...single, uid: 9, source_type: "chart" },
		];
		const { tasks, losses } = await readRowsAs(doubleBench, [...rows, ...odd]);
		expect(tasks.map(({ tags }) => tags.documentType)).toEqual(["pdf", "scanned", "slides", "html", undefined, "pdf"]);
		expect(tasks.map(({ tags }) => tagValues(tags, "evidenceModality"))).toEqual([
			...Array(4).fill(["text", "table"]),
			...[["table"], []],
		]);
		expect(losses.join(" ")).toMatch(/document type "Poster" is not known.*modality "chart" is not known/);
	});

	const released = join("..", "shared/data/forms/double-bench.single.sample.json");
	it.skipIf(!existsSync(released))("finds a type and a modality in every row as released", async () => {
		const reading = await doubleBench.read?.([released]);
		expect(reading?.losses).toEqual([]);
		expect(Object.keys(tally(reading?.tasks.map(({ tags }) => tags.documentType ?? "none") ?? [])).sort()).toEqual([
			...["html", "pdf", "scanned", "slides"],
		]);
		expect(tally(reading?.tasks.map(({ tags }) => tags.evidenceModality ?? "none") ?? [])).toEqual({
			...{ figure: 7, table: 10, text: 23 },
		});
	});

	it("reads numbered steps as a line of hops", async () => {
		const { tasks, losses } = await readRowsAs(doubleBench, [multi]);
		expect(losses).toEqual([]);
		expect(tasks[0]).toMatchObject({
			id: "multi-0005",
			chain: {
				hops: [
					{ id: "h1", needs: [], evidence: ["docs/French/0010#page=5", "docs/French/0010#page=3"] },
					{ id: "h2", needs: [{ hop: "h1", role: "bridge" }], evidence: ["docs/French/0010#page=10"] },
				],
				sink: "h2",
			},
		});
	});

	it("gives back every row as it was", async () => {
		const noChain = { ...multi, uid: "0007", answer: "Vane, a captain" };
		const noPage = { ...single, uid: "0008", reference_page: [] };
		const rows = [single, other, multi, fromOne, noChain, noPage];
		const reading = await readRowsAs(doubleBench, rows, { documents: "db/" });
		expect(reading.refused).toEqual([]);
		expect(reading.losses).toHaveLength(2);
		const { written, losses } = await rowsWritten(doubleBench, reading);
		expect(losses).toEqual([]);
		expect(written).toEqual({
			"single_bench.json": [single, other, noPage],
			"multi_bench.json": [multi, fromOne, noChain],
		});
	});

	it("gives back odd texts and pages", async () => {
		const text = fc.string({ minLength: 1, unit: "binary" });
		const pages = fc.uniqueArray(fc.nat(500), { minLength: 1, maxLength: 6 });
		await fc.assert(
			fc.asyncProperty(text, text, pages, async (question, answer, reference_page) => {
				const row = { ...single, question, answer, reference_page };
				const { written } = await rowsWritten(doubleBench, await readRowsAs(doubleBench, [row]));
				expect(written).toEqual({ "single_bench.json": [row] });
			}),
			{ numRuns: 20 },
		);
	});

	it("refuses what it does not understand", async () => {
		const { tasks, refused } = await readRowsAs(doubleBench, [
			withoutType,
			{ ...single, modality: "text" },
			{ ...single, reference_page: ["3"] },
			{ ...multi, steps: [{ question: "Which?", answer: "That", reference_page: [1] }] },
			{ ...multi, steps: [{ ...multi.steps[0], clue: "x" }] },
		]);
		expect(tasks).toEqual([]);
		expect(refused.map(({ row }) => row)).toEqual([1, 2, 3, 4, 5]);
		expect(refused[3]?.reason).toBe("step 1 has no question1 and answer1");
		expect(refused[0]).toMatchObject({ id: "0005" });
	});

	it("writes chains from elsewhere and says what has no place", async () => {
		const [task] = (await readRowsAs(doubleBench, [multi])).tasks;
		if (!task?.chain) throw new Error("no chain");
		const { native: _native, ...ours } = task;
		const [first, last] = task.chain.hops;
		if (!first || !last) throw new Error("no hops");
		const fork = {
			...ours,
			id: "fork",
			chain: {
				hops: [
					first,
					{ ...first, id: "h9" },
					{
						...last,
						needs: [
							{ hop: "h1", role: "operand" as const },
							{ hop: "h9", role: "operand" as const },
						],
					},
				],
				sink: "h2",
			},
		};
		const passage = { ...ours, id: "passage", chain: { hops: [{ ...first, evidence: ["wiki:1"] }, last], sink: "h2" } };
		const made = await rowsWritten(doubleBench, { tasks: [fork, passage] });
		expect(made.rows).toBe(1);
		expect(made.losses).toHaveLength(2);
		expect(made.written["multi_bench.json"]).toMatchObject([
			{ uid: "fork", doc_path: "docs/French/0010", reference_page: [2, 4, 9] },
		]);
	});
});
