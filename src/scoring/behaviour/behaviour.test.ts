import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { metrics, overConfidence } from "#scoring";

const measure = (name: string, input: object) => metrics[name]?.measure(input).result;

describe("reached depth", () => {
	const depth = (tasks: object[], more = {}) => measure("reached-depth", { tasks, ...more });
	const task = (ladder: string, level: number, right: boolean | number) => ({ ladder, level, right });

	test("the highest level answered right, its own included", () => {
		const tasks = [
			task("a", 2, true),
			task("a", 3, false),
			task("a", 4, true),
			task("b", 2, true),
			task("b", 3, true),
			task("b", 4, false),
			task("c", 2, false),
			task("c", 4, false),
		];
		expect(depth(tasks)).toMatchObject({
			value: (4 + 3 + 0) / 3,
			n: 3,
			level: 4,
			mode: "hopscope",
			levels: { 2: { value: 4 / 3, n: 3 }, 3: { value: 2.5, n: 2 }, 4: { value: 7 / 3, n: 3 } },
		});
		expect(depth(tasks, { level: 3 })?.value).toBe(2.5);
		expect(depth(tasks, { level: 5 })).toMatchObject({ value: null, reason: expect.stringContaining("level") });
		expect(depth([])).toMatchObject({ value: null, reason: "no tasks" });
	});
	test("mode tracer starts at level 2; a judge's score is right from 1", () => {
		const tasks = [task("a", 1, true), task("a", 2, 0), task("a", 3, 0.5), task("b", 1, false), task("b", 3, 1)];
		expect(depth(tasks)?.value).toBe((1 + 3) / 2);
		expect(depth(tasks, { mode: "tracer" })).toMatchObject({ value: (0 + 3) / 2, levels: { 2: { value: 0 } } });
	});
	test("two tasks at one level: each counts for itself there, either for the levels above", () => {
		const tasks = [task("a", 2, true), task("a", 2, false), task("a", 3, false)];
		expect(depth(tasks)).toMatchObject({ value: 2, levels: { 2: { value: 1 } } });
	});
	test("tasks of one nested question series share their luck", () => {
		expect(depth([task("a", 2, true), task("a", 2, false)])).toMatchObject({ value: 1, n: 2, groups: 1, low: null });
	});
	test("between 0 and the level, never lower for one more right answer, whatever the order", () => {
		const tasks = fc.array(
			fc.record({ ladder: fc.constantFrom("a", "b"), level: fc.integer({ min: 1, max: 4 }), right: fc.boolean() }),
			{ minLength: 1, maxLength: 10 },
		);
		fc.assert(
			fc.property(tasks, fc.nat(9), (list, pick) => {
				const { value, level } = depth(list) ?? { value: null, level: null };
				expect(value).toBeGreaterThanOrEqual(0);
				expect(value).toBeLessThanOrEqual(Number(level));
				expect(Number(depth([...list].reverse())?.value)).toBeCloseTo(Number(value), 12);
				const better = list.map((each, index) => (index === pick % list.length ? { ...each, right: true } : each));
				expect(Number(depth(better)?.value)).toBeGreaterThanOrEqual(Number(value) - 1e-12);
			}),
		);
	});
});

test("steps when right, and when wrong", () => {
	const items = [
		{ steps: 3, right: true },
		{ steps: 4, right: true },
		{ steps: 7, right: false },
	];
	expect(measure("steps-by-outcome", { items })).toMatchObject({ value: 3.5, n: 2, wrong: { value: 7, n: 1 } });
	expect(measure("steps-by-outcome", { items: items.slice(2) })).toMatchObject({
		value: null,
		reason: "no task was answered right",
		wrong: { value: 7 },
	});
	// one step each is a count, not an outcome: no Wilson interval
	const once = [
		{ steps: 1, right: true },
		{ steps: 0, right: true },
	];
	expect(measure("steps-by-outcome", { items: once })?.method).toBe("t");
});

