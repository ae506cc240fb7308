import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { noUsage, type RunRecord, Task, type Verdict } from "#domain";
import {
	compareRuns,
	judgedRows,
	judgesIn,
	type Rubric,
	rubrics,
	ruleId,
	scoreTrajectory,
	slices,
	stampOf,
	summarise,
	summariseVerdicts,
} from "#scoring";
import { positionEffect } from "./position-effect.ts";

const called = (name: string): Rubric => {
	const rubric = rubrics[name];
	if (!rubric) throw new Error(`no rubric ${name}`);
	return rubric;
};
const tasksOf = (count: number, more = {}) =>
	Array.from({ length: count }, (_, n) =>
		Task.parse({
			...{ id: `t${n}`, question: `Question ${n}?`, answer: { type: "string", value: "Anna", accepted: ["Anna"] } },
			...more,
		}),
	);
const recordOf = (task: string, more: Partial<RunRecord["trajectory"]> = {}): RunRecord => ({
	...{ version: 1, task, repeat: 0, attempt: 0, at: "" },
	trajectory: {
		steps: [],
		answer: "Ann",
		abstained: false,
		stop: "answered",
		usage: noUsage,
		ms: 0,
		messages: [],
		...more,
	},
});
const judge = "openai:referee";
type Said = Partial<Extract<Verdict["judgement"], { is: "judged" }>> | "unparsed" | "model" | "inapplicable";
function verdict(task: string, run: number, rubric: Rubric, said: Said, more: Partial<Verdict> = {}): Verdict {
	return {
		...{ version: 2, task, repeat: 0, attempt: 0, run, judge: stampOf({ judge, rubric, seed: 0 }) },
		shown: { first: "reference", evidence: [], withoutText: 0 },
		judgement:
			typeof said === "string"
				? { is: "unscored", because: said, reason: "because" }
				: { is: "judged", by: "model", value: null, grade: null, scores: {}, labels: [], reason: "", ...said },
		...{ usage: { calls: 1, inputTokens: 10, outputTokens: 2, cost: 0.5 }, ms: 100, at: "", ...more },
	};
}
const sum = (
	tasks: Task[],
	verdicts: Verdict[],
	rubric: Rubric,
	times = 1,
	records = tasks.map(({ id }) => recordOf(id)),
) =>
	summariseVerdicts(
		{ manifest: { tasks: tasks.map(({ id }) => id), repeats: 1 }, records, tasks },
		{ verdicts, judge, rubric, seed: 0, times },
	);

