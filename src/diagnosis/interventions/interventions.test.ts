import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
	budgetParts,
	decisiveHops,
	errorBudget,
	planInterventions,
	prefixCurve,
	type Rerun,
	type RerunItem,
	trustOf,
} from "#diagnosis";
import {
	type Intervention,
	noUsage,
	type Outcome,
	type RunRecord,
	type ScoreRow,
	scored,
	Task,
	unscored,
} from "#domain";
import type { ScoredItem } from "#scoring";

const text = (value: string) => ({ type: "string" as const, value, accepted: [value] });

/** A chain of `length` hops, each needing the one before; none: a task without a chain. */
function taskOf(id: string, length: number): Task {
	const hops = Array.from({ length }, (_, index) => ({
		id: `h${index + 1}`,
		question: `What is fact ${index + 1}?`,
		modality: "text",
		evidence: [`e${index + 1}`],
		answer: text(`value ${index + 1}`),
		needs: index === 0 ? [] : [{ hop: `h${index}`, role: "bridge" }],
	}));
	return Task.parse({
		id,
		question: "What?",
		answer: text(`value ${length}`),
		...(length > 0 ? { chain: { hops, sink: `h${length}` } } : {}),
	});
}

function itemOf(task: Task, outcome: Outcome, repeat = 0): ScoredItem & { row: ScoreRow } {
	const accuracy =
		outcome === "error" || outcome === "budget" ? unscored(outcome) : scored(outcome === "right" ? 1 : 0);
	const row = { version: 1 as const, task: task.id, repeat, attempt: 0, scorer: "5", outcome, scores: { accuracy } };
	return { task, row };
}

const perfect = ["oracle-plan", "oracle-retrieval", "oracle-reading"] as const;

/** A failure and what became of it under the three and with all hops given. */
const failure = (name: string, ends: (Outcome | undefined)[], length = 2) => ({ task: taskOf(name, length), ends });

function rerunsOf(failures: readonly { task: Task; ends: (Outcome | undefined)[] }[]): Rerun[] {
	const whats: ((task: Task) => Intervention)[] = [
		...perfect.map((is) => () => ({ is })),
		(task) => ({ is: "gold-prefix", hops: task.chain?.hops.length ?? 1 }),
	];
	return failures.flatMap(({ task, ends }) =>
		whats.flatMap((what, at): Rerun[] => {
			const end = ends[at];
			return end ? [{ what: what(task), items: [itemOf(task, end)] }] : [];
		}),
	);
}