test("average k is of a task's steps first; tasks without steps are counted apart", () => {
	expect(measure("average-k", { results: [[5, 3], [10], []] })).toMatchObject({ value: 7, n: 2, stepless: 1 });
	expect(measure("average-k", { results: [[]] })).toMatchObject({ value: null, reason: "no task has a step" });
	expect(measure("average-k", { results: [[2], [], [4]], clusters: ["a", "b", "a"] })).toMatchObject({
		value: 3,
		groups: 1,
	});
	// one result a step is a count, not an outcome
	expect(measure("average-k", { results: [[1], [0]] })?.method).toBe("t");
	expect(measure("average-k", { results: [[2]], clusters: [] })?.reason).toContain("clusters");
});

test("utilisation: calls over the calls allowed", () => {
	expect(measure("utilisation", { calls: [8, 10, 9], allowed: 10 })).toMatchObject({ value: 0.9, calls: 9, n: 3 });
	// VistaHop, Table 5: 8.94 calls of 10, 5.29 of 6
	expect(Number(measure("utilisation", { calls: [8.94], allowed: 10 })?.value)).toBeCloseTo(0.894, 12);
	expect(Number(measure("utilisation", { calls: [5.29], allowed: 6 })?.value)).toBeCloseTo(0.882, 3);
	expect(measure("utilisation", { calls: [], allowed: 10 })).toMatchObject({ value: null, calls: null });
	expect(measure("utilisation", { calls: [-1], allowed: 10 })?.reason).toContain("calls");
	expect(measure("utilisation", { calls: [1], allowed: 0 })?.reason).toContain("allowed");
});

describe("efficiency", () => {
	const ms = { slow: [4000, 6000], middle: [2000, 2000], fast: [1000, 1000] };

	test("time over the fastest agent's, with its interval", () => {
		expect(measure("efficiency", { ms, tokens: { slow: [10, 20] } })).toMatchObject({
			value: 5,
			agent: "slow",
			agents: {
				fast: { value: 1, low: 1, high: 1, ms: { value: 1000 } },
				middle: { value: 2 },
				slow: { value: 5, low: 0, tokens: { value: 15 } },
			},
		});
		expect(measure("efficiency", { ms, agent: "middle" })?.value).toBe(2);
		// questions of one length leave the ratio without spread
		expect(measure("efficiency", { ms, agent: "middle" })).toMatchObject({ low: 2, high: 2 });
	});
	test("other questions have no paired interval; a name that is not there is a mistake", () => {
		expect(measure("efficiency", { ms: { a: [1, 2, 3], b: [1] } })).toMatchObject({ value: 2, low: null, high: null });
		expect(measure("efficiency", { ms, agent: "toString" })?.reason).toContain("agent");
		expect(measure("efficiency", { ms: { a: [0], b: [1] } })).toMatchObject({
			value: null,
			reason: expect.any(String),
		});
		expect(measure("efficiency", { ms: {} })).toMatchObject({ value: null });
		expect(measure("efficiency", { ms: JSON.parse('{"__proto__": [1], "b": [3]}') })).toMatchObject({
			value: 3,
			agent: "b",
		});
	});
	test("never below 1, and the same in seconds", () => {
		const times = fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 4 });
		fc.assert(
			fc.property(times, times, (a, b) => {
				const value = Number(measure("efficiency", { ms: { a, b } })?.value);
				expect(value).toBeGreaterThanOrEqual(1);
				const scaled = { a: a.map((each) => each * 1024), b: b.map((each) => each * 1024) };
				expect(Number(measure("efficiency", { ms: scaled })?.value)).toBeCloseTo(value, 12);
			}),
			{ numRuns: 30 },
		);
	});
});