describe("a summary of verdicts", () => {
	const doubleBench = called("double-bench");
	const scoredAs = (score: number) => ({ ...doubleBench.scale?.of(score), scores: { score } });

	test("counts grades and averages scores, each with its interval", () => {
		const tasks = tasksOf(4);
		const told = sum(
			tasks,
			[9, 5, 2, 8].map((score, n) => verdict(`t${n}`, 0, doubleBench, scoredAs(score))),
			doubleBench,
		);
		expect(told.value).toMatchObject({ value: 0.5, n: 4 });
		expect(told.passAt1.value).toBe(0.5);
		expect(told.grades).toMatchObject({
			right: { verdicts: 2, share: { value: 0.5, method: "wilson" } },
			"partly-right": { verdicts: 1, share: { value: 0.25 } },
			wrong: { verdicts: 1, share: { value: 0.25 } },
		});
		expect(told.scores.score).toMatchObject({ value: 6, n: 4, method: "t" });
		expect(told).toMatchObject({ rubric: "double-bench", prompt: doubleBench.prompt, judge, labels: {} });
		expect(told.usage).toMatchObject({ calls: 4, cost: 2 });
	});
	test("tells the share of each label over records, with n", () => {
		const rubric = called("mc-search-errors");
		const labels = [["retrieval-failure", "step-omission"], ["retrieval-failure"], [], []];
		const told = sum(
			tasksOf(4),
			labels.map((labels, n) => verdict(`t${n}`, 0, rubric, { labels })),
			rubric,
		);
		expect(told.labels["retrieval-failure"]).toMatchObject({
			verdicts: 2,
			share: { value: 0.5, n: 4, method: "wilson" },
		});
		expect(told.labels["step-omission"]?.share.value).toBe(0.25);
		expect(Object.keys(told.labels)).toEqual(Object.keys(rubric.labels));
		expect(told).toMatchObject({
			value: { value: null },
			passAt1: { value: null },
			majority: { value: null },
			grades: {},
		});
	});
	test("clusters share their luck", () => {
		const scores = [9, 9, 9, 9, 1, 1, 1, 1].map((score, n) => verdict(`t${n}`, 0, doubleBench, scoredAs(score)));
		const alone = sum(tasksOf(8), scores, doubleBench).value;
		const together = sum(
			tasksOf(8).map((task, n) => ({ ...task, cluster: n < 4 ? "a" : n < 6 ? "b" : "c" })),
			scores,
			doubleBench,
		).value;
		expect(together).toMatchObject({ groups: 3, method: "clustered-wilson", value: 0.5 });
		expect(Number(together.high) - Number(together.low)).toBeGreaterThan(Number(alone.high) - Number(alone.low));
	});
	test("finds how often a second look says otherwise", () => {
		const said = [
			[9, 9, 9],
			[9, 9, 5],
			[9, 5, 2],
		];
		const verdicts = said.flatMap((scores, n) =>
			scores.map((score, run) => verdict(`t${n}`, run, doubleBench, scoredAs(score))),
		);
		// pairs that differ: 0 of 3, 2 of 3, 3 of 3
		expect(sum(tasksOf(3), verdicts, doubleBench, 3).flips.value).toBeCloseTo(5 / 9, 12);
		expect(sum(tasksOf(3), verdicts, doubleBench, 1).flips).toMatchObject({ value: null, n: 0 });
	});
	test("counts what came to nothing, and lowers nothing by it", () => {
		const tasks = tasksOf(7);
		const records = [
			...["t0", "t1", "t2", "t3"].map((id) => recordOf(id)),
			recordOf("t4", { stop: "budget", answer: null }),
			recordOf("t5", { stop: "error", answer: null, error: { boundary: "model", message: "503" } }),
		];
		const verdicts = [
			verdict("t0", 0, doubleBench, scoredAs(10)),
			verdict("t1", 0, doubleBench, "unparsed"),
			verdict("t2", 0, doubleBench, "model", { usage: noUsage }),
			verdict("t3", 0, doubleBench, "inapplicable", { usage: noUsage }),
		];
		expect(sum(tasks, verdicts, doubleBench, 1, records)).toMatchObject({
			...{ value: { value: 1, n: 1 }, expected: 7, scored: 1 },
			unscored: {
				...{ "unparsed judge reply": 1, "judge failed": 1, "inapplicable: because": 1 },
				...{ budget: 1, error: 1, "not answered": 1 },
			},
			failures: { "no usable reply": 1, "the model failed": 1 },
			unparsed: { verdicts: 1, of: 2, share: 0.5 },
		});
	});
	test("tells how long verdicts took, by nearest rank", () => {
		const verdicts = Array.from({ length: 20 }, (_, n) =>
			verdict(`t${n}`, 0, doubleBench, scoredAs(9), { ms: (n + 1) * 10 }),
		);
		expect(sum(tasksOf(20), verdicts, doubleBench).latency).toEqual({ p50: 100, p95: 190 });
		expect(sum(tasksOf(1), [], doubleBench).latency).toEqual({ p50: null, p95: null });
	});
	test("mixes no verdicts of another rubric, prompt, judge or seed", () => {
		const one = verdict("t0", 0, doubleBench, scoredAs(9));
		for (const stamp of [{ rubric: "tracer" }, { prompt: "old" }, { model: ruleId }, { seed: 1 }])
			expect(sum(tasksOf(1), [{ ...one, judge: { ...one.judge, ...stamp } }], doubleBench).scored).toBe(0);
		expect(sum(tasksOf(1), [one], doubleBench).scored).toBe(1);
	});
	test("lists who has judged, with rubrics as they read today", () => {
		const ruled = stampOf({ judge: ruleId, rubric: doubleBench, seed: 2 });
		const one = verdict("t0", 1, doubleBench, scoredAs(9));
		const verdicts = [
			...[one, verdict("t0", 0, doubleBench, scoredAs(9)), { ...one, run: 0, judge: ruled }],
			{ ...one, judge: { ...one.judge, prompt: "old", seed: 5 } },
			{ ...one, judge: { ...one.judge, rubric: "toString" } },
		];
		expect(judgesIn(verdicts).map(({ rubric, ...seen }) => ({ ...seen, rubric: rubric.name }))).toEqual([
			{ judge, rubric: "double-bench", seed: 0, times: 2 },
			{ judge: ruleId, rubric: "double-bench", seed: 2, times: 1 },
		]);
	});
});

