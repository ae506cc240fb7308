import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Benchmark } from "#benchmarks";
import { HopscopeError, noUsage } from "#domain";
import { executeRun, planRun, recordsFrom, scoreRecords } from "#runs";
import { emptyKnowledge, slowAgent, tinyBenchmark } from "../../test/support/runs.ts";

let root: string;
let benchmark: Benchmark;
beforeAll(async () => {
	root = await mkdtemp(join(tmpdir(), "hopscope-elsewhere-"));
	benchmark = await tinyBenchmark(root, 4);
});
afterAll(() => rm(root, { recursive: true, force: true }));

let made = 0;
async function read(text: string, name = "answers.jsonl") {
	made += 1;
	const file = join(root, `${made}-${name}`);
	await writeFile(file, text);
	return recordsFrom(file, benchmark);
}

const lines = (...rows: unknown[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join("");

describe("answers made elsewhere", () => {
	test.each([
		["JSON lines with task", lines({ task: "t0000", prediction: "0" }, { task: "t0001", prediction: "x" })],
		["JSON lines with id", lines({ id: "t0000", answer: 0 }, { id: "t0001", answer: "x" })],
		["JSON lines with _id", lines({ _id: "t0000", predicted_answer: "0" }, { _id: "t0001", predicted_answer: "x" })],
		[
			"an array",
			JSON.stringify(
				[
					{ id: "t0000", answer: "0" },
					{ id: "t0001", answer: "x" },
				],
				null,
				2,
			),
		],
		["an object", JSON.stringify({ t0000: "0", t0001: { answer: "x" } }, null, 2)],
		["an object in one line", JSON.stringify({ t0000: "0", t0001: "x" })],
	])("are read from %s", async (_, text) => {
		const run = await read(text);
		expect(run).toMatchObject({ unknown: [], refused: [], notes: [] });
		expect(run.manifest.tasks).toHaveLength(4);
		const rows = scoreRecords(run, benchmark);
		expect(rows.map((row) => [row.task, row.outcome])).toEqual([
			["t0000", "right"],
			["t0001", "wrong"],
		]);
		// what was searched is unknown, which is not the same as nothing
		for (const { scores } of rows)
			for (const name of ["hps", "rollout-deviation", "steps"]) expect(scores[name]?.is).toBe("unscored");
	});

	test("a prediction goes before the gold answer that some files repeat", async () => {
		const run = await read(lines({ id: "t0000", answer: "0", prediction: "7" }));
		expect(run.records[0]?.trajectory.answer).toBe("7");
	});

	test("trajectories bring their steps; what they do not say is told", async () => {
		const run = await read(
			lines({
				task: "t0000",
				answer: "0",
				steps: [
					{ tool: "page_search", results: ["p1", { id: "p2", score: 0.5 }] },
					{ thought: "hm", results: ["p3"] },
				],
			}),
		);
		const [first, second] = run.records[0]?.trajectory.steps ?? [];
		expect(first?.call?.tool).toBe("page_search");
		expect(first?.results).toEqual([
			{ id: "p1", score: 0, rank: 1 },
			{ id: "p2", score: 0.5, rank: 2 },
		]);
		expect(second?.call?.tool).toBe("text_search");
		expect(run.notes).toEqual(["1 steps name no tool: counted as text_search"]);
	});

	test("unknown ids, malformed lines, missing answers and doubles are named, the rest is used", async () => {
		const text = `${lines({ id: "t0000", answer: "0" }, { id: "elsewhere", answer: "1" })}{"id": "t0001", \n${lines(
			{ id: "t0002" },
			{ id: "t0003", answer: null },
			{ id: "t0000", repeat: 0, answer: "1" },
			{ answer: "nobody's" },
			{ question: "What?", answer: "perhaps the accepted one" },
			{ id: "t0001", answer: "1", steps: ["look", { results: [7] }] },
		)}`;
		const run = await read(text);
		expect(run.unknown).toEqual(["elsewhere"]);
		expect(run.records.map((record) => [record.task, record.trajectory.answer])).toEqual([["t0000", "0"]]);
		expect(run.unanswered).toEqual(["t0003"]);
		expect(run.refused.map(({ place, reason }) => `${place}: ${reason}`)).toEqual([
			expect.stringMatching(/^line 3: not JSON/),
			"line 4: no prediction, predicted_answer or answer",
			"line 6: task t0000 has its repeat 0 already, on line 1",
			"line 7: no task, id, _id or question",
			expect.stringMatching(/^line 8: no task, id or _id, and beside a question/),
			expect.stringMatching(/^line 9: at steps\.1\.results\.0: /),
		]);
		expect(run.manifest.imported).toMatchObject({ rows: 9, refused: 6, unknown: 1, unanswered: 1 });
	});

	test("an abstention without an answer is a record", async () => {
		const run = await read(lines({ id: "t0000", answer: null, abstained: true }));
		expect(scoreRecords(run, benchmark).map((row) => row.outcome)).toEqual(["abstained"]);
	});

	test("repeats make a run with as many", async () => {
		const run = await read(lines({ id: "t0000", answer: "0" }, { id: "t0000", repeat: 1, answer: "1" }));
		expect(run.manifest.repeats).toBe(2);
		expect(run.records).toHaveLength(2);
	});

	test("several rows of a task that do not number themselves are its repeats", async () => {
		const twice = [
			{ id: "t0000", answer: "0" },
			{ id: "t0001", answer: "1" },
			{ id: "t0000", answer: "0" },
		];
		const run = await read(lines(...twice));
		expect(run.manifest.repeats).toBe(2);
		expect(run.records.map(({ task, repeat }) => [task, repeat])).toEqual([
			["t0000", 0],
			["t0001", 0],
			["t0000", 1],
		]);
		expect(run.notes).toEqual([
			"1 of 2 tasks have 2 answers, which are their repeats; the repeats that the others lack count as missing",
		]);
	});

	test("a question names a task where it is one task's, or of tasks that differ in their ids alone", async () => {
		const [task] = benchmark.tasks;
		const ask = (id: string, question: string, accepted = ["0"]) => ({
			...{ ...task, id, question, answer: { type: "string" as const, value: "0", accepted } },
		});
		const tasks = [
			ask("a", "Where is\n it?"),
			ask("b", "Which?"),
			ask("c", "Which?"),
			ask("d", "Who?"),
			ask("e", "Who?", ["0", "1"]),
		] as Benchmark["tasks"];
		const file = join(root, "questions.jsonl");
		const questions = ["Where is it?", "Which?", "Which?", "Who?", "Why?", "Which?"];
		await writeFile(file, lines(...questions.map((question) => ({ question, prediction: "0" }))));
		const run = await recordsFrom(file, { ...benchmark, tasks });
		expect(run.records.map(({ task: id, repeat }) => `${id} ${repeat}`)).toEqual(["a 0", "b 0", "c 0", "b 1"]);
		expect(run.unknown).toEqual(["Why?"]);
		expect(run.refused).toEqual([{ place: "line 4", reason: "2 tasks ask this question: name one by its id" }]);
	});

	test("text between steps is thought, refused calls and errors stay what they were", async () => {
		const row = {
			task: "t0000",
			prediction: "0",
			steps: [
				"First the harbour.",
				{ tool: "text_search", query: "harbour", results: ["p1"] },
				{ tool: "text_search", arguments: { query: "" }, valid: false, error: "the query is empty" },
				{ tool: "page_search", query: "map", error: "the server did not answer" },
				"Enough. ",
			],
		};
		const [record] = (await read(lines(row))).records;
		const steps = record?.trajectory.steps.map(({ index, thought, call, error, results }) => ({
			...{ index, thought, tool: call?.tool, asked: call?.arguments, valid: call?.valid, error, found: results.length },
		}));
		expect(steps).toEqual([
			{
				...{ index: 0, thought: "First the harbour.", tool: "text_search", asked: { query: "harbour" }, valid: true },
				...{ error: undefined, found: 1 },
			},
			{
				...{ index: 1, thought: undefined, tool: "text_search", asked: { query: "" }, valid: false },
				...{ error: "the query is empty", found: 0 },
			},
			{
				...{ index: 2, thought: undefined, tool: "page_search", asked: { query: "map" }, valid: true },
				...{ error: "the server did not answer", found: 0 },
			},
			{
				...{ index: 3, thought: "Enough.", tool: undefined, asked: undefined, valid: undefined },
				...{ error: undefined, found: 0 },
			},
		]);
	});

	test("an attempt that failed is an error, not a wrong answer", async () => {
		const run = await read(lines({ id: "t0000", answer: null, error: "timeout" }, { id: "t0001", error: "timeout" }));
		expect(run.records.map(({ trajectory }) => [trajectory.stop, trajectory.error?.message])).toEqual([
			["error", "timeout"],
			["error", "timeout"],
		]);
		expect(scoreRecords(run, benchmark).map((row) => row.outcome)).toEqual(["error", "error"]);
	});

	test("names of agent and model are the file's where it names one, or those given", async () => {
		const row = (id: string, more: object) => ({ id, answer: "0", agent: "mine", ...more });
		const same = lines(row("t0000", { model: "m-1" }), row("t0001", { model: "m-1" }));
		const { manifest } = await read(same);
		expect([manifest.agent.name, manifest.model]).toEqual(["mine", "m-1"]);
		const several = await read(lines(row("t0000", { model: "m-1" }), row("t0001", { model: "m-2", agent: { x: 1 } })));
		expect([several.manifest.agent.name, several.manifest.model]).toEqual(["mine", null]);
		expect(several.notes).toEqual(["the file names 2 models, m-1, m-2: none is taken"]);
		const file = join(root, "named.jsonl");
		await writeFile(file, same);
		const named = await recordsFrom(file, benchmark, { agent: "yours", model: "m-3" });
		expect([named.manifest.agent.name, named.manifest.model]).toEqual(["yours", "m-3"]);
		expect(named.manifest.id).not.toBe((await recordsFrom(file, benchmark)).manifest.id);
		expect(named.manifest.id).toBe((await recordsFrom(file, benchmark, { agent: "yours", model: "m-3" })).manifest.id);
	});

	test("a repeat beyond all bounds or beyond the others is a problem, not a repeat", async () => {
		const trajectory = { steps: [], answer: "0", abstained: false, stop: "answered", usage: noUsage, ms: 0 };
		const record = { version: 1, task: "t0001", repeat: 200_000_000, attempt: 0, at: "", trajectory };
		const run = await read(
			lines(
				{ id: "t0000", answer: "0" },
				{ id: "t0001", repeat: 1000, answer: "1" },
				{ id: "t0001", repeat: 7, answer: "1" },
				record,
			),
		);
		expect(run.manifest.repeats).toBe(1);
		expect(run.records).toHaveLength(1);
		expect(run.refused.map(({ place, reason }) => `${place}: ${reason}`)).toEqual([
			expect.stringMatching(/^line 2: at repeat: /),
			expect.stringMatching(/^line 4: at repeat: /),
			"line 3: repeat 7 is left out: there is no repeat 1",
		]);
	});

	test("the records of a run are read as they are", async () => {
		const dir = join(root, "run");
		const agent = slowAgent(0);
		const knowledge = emptyKnowledge(root);
		const manifest = planRun({ agent, setting: { name: "default", k: 3 }, benchmark, knowledge });
		for await (const _ of executeRun({ dir, manifest, agent, benchmark, knowledge }));
		const run = await recordsFrom(join(dir, "records.jsonl"), benchmark);
		expect(run).toMatchObject({ refused: [], notes: [], manifest: { imported: { forms: ["records"] } } });
		expect(scoreRecords(run, benchmark).map((row) => row.outcome)).toEqual(Array(4).fill("right"));
	});

	test.each([
		["nothing", ""],
		["only strangers", lines({ id: "elsewhere", answer: "1" })],
		["no JSON", "Paris\n"],
	])("a file with %s is refused", async (_, text) => {
		const error = await read(text).catch((thrown: unknown) => thrown);
		expect(error).toBeInstanceOf(HopscopeError);
		expect(error).toMatchObject({ code: "no-answers", exitCode: 2 });
	});

	test("a missing file is refused", async () => {
		const error = await recordsFrom(join(root, "none.jsonl"), benchmark).catch((thrown: unknown) => thrown);
		expect(error).toMatchObject({ code: "missing-file", exitCode: 2 });
	});
});