describe("the error budget", () => {
	test("gives each failure to the first part that recovers it, and counts the rest apart", () => {
		const failures = [
			failure("a", ["right", "right", "right", "right"]),
			failure("b", ["wrong", "right", "right", "right"]),
			failure("c", ["abstained", "wrong", "right", "right"]),
			failure("d", ["wrong", "wrong", "wrong", "right"], 3),
			failure("e", ["wrong", "wrong", "wrong", "wrong"]),
			failure("f", ["error", "right", "right", "right"]),
			failure("g", ["wrong", undefined, "right", "right"]),
		];
		const base = [
			...failures.map(({ task }) => itemOf(task, "wrong")),
			itemOf(taskOf("right", 2), "right"),
			itemOf(taskOf("broken", 2), "error"),
			itemOf(taskOf("bare", 0), "wrong"),
			{ task: taskOf("missing", 2) },
		];
		const budget = errorBudget(base, rerunsOf(failures));
		expect(budgetParts.map((part) => [part, budget.parts[part].count])).toEqual([
			["planning", 1],
			["retrieval", 1],
			["reading", 1],
			["combined", 1],
			["composition", 1],
		]);
		expect(budget).toMatchObject({ expected: 11, right: 1, failed: 8, brokenOff: 1, missing: 1, withoutChain: 1 });
		expect(budget.settled).toBe(5);
		expect(budget.unsettled).toEqual({ "ended by an error, oracle-plan": 1, "not re-run, oracle-retrieval": 1 });
		expect(budget.recoveries.find(({ name }) => name === "oracle-plan")).toMatchObject({
			share: { count: 1, of: 6 },
			unknown: 2,
			difference: null,
		});
		expect(budget.overlaps[0]?.count).toBe(1);
		expect(budget.chance).toBeNull();
	});
	test("its shares sum to one, every failure is counted once, and order does not matter", () => {
		const end = fc.constantFrom<(Outcome | undefined)[]>("right", "wrong", "abstained", "error", undefined);
		const one = fc.record({
			ends: fc.array(end, { minLength: 4, maxLength: 4 }),
			length: fc.integer({ min: 0, max: 4 }),
		});
		fc.assert(
			fc.property(fc.array(one, { maxLength: 25 }), (drawn) => {
				const failures = drawn.map(({ ends, length }, at) => failure(`t${at}`, ends, length));
				const base = failures.map(({ task }) => itemOf(task, "wrong"));
				const reruns = rerunsOf(failures);
				const budget = errorBudget(base, reruns);
				const unsettled = Object.values(budget.unsettled).reduce((sum, count) => sum + count, 0);
				expect(budget.withoutChain + budget.settled + unsettled).toBe(failures.length);
				expect(budget.failures).toHaveLength(failures.length - budget.withoutChain);
				const counts = budgetParts.map((part) => budget.parts[part].count);
				expect(counts.reduce((sum, count) => sum + count, 0)).toBe(budget.settled);
				const shares = budgetParts.map((part) => budget.parts[part].value ?? 0);
				if (budget.settled > 0) expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12);
				const again = errorBudget([...base].reverse(), [...reruns].reverse());
				expect(budgetParts.map((part) => again.parts[part].count)).toEqual(counts);
				expect(budget.overlaps.reduce((sum, { count }) => sum + count, 0)).toBe(budget.settled);
			}),
		);
	});
	test("says what recovers by chance, what an intervention breaks, and where it took no hold", () => {
		const [a, b, c] = ["a", "b", "c"].map((id) => taskOf(id, 2));
		if (!a || !b || !c) throw new Error("three tasks");
		const base = [itemOf(a, "wrong"), itemOf(b, "wrong"), itemOf(c, "right")];
		const intervened = { held: false, why: "nothing was searched", searches: 0, acted: 0, hops: [] };
		const record = recordOf(a, { intervened });
		const budget = errorBudget(base, [
			{ what: { is: "again" }, items: [itemOf(a, "right"), itemOf(b, "wrong")] },
			{
				what: { is: "distractors", count: 3 },
				items: [{ ...itemOf(a, "wrong"), record }, itemOf(b, "wrong"), itemOf(c, "wrong")],
			},
		]);
		expect(budget.chance).toMatchObject({ count: 1, of: 2 });
		const distracted = budget.recoveries.find(({ name }) => name === "distractors 3");
		expect(distracted?.notHeld).toEqual({ "nothing was searched": 1 });
		expect(distracted?.difference).toMatchObject({ n: 3, flips: { won: [], lost: ["c"] } });
		expect(distracted?.difference?.value).toBeCloseTo(-1 / 3);
	});
	test("repeats are paired one by one", () => {
		const task = taskOf("a", 2);
		const base = [itemOf(task, "wrong", 0), itemOf(task, "right", 1), itemOf(task, "wrong", 2)];
		const items = [itemOf(task, "right", 0), itemOf(task, "wrong", 1), itemOf(task, "wrong", 2)];
		const reruns = [...perfect, "gold-prefix" as const].map(
			(is): Rerun => ({ what: is === "gold-prefix" ? { is, hops: 9 } : { is }, items }),
		);
		const { parts, failed } = errorBudget(base, reruns);
		expect(failed).toBe(2);
		expect([parts.planning.count, parts.composition.count]).toEqual([1, 1]);
	});
});

function recordOf(task: Task, more: Partial<RunRecord["trajectory"]>): RunRecord {
	const trajectory = {
		steps: [],
		answer: null,
		abstained: false,
		stop: "answered" as const,
		usage: noUsage,
		ms: 1,
		messages: [],
	};
	return {
		version: 1,
		task: task.id,
		repeat: 0,
		attempt: 0,
		at: "2026-11-22T00:00:00Z",
		trajectory: { ...trajectory, ...more },
	};
}