describe("what the order does", () => {
	const values = (count: number, value: (n: number, first: "reference" | "submitted") => number) =>
		Array.from({ length: count }, (_, n) => n).flatMap((n) =>
			(["reference", "submitted"] as const).map((first) => ({
				item: `${n}`,
				cluster: `${n}`,
				first,
				value: value(n, first),
			})),
		);
	test("is found within answers where both orders were shown", () => {
		const found = positionEffect(values(40, (n, first) => (first === "reference" && n % 4 === 0 ? 1 : n % 2)));
		expect(found).toMatchObject({ method: "paired", value: 0.25, n: 40 });
		expect(Number(found.low)).toBeGreaterThan(0);
	});
	test("is found between answers where each was shown in one", () => {
		const once = values(60, (n, first) => (first === "reference" ? Number(n % 6 < 4) : Number(n % 6 < 1))).filter(
			({ first }, at) => (at % 4 < 2 ? first === "reference" : first === "submitted"),
		);
		const found = positionEffect(once);
		const means = (["reference", "submitted"] as const).map((first) => {
			const some = once.filter((one) => one.first === first);
			return some.reduce((total, { value }) => total + value, 0) / some.length;
		});
		expect(found.method).toBe("unpaired");
		expect(found.value).toBeCloseTo(Number(means[0]) - Number(means[1]), 12);
		// two independent samples of 30: s^2 n/(n-1) each, summed by the formula with C = 60
		const [a = 0, b = 0] = means;
		const error = Math.sqrt((60 / 59) * ((a * (1 - a)) / 30 + (b * (1 - b)) / 30));
		expect((Number(found.high) - Number(found.low)) / 2).toBeCloseTo(2.000995378 * error, 6);
	});
	test("is surer where both orders share a cluster's luck", () => {
		const some = [1, 1, 0, 0].map((value, n) => ({
			...{ item: `${n}`, cluster: n < 2 ? "easy" : "hard", value },
			first: n % 2 === 0 ? ("reference" as const) : ("submitted" as const),
		}));
		// in each cluster the two answers cancel out: (0.5 - 0.5) / 2 and (-0.5 + 0.5) / 2
		expect(positionEffect(some)).toMatchObject({ value: 0, low: 0, high: 0, method: "unpaired", groups: 2 });
		const apart = some.map((one) => ({ ...one, cluster: one.item }));
		expect(Number(positionEffect(apart).high)).toBeGreaterThan(0.5);
	});
	test("changes sign with the order's name, and is null where one order is missing", () => {
		fc.assert(
			fc.property(
				fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 0, max: 3 }), fc.nat(6)), { maxLength: 30 }),
				(drawn) => {
					const some = drawn.map(([first, value, item]) => ({
						...{ item: `${item}`, cluster: `${item % 3}`, value },
						first: first ? ("reference" as const) : ("submitted" as const),
					}));
					const other = some.map((one) => ({
						...one,
						first: one.first === "reference" ? ("submitted" as const) : ("reference" as const),
					}));
					const [here, there] = [positionEffect(some), positionEffect(other)];
					if (here.value === null) expect(here.reason).toBeDefined();
					else expect(there.value).toBeCloseTo(-here.value, 9);
					expect(there.method).toBe(here.method);
				},
			),
		);
	});
});

