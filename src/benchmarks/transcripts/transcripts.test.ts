import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { importTranscripts, type TranscriptFormatName } from "#benchmarks";
import { RunRecord, retrievalSteps, Task } from "#domain";
import { longTest } from "../../../test/long.ts";

let dir: string;
beforeAll(async () => {
	dir = await mkdtemp(join(tmpdir(), "hopscope-transcripts-"));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

let count = 0;
async function read(format: TranscriptFormatName, lines: readonly (object | string)[]) {
	const file = join(dir, `${count++}.jsonl`);
	await writeFile(file, lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n"));
	return importTranscripts(file, format);
}

const searched = (query: string, documents: string) =>
	`<|begin_of_query|> ${query}<|end_of_query|>\n\n<|begin_of_documents|>\n${documents}\n<|end_of_documents|>\n`;
const ferry = "(1)Ferry of Lund   The ferry of Lund was built in 1907.\n(2)Lund   Lund is a harbour.\nIt is small.";
const line = (more: object = {}) => ({
	question: "Who built the ferry of Lund?",
	answer: "Ada Berg",
	pred_ans: " Ada Berg ",
	stop_reason_final: "finished",
	gen_text_store: `First the year.\n${searched("ferry of Lund", ferry)}It is from 1907.\n${searched("builders 1907", "(1)Ada Berg   Ada Berg built ferries.")}So it was Ada Berg.</think>\n<answer> Ada Berg </answer>`,
	gpt4o_output: "True",
	...more,
});

describe("R1-Searcher's evaluation output", () => {
	test("becomes a task, a record with a step for each search, and the documents", async () => {
		const { tasks, records, passages, judged, k, problems } = await read("r1-searcher", [line()]);
		expect(problems).toEqual([]);
		expect(tasks).toMatchObject([
			{ id: "r1-searcher-1", question: "Who built the ferry of Lund?", answer: { accepted: ["Ada Berg"] } },
		]);
		const [record] = records;
		expect(record?.trajectory).toMatchObject({ answer: "Ada Berg", stop: "answered" });
		expect(record?.trajectory.steps).toMatchObject([
			{ index: 0, thought: "First the year.", call: { tool: "text_search", arguments: { query: "ferry of Lund" } } },
			{ index: 1, thought: "It is from 1907.", call: { arguments: { query: "builders 1907" }, valid: true } },
			{ index: 2, thought: "So it was Ada Berg.", results: [] },
		]);
		const [first] = record?.trajectory.steps ?? [];
		const found = first?.results.map(({ id }) => passages.find((passage) => passage.id === id));
		expect(found).toMatchObject([
			{ title: "Ferry of Lund", text: "The ferry of Lund was built in 1907." },
			{ title: "Lund", text: "Lund is a harbour.\nIt is small." },
		]);
		expect(judged).toEqual([{ task: "r1-searcher-1", repeat: 0, rater: "gpt-4o", said: "True" }]);
		expect(k).toBe(2);
	});

	test("a document that comes back twice is one passage, and the same question twice one cluster", async () => {
		const { tasks, passages } = await read("r1-searcher", [line(), line({ pred_ans: "Bo" })]);
		expect(passages).toHaveLength(3);
		expect(tasks[0]?.cluster).toBe(tasks[1]?.cluster);
		expect(tasks.map(({ id }) => id)).toEqual(["r1-searcher-1", "r1-searcher-2"]);
	});

	test("calls that were not carried out are invalid and say why", async () => {
		const { records, losses } = await read("r1-searcher", [
			line({ gen_text_store: `${searched("", ferry)}<answer>x</answer>` }),
			line({ gen_text_store: "<|begin_of_query|> one<|end_of_query|> then <|begin_of_query|> two", pred_ans: null }),
			line({ gen_text_store: "Hm.", stop_reason_final: "many_searches", pred_ans: "I don't know" }),
		]);
		const calls = records.map(({ trajectory }) => trajectory.steps.map(({ call, error }) => [call?.valid, error]));
		expect(calls).toEqual([
			[[false, "the query is empty"]],
			[
				[false, "nothing came back in the transcript"],
				[false, "the query never ends"],
			],
			[[undefined, undefined]],
		]);
		expect(records.map(({ trajectory }) => [trajectory.stop, trajectory.answer])).toEqual([
			["answered", "Ada Berg"],
			["turn-limit", null],
			["turn-limit", null],
		]);
		expect(losses).toContain('ended "many_searches" (line 3)');
		expect(losses).toContain("ended without an answer: taken as stopped by the protocol's limit (lines 2, 3)");
	});

	test("lines that cannot be read are named and stop nothing; a file without any is an error", async () => {
		const { tasks, problems } = await read("r1-searcher", ["{", line(), { question: "" }, line({ answer: " " })]);
		expect(tasks.map(({ id }) => id)).toEqual(["r1-searcher-2"]);
		expect(problems.map((problem) => problem.slice(0, 7))).toEqual(["line 1:", "line 3:", "line 4:"]);
		await expect(read("r1-searcher", ["[]"])).rejects.toMatchObject({ code: "no-transcripts", exitCode: 2 });
		await expect(importTranscripts(join(dir, "none"), "r1-searcher")).rejects.toMatchObject({ code: "bad-file" });
	});
});

const reply = (thought: string, call: object | string) => ({
	role: "assistant",
	content: `<think>\n${thought} <tool_call>not this</tool_call>\n</think>\n<tool_call>\n${typeof call === "string" ? call : JSON.stringify(call)}\n</tool_call>`,
});
const response = (...parts: string[]) => ({
	role: "user",
	content: `<tool_response>\n${parts.join("\n=======\n")}\n</tool_response>`,
});
const end = { role: "assistant", content: "<think>Done.</think>\n<answer>\nIt is **Lund**.\n</answer>" };
const results = (query: string) =>
	`A Google search for '${query}' found 2 results:\n\n## Web Results\n1. [Lund [harbour]](https://lund.test/a_(b))\n\nA harbour.\n\n2. [Map](https://lund.test/map#top)\nDate published: May 1\n\nA map.\n1. [no item](x)`;
const dialogue = (...messages: object[]) => ({
	messages: [
		{ role: "system", content: "Search." },
		{ role: "user", content: "Use tools.\nUser: Old\n\nUser: Where is the harbour?" },
		...messages,
	],
	answer: [["Lund"]],
	tag: "towns",
});

describe("WebDancer's conversations", () => {
	test("each query and each page is a step; documents are named by address and excerpt", async () => {
		const search = { name: "search", arguments: { query: ["harbour", "map of Lund"] } };
		const visit = { name: "visit", arguments: { url: ["https://gone.test/", "https://lund.test/"], goal: "where" } };
		const page =
			"The useful information in https://lund.test/ for user goal where as follows: \n\nEvidence in page: \nLund\n=======\nis north.";
		const { tasks, records, passages } = await read("webdancer", [
			dialogue(
				reply("Look.", search),
				response(results("harbour"), results("map of Lund")),
				reply("Read.", visit),
				response(page),
				end,
			),
		]);
		expect(tasks[0]).toMatchObject({ question: "Where is the harbour?", tags: { questionType: "towns" } });
		const steps = records[0]?.trajectory.steps ?? [];
		expect(steps.map(({ call, results: found }) => [call?.tool, call?.valid, found.length])).toEqual([
			["web_search", true, 2],
			["web_search", true, 2],
			["web_read", true, 0],
			["web_read", true, 1],
			[undefined, undefined, 0],
		]);
		expect(steps.map(({ thought }) => thought?.startsWith("Look") ?? false)).toEqual([
			true,
			false,
			false,
			false,
			false,
		]);
		expect(steps[2]?.error).toBe("this part of the call did not come back");
		expect(records[0]?.trajectory.answer).toBe("It is **Lund**.");
		expect(passages.map(({ document, title, text }) => [document, title, text])).toEqual([
			["https://lund.test/", "https://lund.test/", "Evidence in page: \nLund\n=======\nis north."],
			["https://lund.test/a_(b)", "Lund [harbour]", "A harbour."],
			["https://lund.test/map%23top", "Map", "Date published: May 1\n\nA map.\n1. [no item](x)"],
		]);
		for (const { id, document } of passages) expect(id.split("#")[0]).toBe(document);
	});

	test("broken calls, unknown tools and unanswered calls", async () => {
		const { records } = await read("webdancer", [
			dialogue(
				reply("", "{name: search}"),
				response("no"),
				reply("", { name: "python", arguments: { code: "1" } }),
				response("1"),
				end,
			),
			dialogue(reply("", { name: "search", arguments: { query: ["harbour"] } })),
			dialogue({ role: "assistant", content: "<think>It says <answer>no</answer>" }),
		]);
		const calls = records.map(({ trajectory }) => trajectory.steps.map(({ call }) => [call?.tool, call?.valid]));
		expect(calls[0]).toEqual([
			["none", false],
			["python", true],
			[undefined, undefined],
		]);
		expect(calls[1]).toEqual([["web_search", false]]);
		expect(records[1]?.trajectory).toMatchObject({ stop: "turn-limit", answer: null });
		expect(records[2]?.trajectory).toMatchObject({ stop: "turn-limit", answer: null });
	});

	test("yes and no are read out of sentences", async () => {
		const { tasks } = await read("webdancer", [{ ...dialogue(end), answer: [["Yes"]] }]);
		expect(tasks[0]?.answer).toEqual({ type: "boolean", value: "yes", accepted: ["Yes"] });
	});
});

longTest("whatever a transcript holds, what is read fits the schemas and every result is a passage", async () => {
	const piece = fc.oneof(
		fc.constantFrom(
			"<|begin_of_query|>",
			"<|end_of_query|>",
			"<|begin_of_documents|>",
			"<|end_of_documents|>",
			"<answer>",
			"</answer>",
			"</think>",
			"<tool_call>",
			"</tool_call>",
			"<tool_response>",
			"\n=======\n",
			"\n1. [a](b)",
			"\n(1)T   x",
			'{"name":"search","arguments":{"query":["a",""]}}',
		),
		fc.string({ maxLength: 20 }),
	);
	const text = fc.array(piece, { maxLength: 25 }).map((pieces) => pieces.join(""));
	await fc.assert(
		fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 4 }), fc.boolean(), async (texts, web) => {
			const messages = texts.map((content, place) => ({ role: place % 2 === 0 ? "assistant" : "user", content }));
			const found = web
				? await read("webdancer", [dialogue(...messages)])
				: await read("r1-searcher", [line({ gen_text_store: texts.join("\n"), pred_ans: null })]);
			const ids = new Set(found.passages.map(({ id }) => id));
			for (const task of found.tasks) expect(Task.safeParse(task).success).toBe(true);
			for (const record of found.records) {
				expect(RunRecord.safeParse(record).success).toBe(true);
				for (const { results: back } of record.trajectory.steps)
					expect(back.every(({ id }, place) => ids.has(id) && back[place]?.rank === place + 1)).toBe(true);
			}
		}),
		{ numRuns: 60 },
	);
});