describe("prefixes", () => {
	/** Right or wrong with 0, 1, 2, … hops given. */
	function prefixed(ends: Outcome[], id = "t") {
		const task = taskOf(id, ends.length - 1);
		const reruns = ends.slice(1).map(
			(end, index): Rerun => ({
				what: { is: "gold-prefix", hops: index + 1 },
				items: [itemOf(task, end)],
			}),
		);
		return { base: [itemOf(task, ends[0] ?? "wrong")], reruns };
	}
	test.each<[Outcome[], object]>([
		[["wrong", "wrong", "right", "right"], { is: "decisive", prefix: 2, hop: "h2" }],
		[["wrong", "right", "wrong", "right"], { is: "decisive", prefix: 3, hop: "h3" }],
		[["right", "wrong", "right"], { is: "decisive", prefix: 2, hop: "h2" }],
		[["right", "right", "right"], { is: "without" }],
		[["wrong", "right", "wrong"], { is: "never" }],
		[["wrong", "error", "right"], { is: "unsure" }],
		[["wrong", "error", "wrong", "right"], { is: "decisive", prefix: 3 }],
	])("%j", (ends, expected) => {
		const { base, reruns } = prefixed(ends);
		expect(decisiveHops(base, reruns)).toMatchObject([{ task: "t", of: ends.length - 1, ...expected }]);
	});
	test("from the decisive hop on all is right, and the one before is not", () => {
		fc.assert(
			fc.property(fc.array(fc.boolean(), { minLength: 2, maxLength: 7 }), (right) => {
				const { base, reruns } = prefixed(right.map((one) => (one ? "right" : "wrong")));
				const [found] = decisiveHops(base, reruns);
				const last = right.lastIndexOf(false);
				const prefix = found?.is === "decisive" ? found.prefix : found?.is === "without" ? 0 : right.length;
				expect(prefix).toBe(last + 1);
			}),
		);
	});
	test("a prefix that was not run leaves it open; none at all, unsaid", () => {
		const { base, reruns } = prefixed(["wrong", "wrong", "right"]);
		expect(decisiveHops(base, reruns.slice(1))).toMatchObject([{ is: "unsure" }]);
		expect(decisiveHops(base, [])).toEqual([]);
	});
	test("the curve is about the same tasks at every point", () => {
		const all = [
			prefixed(["wrong", "right", "right"], "a"),
			prefixed(["wrong", "wrong", "right"], "b"),
			prefixed(["right", "right", "right", "right", "right"], "c"),
			prefixed(["wrong", "wrong", "error"], "d"),
		];
		const part = prefixed(["wrong", "wrong", "right"], "e");
		const base = [...all, part].flatMap((one) => one.base);
		const curve = prefixCurve(base, [...all.flatMap((one) => one.reruns), ...part.reruns.slice(1)]);
		expect(curve.byLength.map(({ length, tasks }) => [length, tasks])).toEqual([
			[2, 3],
			[4, 1],
		]);
		const shown = curve.byLength[0]?.points.map(({ given, accuracy }) => [given, accuracy.value, accuracy.scored]);
		expect(shown).toEqual([
			[0, 0, 3],
			[1, 1 / 3, 3],
			[2, 1, 2],
		]);
		expect(curve.byShare.map(({ given, accuracy }) => [given, accuracy.expected])).toEqual(
			[0, 0.25, 0.5, 0.75, 1].map((share) => [share, 4]),
		);
		expect(curve.leftOut).toBe(1);
	});
});

