import { expect, test } from "vitest";
import { type Diagnosis, Diagnosis as DiagnosisSchema, type Evidence, RunRecord, Task, Verdict } from "#domain";
import { failedTask, failuresOf } from "#recipes";
import type { FailedRun } from "./failures.ts";

const task = (id: string, answer: string) =>
	Task.parse({
		...{ id, question: `What is ${id}?`, answer: { type: "string", value: answer, accepted: [answer] } },
		chain: {
			hops: [
				{
					id: "h1",
					question: "?",
					modality: "text",
					evidence: ["e1"],
					answer: { type: "string", value: "x", accepted: ["x"] },
				},
			],
			sink: "h1",
		},
	});

const record = (id: string, answer: string | null, more: { repeat?: number; stop?: string; cited?: string[] } = {}) =>
	RunRecord.parse({
		...{ version: 1, task: id, repeat: more.repeat ?? 0, attempt: 0, at: "2026-11-22T00:00:00Z" },
		trajectory: {
			steps: [
				{
					index: 0,
					call: { tool: "text_search", arguments: { query: id }, valid: true },
					results: [{ id: "e1", score: 1, rank: 1 }],
				},
			],
			...{ answer, abstained: answer === null, stop: more.stop ?? "answered", ms: 1 },
			usage: { calls: 0, inputTokens: 0, outputTokens: 0 },
			...(more.cited ? { cited: more.cited } : {}),
		},
	});

const diagnosis = (id: string, right: boolean, broken?: string, repeat = 0): Diagnosis =>
	DiagnosisSchema.parse({
		...{ version: 2, task: id, repeat, attempt: 0, diagnoser: "1", right, findings: [], notJudged: [] },
		...{ shows: "stated", unobserved: broken === "unobserved" ? ["h1"] : [] },
		hops: [
			{
				is: "judged",
				hop: "h1",
				verdict: broken ?? "solved",
				...{ aimed: [0], brought: [], evidence: [] },
				...(broken === "retrieval-miss" ? { miss: { is: "bad-query", rank: 1 } } : {}),
			},
		],
		...{ firstBroken: broken && broken !== "unobserved" ? "h1" : null, primary: broken ?? null },
	});

const verdict = (id: string, run: number, value: number, model = "judge") =>
	Verdict.parse({
		...{ version: 2, task: id, repeat: 0, attempt: 0, run, ms: 1, at: "2026-11-22T00:00:00Z" },
		judge: { model, rubric: "tracer", prompt: "p", seed: 0 },
		shown: { first: "reference", evidence: [], withoutText: 0 },
		judgement: {
			...{
				is: "judged",
				by: "model",
				value,
				grade: value >= 0.5 ? "right" : "wrong",
				scores: {},
				labels: [],
				reason: "",
			},
		},
		usage: { calls: 1, inputTokens: 1, outputTokens: 1 },
	});

const texts: Record<string, string> = { e1: "The capital is Turin.", e2: "Today it is Rome." };
const run = (more: Partial<FailedRun>): FailedRun => ({
	...{
		tasks: [task("a", "Rome"), task("b", "Rome"), task("c", "Rome")],
		records: [],
		diagnoses: [],
		rows: [],
		verdicts: [],
	},
	evidence: async (id) =>
		texts[id] === undefined ? undefined : ({ kind: "passage", id, text: texts[id] } as Evidence),
	...more,
});
const causesOf = async (failed: FailedRun, sure = 0.8) =>
	Object.fromEntries((await failuresOf(failed, { sure })).map(({ task: { id }, causes }) => [id, causes]));

