import { describe, expect, test } from "vitest";
import { confusionOf, type ErrorBudget, type InjectedRecord, injectedBudget, injectedRecords } from "#diagnosis";
import { type Diagnosis, Fault, type FindingKind, type InjectedLine, Task } from "#domain";
import { expectedOf } from "./injected.ts";
import { lossOf } from "./injected-budget.ts";

const answer = { type: "string", value: "x", accepted: ["x"] };
const hop = (id: string, needs: string[] = []) => ({
	...{ id, question: `${id}?`, modality: "text", evidence: [`e-${id}`], answer },
	needs: needs.map((needed) => ({ hop: needed, role: "bridge" })),
});
const task = (id: string) =>
	// listed against the order of dependency
	Task.parse({ id, question: "?", answer, chain: { hops: [hop("c", ["b"]), hop("b", ["a"]), hop("a")], sink: "c" } });

type What = InjectedLine["injected"];
const line = (id: string, injected: What, missed: string[] = []): InjectedLine => ({
	...{ version: 1, task: id, repeat: 0, injected, missed },
});
const strike = (fault: Fault, at: string | null): What => ({ is: "struck", fault, hop: at, did: `did ${fault}` });
const diagnosis = (id: string, primary: FindingKind | null, firstBroken: string | null): Diagnosis => ({
	...{
		version: 2,
		task: id,
		repeat: 0,
		attempt: 0,
		diagnoser: "1",
		shows: "stated",
		unobserved: [],
		hops: [],
		findings: [],
		notJudged: [],
	},
	...{ primary, firstBroken },
});

function records(cases: [What, string[], FindingKind | null, string | null][]): InjectedRecord[] {
	const tasks = cases.map((_, n) => task(`t${n}`));
	return injectedRecords(
		cases.map(([injected, missed], n) => line(`t${n}`, injected, missed)),
		{
			tasks,
			diagnoses: cases.map(([, , primary, first], n) => diagnosis(`t${n}`, primary, first)),
			clean: new Set(["t0"]),
		},
	);
}

describe("a log against diagnoses", () => {
	test("every fault has its names and its loss", () => {
		expect(Object.keys(expectedOf)).toEqual(Fault.options);
		expect(Object.keys(lossOf)).toEqual(Fault.options);
		const found = records(Fault.options.map((fault) => [strike(fault, "b"), [], expectedOf[fault][0], "b"]));
		expect(found.map(({ truth, right }) => ({ truth, right }))).toEqual(
			Fault.options.map((truth) => ({ truth, right: true })),
		);
		expect(records([[strike("reversed-order", "b"), [], "order", null]])[0]?.right).toBe(true);
		expect(records([[strike("misread", "b"), [], "unsupported", "b"]])[0]?.right).toBe(false);
	});
	test("a hop missed before the struck one is the truth, one missed after it is its consequence", () => {
		const found = records([
			[strike("misread", "b"), ["a"], "retrieval-miss", "a"],
			[strike("misread", "b"), ["c"], "misread", "b"],
			[strike("broken-retriever", "b"), ["b"], "retrieval-miss", "b"],
		]);
		expect(found.map(({ truth, hop, right }) => [truth, hop, right])).toEqual([
			["natural-miss", "a", true],
			["misread", "b", true],
			["broken-retriever", "b", true],
		]);
		expect(found.map(({ clean }) => clean)).toEqual([true, false, false]);
	});
	test("where nothing struck nothing is right, unless evidence really did not come back", () => {
		const missed: What = { is: "missed-its-mark", fault: "misread", because: "no other value" };
		const found = records([
			[{ is: "spared" }, [], null, null],
			[{ is: "cannot-strike" }, [], "misread", "a"],
			[missed, [], null, null],
			[{ is: "spared" }, ["c", "b"], "retrieval-miss", "b"],
			[{ is: "spared" }, ["c"], null, null],
		]);
		expect(found.map(({ truth, hop, right }) => [truth, hop, right])).toEqual([
			["nothing", null, true],
			["nothing", null, false],
			["nothing", null, true],
			["natural-miss", "b", true],
			["natural-miss", "c", false],
		]);
	});
	test("the last line of a record counts; records of no known task or line are left out", () => {
		const lines = [line("t", { is: "spared" }), line("t", strike("misread", "a"))];
		const diagnoses = [diagnosis("t", "misread", "a"), diagnosis("u", null, null)];
		const found = injectedRecords(lines, { tasks: [task("t"), task("u")], diagnoses, clean: new Set() });
		expect(found.map(({ truth }) => truth)).toEqual(["misread"]);
	});
});

test("the confusion counts what was found of each truth, and names every kind of mistake", () => {
	const found = confusionOf(
		records([
			[strike("misread", "b"), [], "misread", "b"],
			[strike("misread", "b"), [], "misread", "a"],
			[strike("misread", "b"), [], "unsupported", "b"],
			[strike("over-search", null), [], null, null],
			[{ is: "spared" }, [], null, null],
			[{ is: "spared" }, ["a"], "retrieval-miss", "a"],
		]),
	);
	expect(found.rows.map(({ truth, records: n, right, hop }) => [truth, n, right.count, hop?.count ?? null])).toEqual([
		["misread", 3, 2, 2],
		["over-search", 1, 0, null],
		["natural-miss", 1, 1, 1],
		["nothing", 1, 1, null],
	]);
	expect(found.rows[0]?.found).toEqual([
		{ is: "misread", count: 2 },
		{ is: "unsupported", count: 1 },
	]);
	expect([found.struck, found.nothing, found.all].map(({ count, of }) => [count, of])).toEqual([
		[2, 4],
		[1, 1],
		[4, 6],
	]);
	expect(found.mistakes).toEqual([
		{ truth: "misread", found: "unsupported", count: 1, example: { task: "t2", did: "did misread" } },
		{ truth: "over-search", found: "nothing", count: 1, example: { task: "t3", did: "did over-search" } },
	]);
});

test("a budget is held against where failures were injected; what has no known cause is left out", () => {
	const injected = records([
		[strike("misread", "b"), [], "misread", "b"],
		[strike("hallucinated-entity", "b"), [], "misread", "b"],
		[strike("stop-early", "c"), [], "premature-stop", "c"],
		[{ is: "spared" }, ["a"], "retrieval-miss", "a"],
		[{ is: "spared" }, [], null, null],
		[strike("over-search", null), [], null, null],
	]);
	const parts = ["reading", "composition", "planning", "retrieval", "reading", "reading"] as const;
	const failures = parts.map((part, n) => ({ task: `t${n}`, repeat: 0, part }));
	const budget = injectedBudget(
		{ failures: [...failures, { task: "t0", repeat: 1, part: null }] } as unknown as ErrorBudget,
		injected,
	);
	expect([budget.failures, budget.left]).toEqual([4, 3]);
	expect(
		budget.parts.map(({ part, injected: by, found, difference }) => [part, by.count, found.count, difference]),
	).toEqual([
		["planning", 1, 1, 0],
		["retrieval", 1, 1, 0],
		["reading", 2, 1, -0.25],
		["combined", 0, 0, 0],
		["composition", 0, 1, 0.25],
	]);
	expect([budget.right.count, budget.right.of]).toEqual([3, 4]);
	expect(budget.mistakes).toMatchObject([{ truth: "hallucinated-entity", found: "composition", count: 1 }]);
});