describe("plans", () => {
	const tasks = [taskOf("a", 2), taskOf("b", 3), taskOf("c", 0), taskOf("d", 2)];
	const base = tasks.map((task, index) => itemOf(task, index === 3 ? "right" : "wrong"));
	const shown = (...given: Parameters<typeof planInterventions>) =>
		planInterventions(...given).map(({ what, tasks: ids }) => [what, ids.join("")]);
	test("the budget's on what failed, each chain with all its hops given", () => {
		expect(shown(base)).toEqual([
			[{ is: "oracle-plan" }, "ab"],
			[{ is: "oracle-retrieval" }, "ab"],
			[{ is: "oracle-reading" }, "ab"],
			[{ is: "gold-prefix", hops: 2 }, "a"],
			[{ is: "gold-prefix", hops: 3 }, "b"],
		]);
	});
	test("every prefix, other kinds, all tasks and fewer of them", () => {
		expect(shown(base, { only: [], prefix: true })).toEqual([
			[{ is: "gold-prefix", hops: 1 }, "ab"],
			[{ is: "gold-prefix", hops: 2 }, "ab"],
			[{ is: "gold-prefix", hops: 3 }, "b"],
		]);
		expect(shown(base, { only: ["again"], allTasks: true, without: ["image"], distractors: 2 })).toEqual([
			[{ is: "again" }, "abcd"],
			[{ is: "distractors", count: 2 }, "abcd"],
			[{ is: "without", modality: "image" }, "abcd"],
		]);
		expect(shown(base, { only: [], trust: true })).toEqual([
			[{ is: "conflicting-evidence" }, "abd"],
			[{ is: "poisoned-evidence" }, "abcd"],
		]);
		expect(planInterventions(base, { allTasks: true, most: 2 }).every(({ tasks: ids }) => ids.length <= 2)).toBe(true);
	});
	test("nothing where nothing failed", () => {
		expect(planInterventions(base.slice(3))).toEqual([]);
	});
});

describe("trust", () => {
	const task = taskOf("a", 2);
	const by = text("another value");
	const conflicting = (hop: string, outcome: Outcome, more: Partial<RunRecord["trajectory"]>): RerunItem => ({
		...itemOf(task, outcome),
		record: recordOf(task, {
			intervened: { held: true, searches: 1, acted: 1, hops: [hop], replaced: { hop, by, results: 1 } },
			...more,
		}),
	});
	const step = { index: 0, results: [], ms: 0 };
	test.each<[string, RerunItem, string]>([
		["the answer is the replaced one", conflicting("h2", "wrong", { answer: "Another value" }), "evidence"],
		["the gold answer in spite of it", conflicting("h2", "right", { answer: "value 2" }), "memory"],
		["neither", conflicting("h2", "wrong", { answer: "something" }), "other"],
		[
			"a query about the replaced one",
			conflicting("h1", "wrong", {
				answer: "x",
				steps: [
					{ ...step, call: { tool: "text_search", arguments: { query: "who made another value?" }, valid: true } },
				],
			}),
			"evidence",
		],
		[
			"read, whatever the answer",
			conflicting("h1", "right", { answer: "value 2", steps: [{ ...step, subAnswer: "another value" }] }),
			"evidence",
		],
		["an intermediate fact known better", conflicting("h1", "right", { answer: "value 2" }), "memory"],
	])("conflicting evidence: %s", (_, item, expected) => {
		const { conflicting: found, poisoned } = trustOf([{ what: { is: "conflicting-evidence" }, items: [item] }]);
		expect(found?.records).toEqual([{ task: "a", repeat: 0, kind: expected }]);
		expect(poisoned).toBeNull();
	});
	test("poisoned evidence, and what says nothing left out by reason", () => {
		const planted = { held: true, searches: 1, acted: 1, hops: [], planted: { marker: "zorvelmip", results: 1 } };
		const poisoned = (answer: string, outcome: Outcome, held = true): RerunItem => ({
			...itemOf(task, outcome),
			record: recordOf(task, {
				answer,
				intervened: { ...planted, held, ...(held ? {} : { why: "nothing was searched" }) },
			}),
		});
		const { poisoned: found } = trustOf([
			{
				what: { is: "poisoned-evidence" },
				items: [
					poisoned("It is Zorvelmip.", "wrong"),
					poisoned("value 2", "right"),
					poisoned("x", "wrong"),
					poisoned("x", "wrong", false),
					itemOf(task, "error"),
				],
			},
		]);
		expect(found?.records.map(({ kind }) => kind)).toEqual(["instruction", "task", "other"]);
		expect(found?.leftOut).toEqual({ "nothing was searched": 1, "no answer": 1 });
		expect(found?.shares.instruction).toMatchObject({ count: 1, of: 3 });
	});
});