describe("rows with the judge's score", () => {
	const tracer = called("tracer");
	const tasks = tasksOf(6, { tags: { language: "en" } });
	const records = [
		...["t0", "t1", "t2", "t3"].map((id) => recordOf(id)),
		recordOf("t4", { stop: "error", answer: null, error: { boundary: "model", message: "503" } }),
		recordOf("t5", { abstained: true }),
	];
	const rows = records.map((record, n) => {
		const task = tasks[n] as Task;
		const key = { task: record.task, repeat: 0, attempt: 0, version: 1 as const, scorer: "test" };
		return { ...key, ...scoreTrajectory(task, record.trajectory) };
	});
	const scoredAs = (score: number) => ({ ...tracer.scale?.of(score), scores: { answer_score: score } });
	const verdicts = [
		...[2, 0, 1].map((score, run) => verdict("t0", run, tracer, scoredAs(score))),
		...[0, 1].map((run) => verdict("t1", run, tracer, "unparsed")),
		verdict("t2", 0, tracer, "model"),
		verdict("t5", 0, tracer, scoredAs(0)),
	];
	const options = { judge, rubric: tracer, seed: 0 };
	const found = judgedRows(rows, verdicts, options);

	test("hold its mean with how it came about, or why there is none", () => {
		const scores = found.map(({ scores }) => scores.judged);
		expect(scores[0]).toEqual({
			...{ is: "scored", value: 2 / 3 },
			details: { judge, rubric: "tracer", prompt: tracer.prompt, runs: 3, failed: 0 },
		});
		expect(scores.slice(1, 5).map((score) => score?.is === "unscored" && score.reason)).toEqual([
			...["unparsed judge reply", "judge failed", "not judged", "error"],
		]);
		expect(found.map(({ outcome }) => outcome)).toEqual([
			...["right", "unparsed-judge", "wrong", "wrong", "error", "abstained"],
		]);
		expect(found[0]?.scores.em).toEqual(rows[0]?.scores.em);
		expect(rows[0]?.scores).not.toHaveProperty("judged");
	});
	test("are summarised, sliced and compared like any other score", () => {
		const items = found.map((row, n) => ({ task: tasks[n] as Task, row }));
		const summary = summarise(items, { metric: "judged" });
		expect(summary).toMatchObject({ value: 1 / 3, scored: 2, expected: 6, tasks: 2, inapplicable: 0 });
		// what is missing is counted by reason and bounded, never taken as wrong
		expect(summary.missing).toEqual({ "unparsed-judge": 1, "judge failed": 1, "not judged": 1, error: 1 });
		expect(summary.bounds?.[0]).toBeCloseTo(2 / 18, 12);
		expect(summary.bounds?.[1]).toBeCloseTo((2 / 3 + 4) / 6, 12);
		expect(
			slices(items, "language").map(({ name, items }) => [name, summarise(items, { metric: "judged" }).value]),
		).toEqual([["en", 1 / 3]]);
		const better = judgedRows(
			rows,
			["t0", "t1", "t2", "t3", "t5"].map((id) => verdict(id, 0, tracer, scoredAs(2))),
			options,
		).map((row, n) => ({ task: tasks[n] as Task, row }));
		expect(compareRuns(better, items, { metric: "judged" }).value).toBeCloseTo((1 / 3 + 1) / 2, 12);
	});
	test("have no value by a rubric of labels", () => {
		const rubric = called("mc-search-errors");
		const [row] = judgedRows(rows, [verdict("t0", 0, rubric, { labels: ["step-omission"] })], { ...options, rubric });
		expect(row?.scores.judged).toEqual({ is: "unscored", reason: "the rubric gives labels, no value" });
	});
});
