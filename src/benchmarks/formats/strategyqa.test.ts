import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { strategyqa } from "./strategyqa.ts";

const question = {
	...{
		qid: "s1",
		term: "Obern",
		description: "Harbour town",
		question: "Could Obern's quay hold a whale?",
		answer: true,
	},
	facts: ["The quay of Obern is 40 m long.", "Whales are up to 30 m long."],
	decomposition: ["How long is the quay of Obern?", "How long is a whale?", "Is #1 greater than #2?"],
	evidence: [
		[[["Obern-3"]], [["Whale-1", "Whale-7"]], ["operation"]],
		[[["Obern-3"]], [["Whale-2"], "no_evidence"], ["no_evidence", "operation"]],
	],
};
const paragraphs = Object.fromEntries(
	["Obern-3", "Whale-1", "Whale-7"].map((name) => {
		const [title = "", place] = name.split("-");
		return [name, { title, section: "Size", headers: [], para_index: Number(place), content: `${name} is long.` }];
	}),
);

let root = "";
beforeAll(async () => {
	root = await mkdtemp(join(tmpdir(), "hopscope-strategyqa-"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

async function read(rows: unknown[], withParagraphs = false) {
	const files = [join(root, "dev.json"), ...(withParagraphs ? [join(root, "paragraphs.json")] : [])];
	await writeFile(join(root, "dev.json"), JSON.stringify(rows));
	await writeFile(join(root, "paragraphs.json"), JSON.stringify(paragraphs));
	return strategyqa.read?.(files);
}

describe("StrategyQA", () => {
	it("keeps the steps as they are, and what all annotators found as support, in no order", async () => {
		const hidden = { qid: "s2", question: "Hidden?", decomposition: [], evidence: [] };
		const bare = { qid: "s3", question: "Bare?", answer: false, facts: ["f"] };
		const reading = await read([question, hidden, bare]);
		const [task, second] = reading?.tasks ?? [];
		expect(task).toMatchObject({
			...{ id: "s1", answer: { type: "boolean", value: "yes", accepted: ["yes"] }, tags: { steps: "3" } },
			supporting: ["Obern-3", "Whale-1", "Whale-7", "Whale-2"].map((name) => `strategyqa#${name}`),
		});
		expect(task).not.toHaveProperty("chain");
		const { qid: _qid, question: _question, answer: _answer, ...rest } = question;
		expect(task?.native).toEqual({ format: "strategyqa", ...rest });
		expect(second).toMatchObject({ answer: { type: "boolean", value: "no" }, tags: { steps: "0" } });
		expect(second).not.toHaveProperty("supporting");
		expect(reading?.refused).toMatchObject([
			{ row: 2, id: "s2", reason: "its answer is not public, as in the test set" },
		]);
	});

	it("reads the paragraphs as evidence, and tells those that are not there", async () => {
		const reading = await read([question], true);
		expect(reading?.rows).toBe(4);
		expect(reading?.evidence).toMatchObject([
			{ id: "strategyqa#Obern-3", title: "Obern", section: "Size", text: "Obern-3 is long." },
			...[{ id: "strategyqa#Whale-1" }, { id: "strategyqa#Whale-7" }],
		]);
		expect(reading?.tasks[0]?.supporting).not.toContain("strategyqa#Whale-2");
		expect(reading?.losses).toEqual(['s1: 1 of its 4 paragraphs are not in the files, e.g. "Whale-2"']);
	});

	const sample = join("..", "shared", "data", "forms", "strategyqa_dev.sample.json");
	test.skipIf(!existsSync(sample))("reads every row of the real sample", async () => {
		const reading = await strategyqa.read?.([sample]);
		expect([reading?.rows, reading?.tasks.length, reading?.refused, reading?.losses]).toEqual([60, 60, [], []]);
		expect(reading?.tasks.every(({ supporting }) => (supporting?.length ?? 0) > 0)).toBe(true);
		expect(reading?.tasks[1]).toMatchObject({
			...{ id: "c69397b4341b65ed080f", answer: { value: "yes" }, tags: { steps: "2" } },
			supporting: [
				...["Demographics of Saint Vincent and the Grenadines-9", "Saint Vincent and the Grenadines-59"],
				"Vincentian Creole-1",
			].map((name) => `strategyqa#${name}`),
		});
	});
});