test("delta F1 is paired, task by task", () => {
	const input = { f1: [0.8, 0.5, 1, 0.75], closedBook: [0.2, 0.5, 0.4, 0] };
	const result = measure("delta-f1", input);
	expect(result?.value).toBeCloseTo((0.6 + 0 + 0.6 + 0.75) / 4, 12);
	expect(result).toMatchObject({ n: 4, wins: 3, ties: 1, losses: 0 });
	expect(result).toEqual(measure("paired", { a: input.f1, b: input.closedBook }));
	expect(measure("delta-f1", { ...input, clusters: ["a", "a", "b", "b"] })).toMatchObject({ groups: 2 });
	expect(measure("delta-f1", { f1: [1], closedBook: [] })?.reason).toContain("closedBook");
	expect(measure("delta-f1", { f1: [1.5], closedBook: [1] })?.reason).toContain("f1");
	expect(measure("delta-f1", { f1: [], closedBook: [] })).toMatchObject({ value: null, reason: expect.any(String) });
});

describe("over-confidence", () => {
	const items = (counts: Record<string, number>, hit: boolean) =>
		Object.entries(counts).flatMap(([outcome, n]) => Array.from({ length: n }, () => ({ hit, outcome })));
	const hits = items({ right: 5, "partly-right": 1, wrong: 2, abstained: 2 }, true);
	const misses = items({ right: 1, wrong: 5, abstained: 4 }, false);

	test("answered although retrieval missed, with the whole table beside it", () => {
		expect(measure("over-confidence", { items: [...hits, ...misses] })).toMatchObject({
			value: 0.6,
			n: 10,
			method: "wilson",
			hit: {
				n: 10,
				outcomes: { right: 5, "partly-right": 1, wrong: 2, abstained: 2 },
				answered: { value: 0.8, n: 10 },
				accuracy: { value: 5 / 8, n: 8 },
			},
			miss: { n: 10, answered: { value: 0.6 }, accuracy: { value: 1 / 6, n: 6 } },
			all: { n: 20, answered: { value: 14 / 20 }, accuracy: { value: 6 / 14, n: 14 } },
		});
	});
	test("no miss is undefined, and the table stays; nobody answered has no accuracy", () => {
		expect(measure("over-confidence", { items: hits })).toMatchObject({
			value: null,
			reason: "retrieval missed on no task",
			hit: { n: 10 },
			miss: { n: 0 },
		});
		expect(measure("over-confidence", { items: items({ abstained: 3 }, false) })).toMatchObject({
			value: 0,
			miss: { accuracy: { value: null } },
		});
		expect(measure("over-confidence", { items: [{ hit: true, outcome: "error" }] })?.reason).toContain("outcome");
	});
	test("clusters are the unit where they are given", () => {
		const clustered = misses.map((item, index) => ({ ...item, cluster: String(index % 2) }));
		expect(measure("over-confidence", { items: clustered })).toMatchObject({ groups: 2, method: "clustered-wilson" });
	});
});

test("over-confidence: an attempt whose context was full is in the table, not answered", () => {
	const items = [
		{ hit: true, outcome: "right" as const },
		{ hit: true, outcome: "context-limit" as const },
		{ hit: false, outcome: "wrong" as const },
		{ hit: false, outcome: "context-limit" as const },
	];
	expect(measure("over-confidence", { items })).toMatchObject({
		value: 0.5,
		hit: { n: 2, outcomes: { right: 1, "context-limit": 1 }, answered: { value: 0.5 }, accuracy: { value: 1, n: 1 } },
		miss: { n: 2, outcomes: { wrong: 1, "context-limit": 1 }, answered: { value: 0.5 } },
		all: { n: 4 },
	});
});

test("over-confidence: a record that ended without an answer was not answered", () => {
	const items = [
		{ hit: false, outcome: "wrong" as const },
		{ hit: false, outcome: "wrong" as const, answered: false },
		{ hit: false, outcome: "abstained" as const },
		{ hit: true, outcome: "right" as const, answered: true },
	];
	const { miss, all } = overConfidence(items);
	expect([miss.answered.value, miss.accuracy.value, all.answered.value, all.accuracy.value]).toEqual([
		1 / 3,
		0,
		0.5,
		0.5,
	]);
	expect(miss.outcomes).toMatchObject({ wrong: 2, abstained: 1 });
});
