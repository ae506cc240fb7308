import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { importTranscripts } from "#benchmarks";
import type { RunRecord } from "#domain";
import { openArchive, writeArchive } from "#store";
import { longTest } from "../../../test/long.ts";

let dir: string;
beforeAll(async () => {
	dir = await mkdtemp(join(tmpdir(), "hopscope-logs-"));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

let count = 0;
async function file(content: string | Buffer, ending = "json"): Promise<string> {
	const path = join(dir, `${count++}.${ending}`);
	await writeFile(path, content);
	return path;
}
const callsOf = ({ trajectory }: RunRecord) =>
	trajectory.steps.map(({ call, results }) => [call?.tool, call?.arguments.query, results.map(({ id }) => id)]);

describe("a log of Inspect's own", () => {
	const fixture = "test/fixtures/inspect-search.eval";

	test("gives a record for each sample and epoch: searches, documents, thoughts, tokens, scores, errors, limits", async () => {
		const read = await importTranscripts(fixture, "inspect");
		expect([read.tasks.length, read.records.length, read.repeats, read.problems]).toEqual([5, 10, 2, []]);
		expect([read.model, read.agent, read.k]).toEqual(["mockllm/model", "use_tools + generate", 2]);
		const of = (task: string) => read.records.filter((record) => record.task === `inspect-${task}`);
		const [first, second] = of("born-in") as [RunRecord, RunRecord];
		expect([first.repeat, second.repeat]).toEqual([0, 1]);
		expect(first.at).toMatch(/^2026-.*Z$/);
		expect(callsOf(first)).toEqual([
			["text_search", "harbour of Lund built", ["lund-harbour", "ada-berg"]],
			["text_search", "Ada Berg born", ["ada-berg", "lund-harbour"]],
			["lookup", undefined, []],
			[undefined, undefined, []],
		]);
		expect(first.trajectory).toMatchObject({
			...{ answer: "Vik has 312 people.", stop: "answered" },
			usage: { calls: 4, inputTokens: 900, outputTokens: 100 },
			steps: [
				{
					thought: "First who built the harbour.\nI look for the builder.",
					usage: { calls: 1, inputTokens: 200, outputTokens: 30 },
				},
				{},
				{},
				{},
			],
		});
		expect(of("river")[0]?.trajectory.steps[1]).toMatchObject({
			call: { tool: "lookup", valid: true },
			error: "no text is called Mount Orre",
		});
		expect(of("broken")[0]?.trajectory).toMatchObject({
			...{ answer: null, stop: "error", error: { boundary: "agent", message: "ValueError('the index is broken')" } },
		});
		// the limit came when the fourth search had run: its result stands in an event alone
		const endless = of("endless")[0]?.trajectory;
		expect([endless?.stop, endless?.answer, endless?.steps.map(({ results }) => results.length)]).toEqual([
			...["turn-limit", null, [2, 2, 2, 2]],
		]);
		const river = read.tasks.find(({ id }) => id === "inspect-river");
		expect(river).toMatchObject({
			question: "On which mountain does the river of Vik rise?",
			answer: { accepted: ["Mount Orre", "Orre"] },
		});
		expect(read.passages.map(({ id, title, text }) => [id, title, text])).toContainEqual([
			...["sna", "Sna", "The Sna is a river that rises on Mount Orre."],
		]);
		// as Inspect's own results count them: four samples scored in each of two epochs, half of them right
		expect(read.judged.map(({ rater, said }) => `${rater} ${said}`).sort()).toEqual(
			["includes False", "includes True"].flatMap((one) => Array.from({ length: 4 }, () => one)),
		);
	});
});

const message = (role: string, content: unknown, more: object = {}) => ({ role, content, ...more });
const sample = (more: object = {}) => ({
	...{ id: 1, epoch: 1, input: "Where?", target: "Vik", scores: {}, events: [] },
	messages: [message("user", "Where?"), message("assistant", "Vik")],
	output: { completion: "Vik" },
	...more,
});
const log = (...samples: object[]) => ({
	...{ version: 2, status: "success", eval: { eval_id: "e", task: "t", model: "openai/gpt", solver: "react" } },
	samples,
});
const readLog = async (...samples: object[]) =>
	importTranscripts(await file(JSON.stringify(log(...samples))), "inspect");

describe("Inspect's JSON", () => {
	test("with attachments, parts, submitted answers and questions that are conversations", async () => {
		const long = JSON.stringify([{ id: "a", text: "Vik is in the north." }]);
		const { records, tasks, losses } = await readLog(
			sample({
				input: [
					message("system", "Be short."),
					message("user", [{ type: "text", text: "Where is it?" }, { type: "image" }]),
				],
				choices: ["Vik", "Lund"],
				attachments: { abc: long },
				messages: [
					message("user", "Where?"),
					message("assistant", [{ type: "reasoning", reasoning: "Hm." }], {
						tool_calls: [{ id: "1", function: "webSearch", arguments: { q: "Vik" } }],
					}),
					message("tool", "attachment://abc", { tool_call_id: "1" }),
					message("assistant", "", { tool_calls: [{ id: "2", function: "submit", arguments: { answer: "Vik" } }] }),
				],
				scores: { match: { value: 0.5 }, judge: { value: "I" }, other: { value: "C" } },
			}),
		);
		expect(tasks[0]?.question).toBe("Where is it?\nA) Vik\nB) Lund");
		expect(callsOf(records[0] as RunRecord)[0]).toEqual(["web_search", "Vik", ["a"]]);
		expect(records[0]?.trajectory).toMatchObject({ answer: "Vik", stop: "answered" });
		expect(losses).toContain('of several scores "judge" is the label (sample 1, epoch 1)');
	});

	test("with NaN where Python writes it, and with a search that gives back mere text", async () => {
		const text = JSON.stringify(
			log(
				sample({
					scores: { f1: { value: "NOT" } },
					messages: [
						message("user", "Where?"),
						message("assistant", "I look.", {
							tool_calls: [{ id: "1", function: "search", arguments: { text: "Vik" } }],
						}),
						message("tool", 'Vik is in the "NaN" north.', { tool_call_id: "1" }),
						message("assistant", "Vik"),
					],
				}),
			),
		).replace('"NOT"', "NaN");
		const read = await importTranscripts(await file(text), "inspect");
		expect(read.passages.map((passage) => passage.text)).toEqual(['Vik is in the "NaN" north.']);
		expect(read.losses).toContainEqual(expect.stringContaining("its text is one document"));
	});

	test("leaves out what is no sample, and says where", async () => {
		const { records, problems } = await readLog(sample({ messages: [{ role: "robot" }] }), {}, sample({ id: 2 }));
		expect(records.map(({ task }) => task)).toEqual(["inspect-2"]);
		expect(problems).toEqual([
			expect.stringMatching(/^sample 1, epoch 1: at messages\.0/),
			expect.stringMatching(/^sample 2: at id/),
		]);
	});
});

describe("hostile archives", () => {
	const readEval = async (bytes: Buffer) => importTranscripts(await file(bytes, "eval"), "inspect");

	test("that claim little and hold much, or hold much for their size, are refused", async () => {
		await expect(
			readEval(zipOf("samples/a_epoch_1.json", Buffer.alloc(1 << 20, 32), { claimed: 10 })),
		).rejects.toMatchObject({
			code: "no-transcripts",
			message: expect.stringContaining("too many bytes in the stream"),
		});
		await expect(readEval(zipOf("samples/a_epoch_1.json", Buffer.alloc(40 << 20, 32)))).rejects.toMatchObject({
			message: expect.stringMatching(/times its size|damaged/),
		});
		await expect(readEval(Buffer.from("PK\u0003\u0004 and nothing"))).rejects.toMatchObject({ code: "no-transcripts" });
	});

	test("nesting without end costs the sample alone", async () => {
		const deep = "[".repeat(200_000) + "]".repeat(200_000);
		const path = join(dir, "deep.eval");
		await writeArchive(
			path,
			entriesOf({
				"samples/a_epoch_1.json": `{"id":1,"metadata":${deep}}`,
				"samples/b_epoch_1.json": JSON.stringify(sample()),
			}),
			{ at: new Date(0) },
		);
		const read = await importTranscripts(path, "inspect");
		expect([read.records.length, read.problems.length]).toEqual([1, 1]);
	});

	test("an archive gives back what was put into it", async () => {
		const path = join(dir, "own.zip");
		await writeArchive(path, entriesOf({ "a/ä.json": "{}", b: "x".repeat(100_000) }), {
			at: new Date("2026-01-01T00:00:00Z"),
		});
		const archive = await openArchive(path);
		expect(archive.names).toEqual(["a/ä.json", "b"]);
		expect(String(await archive.read("b"))).toBe("x".repeat(100_000));
		await expect(archive.read("b", 1000)).rejects.toThrow("is larger than");
		expect(await archive.read("c")).toBeUndefined();
		archive.close();
		const failing = writeArchive(path, failingEntries(), { at: new Date() });
		await expect(failing).rejects.toThrow("no more");
		expect((await readFile(path)).subarray(0, 2).toString()).toBe("PK");
	});
});

async function* entriesOf(entries: Record<string, string>) {
	for (const [name, content] of Object.entries(entries)) yield { name, content };
}
// biome-ignore lint/correctness/useYield: fails before it gives anything
async function* failingEntries(): AsyncGenerator<{ name: string; content: string }> {
	throw new Error("no more");
}

/** A zip archive of one deflated file, which may claim another size than it has. */
function zipOf(name: string, content: Buffer, { claimed = content.length } = {}): Buffer {
	const packed = deflateRawSync(content);
	const fields = Buffer.alloc(26);
	fields.writeUInt16LE(20, 0);
	fields.writeUInt16LE(8, 4);
	fields.writeUInt32LE(packed.length, 14);
	fields.writeUInt32LE(claimed, 18);
	fields.writeUInt16LE(name.length, 22);
	const local = Buffer.concat([Buffer.from("PK\u0003\u0004"), fields, Buffer.from(name), packed]);
	const central = Buffer.concat([
		Buffer.from("PK\u0001\u0002\u0014\u0000"),
		fields,
		Buffer.alloc(14),
		Buffer.from(name),
	]);
	const end = Buffer.alloc(22);
	end.write("PK\u0005\u0006", "latin1");
	end.writeUInt16LE(1, 8);
	end.writeUInt16LE(1, 10);
	end.writeUInt32LE(central.length, 12);
	end.writeUInt32LE(local.length, 16);
	return Buffer.concat([local, central, end]);
}

describe("ATIF", () => {
	// the shape of the RFC's own example of several steps, with a search over texts of our own
	const trajectory = (more: object = {}) => ({
		...{ schema_version: "ATIF-v1.7", session_id: "run-1", trajectory_id: "one" },
		agent: { name: "harbor-agent", version: "1.0.0", model_name: "gemini-2.5-flash" },
		steps: [
			{ step_id: 1, timestamp: "2026-10-11T10:30:00Z", source: "system", message: "Use your tools." },
			{ step_id: 2, timestamp: "2026-10-11T10:30:00Z", source: "user", message: "Where does the Sna rise?" },
			{
				...{ step_id: 3, timestamp: "2026-10-11T10:30:02Z", source: "agent", message: "I search twice." },
				reasoning_content: "Two data points.",
				tool_calls: [
					{ tool_call_id: "c1", function_name: "kb_search", arguments: { query: "Sna" } },
					{ tool_call_id: "c2", function_name: "shell", arguments: { command: "ls" } },
				],
				observation: {
					results: [
						{ source_call_id: "c2", content: "a.txt" },
						{
							source_call_id: "c1",
							content: JSON.stringify({ results: [{ id: "sna", text: "The Sna rises on Mount Orre." }] }),
						},
					],
				},
				metrics: { prompt_tokens: 520, completion_tokens: 80, cached_tokens: 200, cost_usd: 0.00045 },
			},
			{
				...{ step_id: 4, timestamp: "2026-10-11T10:30:05Z", source: "agent", message: "On Mount Orre." },
				metrics: { prompt_tokens: 600, completion_tokens: 44 },
			},
		],
		...more,
	});

	test("trajectories become records; there is nothing right to compare their answers with", async () => {
		const read = await importTranscripts(await file(JSON.stringify(trajectory())), "atif");
		expect([read.problems, read.agent, read.model]).toEqual([[], "harbor-agent", "gemini-2.5-flash"]);
		expect(read.tasks).toMatchObject([{ id: "atif-one", question: "Where does the Sna rise?" }]);
		const [record] = read.records as [RunRecord];
		expect(callsOf(record)).toEqual([
			["text_search", "Sna", ["sna"]],
			["shell", undefined, []],
			[undefined, undefined, []],
		]);
		expect(record).toMatchObject({
			at: "2026-10-11T10:30:00.000Z",
			trajectory: {
				...{ answer: "On Mount Orre.", stop: "answered", ms: 5000 },
				usage: { calls: 2, inputTokens: 1120, outputTokens: 124, cachedTokens: 200, cost: 0.00045 },
				steps: [{ round: 0, thought: "Two data points.\nI search twice." }, { round: 0 }, { round: 1 }],
			},
		});
	});

	test("those of agents within the agent, copied steps, other versions, several in a file", async () => {
		const under = { ...trajectory({ trajectory_id: "under" }), agent: { name: "seeker", version: "1" } };
		const asked = {
			...{ step_id: 2, source: "agent", message: "Ask the seeker." },
			tool_calls: [{ tool_call_id: "d", function_name: "delegate", arguments: {} }],
			observation: { results: [{ source_call_id: "d", subagent_trajectory_ref: [{ trajectory_id: "under" }] }] },
		};
		const steps = [
			{
				step_id: 1,
				source: "user",
				message: [
					{ type: "text", text: "Where?" },
					{ type: "image", source: {} },
				],
			},
			{ ...asked, step_id: 2, is_copied_context: true },
			{ ...asked, step_id: 3 },
		];
		const parts = [trajectory(), trajectory({ trajectory_id: "two", steps, subagent_trajectories: [under] })];
		const read = await importTranscripts(await file(JSON.stringify(parts)), "atif");
		expect(read.records[1]?.trajectory.steps.map(({ role, call }) => [role, call?.tool])).toEqual([
			...[
				["harbor-agent", "delegate"],
				["seeker", "text_search"],
				["seeker", "shell"],
				["seeker", undefined],
			],
		]);
		expect(read.records[1]?.trajectory).toMatchObject({ answer: null, stop: "turn-limit" });
		expect(read.losses.join("\n")).toContain("copied from an earlier trajectory");
		const lines = [
			JSON.stringify(trajectory({ schema_version: "ATIF-v1.9" })),
			"{",
			JSON.stringify(trajectory({ steps: [] })),
		];
		const others = await importTranscripts(await file(lines.join("\n"), "jsonl"), "atif");
		expect([others.records.length, others.problems.map((problem) => problem.slice(0, 7))]).toEqual([
			1,
			["line 2:", "line 3:"],
		]);
		expect(others.losses.join("\n")).toContain("read as ATIF-v1.7, and it is ATIF-v1.9");
	});
});

describe("rows of any form, by a mapping", () => {
	const row = {
		...{ qid: 7, run: { trace: "abc", started: 1_760_000_000, took_ms: 1200 } },
		input: { messages: [{ role: "user", text: "Where does the Sna rise?" }] },
		...{ gold: [{ text: "Mount Orre" }, { text: "Orre" }], prediction: "Mount Orre", verdict: "correct", llm: "gpt" },
		trace: [
			{
				...{
					think: "The river.",
					action: { name: "SearchTool", input: { q: "Sna" } },
					tokens: { in: 10, out: 5 },
					ms: 30,
				},
				hits: [{ doc: { key: "sna", body: "The Sna rises on Mount Orre." }, sim: 0.5, p: 3 }],
			},
			{ think: "It says so.", note: "Mount Orre" },
		],
	};
	const mapping = {
		...{ question: "input.messages[0].text", accepted: "gold[*].text", answer: "prediction", grade: "verdict" },
		...{ task: "qid", trace: "run.trace", time: "run.started", ms: "run.took_ms", model: "llm", language: "en" },
		steps: {
			...{ in: "trace", thought: "think", tool: "action.name", arguments: "action.input", query: "action.input.q" },
			...{ subAnswer: "note", inputTokens: "tokens.in", outputTokens: "tokens.out", ms: "ms" },
			documents: { in: "hits", id: "doc.key", text: "doc.body", score: "sim", page: "p" },
		},
	};
	const read = async (rows: readonly unknown[], given: unknown = mapping) =>
		importTranscripts(await file(rows.map((one) => JSON.stringify(one)).join("\n"), "jsonl"), "jsonl", {
			mapping: given,
		});

	test("are read where the mapping says; rows of one task are its repeats", async () => {
		const made = await read([row, { ...row, prediction: "Vik", verdict: "wrong" }, { ...row, qid: 8, trace: [] }]);
		expect([made.problems, made.tasks.length, made.records.length, made.repeats, made.model]).toEqual([
			[],
			2,
			3,
			2,
			"gpt",
		]);
		expect(made.tasks[0]).toMatchObject({
			...{ id: "jsonl-7", question: "Where does the Sna rise?", answer: { accepted: ["Mount Orre", "Orre"] } },
			tags: { language: "en" },
		});
		expect(made.records[0]).toMatchObject({
			...{ repeat: 0, at: "2025-10-09T08:53:20.000Z" },
			trajectory: {
				...{ answer: "Mount Orre", ms: 1200, usage: { calls: 1, inputTokens: 10, outputTokens: 5 } },
				steps: [
					{
						...{ thought: "The river.", ms: 30, results: [{ id: "sna", score: 0.5, rank: 1 }] },
						call: { tool: "text_search", arguments: { q: "Sna", query: "Sna" }, valid: true },
					},
					{ thought: "It says so.", subAnswer: "Mount Orre" },
				],
			},
		});
		expect(made.passages).toMatchObject([{ id: "sna", text: "The Sna rises on Mount Orre.", section: "page 3" }]);
		expect(made.judged.map(({ repeat, said }) => [repeat, said])).toEqual([
			...[
				[0, "True"],
				[1, "False"],
				[0, "True"],
			],
		]);
	});

	test("without a mapping, or with one that does not fit, are refused in words", async () => {
		await expect(importTranscripts(await file("{}"), "jsonl")).rejects.toMatchObject({ code: "no-mapping" });
		await expect(read([row], { ...mapping, answr: "x" })).rejects.toMatchObject({
			message: expect.stringContaining("answr"),
		});
		await expect(read([row], { ...mapping, question: "a[" })).rejects.toMatchObject({
			message: expect.stringContaining("at question"),
		});
		await expect(importTranscripts(await file("{}"), "atif", { mapping })).rejects.toMatchObject({ code: "usage" });
		const { problems } = await read([row, { input: {} }, { ...row, trace: "none" }]);
		expect(problems).toEqual([
			'line 2: no question at "input.messages[0].text"; left out',
			'line 3: no list of steps at "trace"; left out',
		]);
	});

	const own = { "r1-searcher": "r1searcher_bamboogle_qwen.jsonl", webdancer: "webdancer_sample.jsonl" } as const;
	const folder = "../shared/data/trajectories";
	longTest.skipIf(!existsSync(folder)).each(Object.keys(own) as (keyof typeof own)[])(
		"give the steps that the form %s reads, where its real transcripts are written as rows",
		async (form) => {
			const theirs = await importTranscripts(join(folder, own[form]), form);
			const texts = new Map(theirs.passages.map((passage) => [passage.id, passage]));
			const rows = theirs.records.map(({ task, trajectory }) => ({
				...{ n: task, q: theirs.tasks.find(({ id }) => id === task)?.question, a: trajectory.answer },
				s: trajectory.steps.map(({ thought, call, error, results }) => ({
					...{ t: thought, use: call && { tool: call.tool, with: call.arguments }, ok: call?.valid, e: error },
					found: results.map(({ id }) => ({ key: id, head: texts.get(id)?.title, body: texts.get(id)?.text })),
				})),
			}));
			const back = await read(rows, {
				...{ question: "q", answer: "a", task: "n" },
				steps: {
					...{ in: "s", thought: "t", tool: "use.tool", arguments: "use.with", valid: "ok", error: "e" },
					documents: { in: "found", id: "key", title: "head", text: "body" },
				},
			});
			const steps = ({ records }: typeof back) => records.map(({ trajectory }) => trajectory.steps);
			expect(steps(back)).toEqual(steps(theirs));
			expect(back.problems).toEqual([]);
		},
	);
});