longTest("unclosed marks in a long text cost no time", async () => {
	const long = "<|begin_of_query|> a<|end_of_query|>".repeat(20_000) + "<think>".repeat(20_000);
	const started = process.cpuUsage();
	const { problems } = await read("r1-searcher", [line({ gen_text_store: long }), line()]);
	expect(problems).toEqual(["line 1: more than 1000 steps; left out"]);
	await read("webdancer", [dialogue({ role: "assistant", content: "<tool_call>".repeat(100_000) }, end)]);
	expect(process.cpuUsage(started).user / 1000).toBeLessThan(5000);
});

const r1 = "../shared/data/trajectories/r1searcher_bamboogle_qwen.jsonl";
test.skipIf(!existsSync(r1))("the real file of R1-Searcher is read whole", async () => {
	const { tasks, records, problems, judged, k } = await importTranscripts(r1, "r1-searcher");
	// counted in the file by its marks: 125 lines, 248 searches, two transcripts without any, 68 True
	expect([tasks.length, problems.length, k]).toEqual([125, 0, 5]);
	const searches = records.map(({ trajectory }) => retrievalSteps(trajectory).length);
	expect(searches.reduce((sum, one) => sum + one, 0)).toBe(248);
	expect(searches.filter((one) => one === 0)).toHaveLength(2);
	expect(judged.filter(({ said }) => said === "True")).toHaveLength(68);
	for (const { trajectory } of records)
		for (const step of retrievalSteps(trajectory)) expect(step.results).toHaveLength(5);
});

const webdancer = "../shared/data/trajectories/webdancer_sample.jsonl";
test.skipIf(!existsSync(webdancer))("the real file of WebDancer is read whole", async () => {
	const { tasks, records, problems } = await importTranscripts(webdancer, "webdancer");
	// counted in the file: 198 lines, 583 headings of searches, 5,485 numbered results (some twice in one search)
	expect([tasks.length, problems.length]).toEqual([198, 0]);
	const steps = records.flatMap(({ trajectory }) => retrievalSteps(trajectory));
	expect(steps).toHaveLength(583);
	const results = steps.reduce((sum, step) => sum + step.results.length, 0);
	expect(results).toBeGreaterThan(5440);
	expect(results).toBeLessThanOrEqual(5485);
	expect(records.every(({ trajectory }) => trajectory.stop === "answered")).toBe(true);
});