test("wrong answers and broken hops are failures, right answers over whole chains are not", async () => {
	const failed = run({
		records: [record("a", "Turin", { cited: ["e1"] }), record("b", "Rome"), record("c", "Rome")],
		diagnoses: [diagnosis("a", false, "misread"), diagnosis("b", true, "retrieval-miss"), diagnosis("c", true)],
	});
	const failures = await failuresOf(failed, { sure: 0.8 });
	expect(failures.map(({ task: { id }, causes }) => [id, causes])).toEqual([
		["a", ["wrong-answer", "broken-hop"]],
		["b", ["broken-hop"]],
	]);
	const [first, second] = failures.map((failure) => failedTask(failure, "run-1").tags);
	expect(first).toMatchObject({
		...{ run: "run-1", cause: "wrong-answer+broken-hop", failed: "1 of 1", finding: "misread", said: "Turin" },
		...{ "broken-hop": "h1", "broken-how": "misread", "stated-in": "e1" },
		comment: '"Turin" was counted wrong and stands in e1',
	});
	expect(second).toMatchObject({ "broken-how": "retrieval-miss: bad-query" });
	// a right answer that stands in evidence is no comment
	expect(second).not.toHaveProperty("comment");
	expect((await failuresOf(failed, { sure: 0.8, causes: ["wrong-answer"] })).map((one) => one.causes)).toEqual([
		["wrong-answer"],
	]);
});

test("a hop of which nothing shows how it was read is no broken one, and a tool that failed is no failure by itself", async () => {
	const failed = run({
		records: [record("a", "Rome"), record("b", "Rome"), record("c", "Turin")],
		diagnoses: [
			diagnosis("a", true, "unobserved"),
			diagnosis("b", true, "tool-failed"),
			diagnosis("c", false, "tool-failed"),
		],
	});
	const [failure, ...others] = await failuresOf(failed, { sure: 0.8 });
	expect(others).toEqual([]);
	expect(failure).toMatchObject({
		...{ task: { id: "c" }, causes: ["wrong-answer"], finding: "tool-failed" },
		brokenHop: { hop: "h1", verdict: "tool-failed" },
	});
	const open = run({ records: [record("a", "Turin")], diagnoses: [diagnosis("a", false, "unobserved")] });
	const [unseen] = await failuresOf(open, { sure: 0.8 });
	expect(unseen).toMatchObject({ causes: ["wrong-answer"], finding: "unobserved" });
	expect(unseen).not.toHaveProperty("brokenHop");
});

test("what an error or the budget ended says nothing; repeats count by themselves", async () => {
	const failed = run({
		records: [
			record("a", null, { stop: "error" }),
			record("b", "Rome"),
			record("b", "Milan", { repeat: 1 }),
			record("b", "Pisa", { repeat: 2 }),
		],
		diagnoses: [diagnosis("b", true), diagnosis("b", false, undefined, 1), diagnosis("b", false, undefined, 2)],
	});
	const [failure, ...others] = await failuresOf(failed, { sure: 0.8 });
	expect(others).toEqual([]);
	expect(failure).toMatchObject({ task: { id: "b" }, failed: 2, of: 3, said: "Milan", statedIn: [] });
});

test("judges are compared with themselves, with one another and with the rule, and never averaged together", async () => {
	const records = ["a", "b", "c"].map((id) => record(id, "Rome"));
	const right = records.map(({ task: id }) => diagnosis(id, true));
	const doubts = async (verdicts: Verdict[], diagnoses = right) => {
		const failures = await failuresOf(run({ records, diagnoses, verdicts }), { sure: 0.8, causes: ["judge-doubt"] });
		return failures.map(({ task: { id }, doubt }) => [id, doubt?.is, doubt?.mean]);
	};
	expect(await doubts([verdict("a", 0, 1), verdict("a", 1, 1)])).toEqual([]);
	expect(await doubts([verdict("a", 0, 0.6), verdict("b", 0, 0.2)])).toEqual([["a", "low", 0.6]]);
	expect(await doubts([verdict("a", 0, 1), verdict("a", 1, 0), verdict("a", 2, 1)])).toEqual([["a", "split", 2 / 3]]);
	expect(await doubts([verdict("b", 0, 1, "one"), verdict("b", 0, 0, "other")])).toEqual([["b", "split", 0]]);
	expect(await doubts([verdict("c", 0, 1)], [diagnosis("c", false)])).toEqual([["c", "against-rule", 1]]);
	// judged again: the last word counts
	expect(await doubts([verdict("a", 0, 0), verdict("a", 0, 1)])).toEqual([]);
	expect(await causesOf(run({ records, diagnoses: right, verdicts: [verdict("a", 0, 0.9)] }), 0.95)).toEqual({
		a: ["judge-doubt"],
	});
});
