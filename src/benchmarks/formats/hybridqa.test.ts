import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { hybridqa } from "./hybridqa.ts";

const table = {
	url: "https://en.wikipedia.org/wiki/Harbours_of_Ruvia",
	title: "Harbours of Ruvia",
	header: [
		["Harbour", []],
		["Depth", []],
	],
	data: [
		[
			["Obern", ["/wiki/Obern"]],
			["4 m", []],
		],
		[
			["Tarn", ["/wiki/Tarn_(town)", "/wiki/Empty"]],
			["9 m", []],
		],
	],
	...{ section_title: "Sea harbours", section_text: "", uid: "Harbours_of_Ruvia_0" },
};
const linked = {
	"/wiki/Obern": "Obern was founded in 1611 .",
	"/wiki/Tarn_(town)": "Tarn is a town .",
	"/wiki/Empty": "",
};
const row = {
	...{ question_id: "q1", question: "When was the harbour of 4 m founded ?", table_id: "Harbours_of_Ruvia_0" },
	...{ "answer-text": "1611", question_postag: "WRB", "answer-node": [["Obern", [0, 0], "/wiki/Obern", "passage"]] },
};

let root = "";
beforeAll(async () => {
	root = await mkdtemp(join(tmpdir(), "hopscope-hybridqa-"));
	for (const [folder, content] of [
		["tables_tok", table],
		["request_tok", linked],
	] as const) {
		await mkdir(join(root, "WikiTables-WithLinks", folder), { recursive: true });
		await writeFile(join(root, "WikiTables-WithLinks", folder, `${row.table_id}.json`), JSON.stringify(content));
	}
});
afterAll(() => rm(root, { recursive: true, force: true }));

async function read(rows: unknown[], ...folders: string[]) {
	const file = join(root, "dev.json");
	await writeFile(file, JSON.stringify(rows));
	return hybridqa.read?.([file, ...folders.map((folder) => join(root, "WikiTables-WithLinks", folder))]);
}

const named = "hybridqa#Harbours_of_Ruvia_0";

describe("HybridQA", () => {
	it("reads questions about a table that is named, with the places of the answer's words kept aside", async () => {
		const reading = await read([row, { ...row, question_id: "q2", "answer-text": undefined }]);
		expect(reading).toMatchObject({ rows: 2, evidence: [], losses: [] });
		expect(reading?.tasks).toMatchObject([
			{ id: "q1", answer: { type: "string", accepted: ["1611"] }, supporting: [named], tags: { language: "en" } },
		]);
		expect(reading?.tasks[0]).not.toHaveProperty("chain");
		expect(reading?.tasks[0]).not.toHaveProperty("context");
		expect(reading?.tasks[0]?.native).toMatchObject({ table_id: row.table_id, "answer-node": row["answer-node"] });
		expect(reading?.refused).toMatchObject([{ row: 2, reason: "its answer is not public, as in the test set" }]);
	});

	it.each([[""], ["tables_tok", "request_tok"]])("reads the table and its passages from %s %s", async (...folders) => {
		const reading = await read(
			[row, { ...row, question_id: "q2" }, { ...row, question_id: "q3", table_id: "no" }],
			...folders,
		);
		expect(reading?.tasks.map(({ id, context }) => [id, context?.length])).toEqual([
			["q1", 3],
			["q2", 3],
		]);
		expect(reading?.refused).toMatchObject([{ row: 3, reason: expect.stringContaining("its table no is not in") }]);
		expect(reading?.evidence).toHaveLength(3);
		expect(reading?.evidence.find(({ id }) => id === named)).toMatchObject({
			...{ title: "Harbours of Ruvia", section: "Sea harbours", document: table.url, form: "table" },
			text: "Harbour | Depth\nObern | 4 m\nTarn | 9 m",
		});
		const town = reading?.evidence.find(({ title }) => title === "Tarn (town)");
		expect(town).toMatchObject({ document: "https://en.wikipedia.org/wiki/Tarn_(town)", text: "Tarn is a town ." });
	});

	const sample = join("..", "shared", "data", "forms", "hybridqa_dev.sample.json");
	test.skipIf(!existsSync(sample))("reads every row of the real sample", async () => {
		const reading = await hybridqa.read?.([sample]);
		expect([reading?.rows, reading?.tasks.length, reading?.refused]).toEqual([60, 60, []]);
		expect(reading?.tasks.find(({ id }) => id === "00153f694413a536")).toMatchObject({
			answer: { value: "Jerry" },
			supporting: ["hybridqa#List_of_National_Football_League_rushing_yards_leaders_0"],
		});
	});
});
