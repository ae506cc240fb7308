import { describe, expect, test } from "vitest";
import { type Outcome, ScoreRow, scored, Task, unscored } from "#domain";
import { compareRuns, type ScoredItem, summarise } from "#scoring";

const taskOf = (id: string, more: Record<string, unknown> = {}): Task =>
	Task.parse({ id, question: "?", answer: { type: "string", value: "x", accepted: ["x"] }, ...more });

/** A record of a task: its accuracy, or the outcome and the reason that left it without. */
function itemOf(task: Task, score: number | { outcome: Outcome; reason: string } | null, repeat = 0): ScoredItem {
	if (score === null) return { task };
	const plain = typeof score === "number";
	return {
		task,
		row: ScoreRow.parse({
			version: 1,
			task: task.id,
			repeat,
			attempt: 0,
			scorer: "test",
			outcome: plain ? (score === 1 ? "right" : "wrong") : score.outcome,
			scores: { accuracy: plain ? scored(score) : unscored(score.reason), steps: scored(plain ? score * 4 : 1) },
		}),
	};
}

const tasks = Array.from({ length: 8 }, (_, at) => taskOf(`t${at}`));
const runOf = (scores: readonly (number | null)[]) =>
	scores.flatMap((score, at) => {
		const task = tasks[at];
		return task ? [itemOf(task, score)] : [];
	});
const accuracy = { metric: "accuracy" } as const;

describe("two runs", () => {
	test("are compared task by task: difference, exact McNemar, flips both ways", () => {
		const found = compareRuns(runOf([1, 1, 1, 0, 0, 1, 1, 1]), runOf([0, 0, 1, 0, 1, 0, 0, 0]), accuracy);
		expect(found).toMatchObject({
			value: 0.5,
			means: [0.75, 0.25],
			n: 8,
			tasks: 8,
			unit: "task",
			test: "mcnemar",
			p: 0.21875,
			wins: 5,
			ties: 2,
			losses: 1,
			unpaired: [{}, {}],
			bounds: [0.5, 0.5],
			flips: { won: ["t0", "t1", "t5", "t6", "t7"], lost: ["t4"] },
		});
	});
	test("turned round, say the opposite", () => {
		const [a, b] = [runOf([1, 1, 0, 0, 1]), runOf([0, 1, 1, 0, 0])];
		const [there, back] = [compareRuns(a, b, accuracy), compareRuns(b, a, accuracy)];
		expect(back.value).toBeCloseTo(-Number(there.value), 12);
		expect(back.p).toBe(there.p);
		expect(back.flips).toEqual({ won: there.flips.lost, lost: there.flips.won });
	});
	test("count what only one of them has, by reason, and bound what it could change", () => {
		const error: ScoredItem[] = tasks.slice(0, 1).map((task) => itemOf(task, { outcome: "error", reason: "timeout" }));
		const a = [...error, ...runOf([null, 1, 1, 0]).slice(1)];
		const b = runOf([1, 0, null]);
		const found = compareRuns(a, b, accuracy);
		expect(found).toMatchObject({ n: 1, tasks: 4, value: 1, wins: 1 });
		expect(found.unpaired).toEqual([{ error: 1 }, { missing: 1, "not in the run": 1 }]);
		// t0 -1 to 0, t1 1, t2 0 to 1, t3 -1 to 0
		expect(found.bounds).toEqual([-0.25, 0.5]);
	});
	test("average repeats first; a task is right when more than half of its repeats are", () => {
		const [one, other] = [taskOf("one"), taskOf("other")];
		const repeats = (task: Task, scores: number[]) => scores.map((score, at) => itemOf(task, score, at));
		const found = compareRuns(
			[...repeats(one, [1, 1, 0]), ...repeats(other, [1, 0, 0])],
			[...repeats(one, [0, 0, 1]), ...repeats(other, [0, 0, 0])],
			accuracy,
		);
		expect(found.value).toBeCloseTo(1 / 3, 12);
		expect(found).toMatchObject({ n: 2, wins: 2, test: "sign-flip", flips: { won: ["one"], lost: [] } });
	});
	test("of clustered tasks are tested over clusters, and their interval knows it", () => {
		const grouped = Array.from({ length: 12 }, (_, at) => taskOf(`g${at}`, { cluster: `c${at % 3}` }));
		const run = (right: (at: number) => boolean) => grouped.map((task, at) => itemOf(task, right(at) ? 1 : 0));
		const found = compareRuns(
			run((at) => at % 3 < 2),
			run((at) => at === 0),
			accuracy,
		);
		expect(found).toMatchObject({ unit: "cluster", groups: 3, method: "clustered-t", test: "sign-flip", p: 0.5 });
	});
	test("on counts: no bounds, and every task where one is ahead", () => {
		const found = compareRuns(runOf([1, 0, 1]), runOf([0, 0, 0]), { metric: "steps" });
		expect(found).toMatchObject({ value: 8 / 3, bounds: null, flips: { won: ["t0", "t2"], lost: [] } });
	});
	test("with nothing in common: no value, with a reason", () => {
		expect(compareRuns([], [], accuracy)).toMatchObject({ value: null, reason: "no pairs", means: null, bounds: null });
		const found = compareRuns(runOf([1]), runOf([null]), accuracy);
		expect(found).toMatchObject({ value: null, n: 0, tasks: 1, unpaired: [{}, { missing: 1 }], bounds: [0, 1] });
	});
	test("differ by what their summaries differ by", () => {
		const [a, b] = [runOf([1, 1, 0, 1, 0]), runOf([0, 1, 1, 0, 0])];
		const found = compareRuns(a, b, accuracy);
		expect(found.means).toEqual([summarise(a, accuracy).value, summarise(b, accuracy).value]);
	});
});

test("modality coverage is compared as the ratio over hops that its summary is", () => {
	const hop = (id: string) => {
		const answer = { type: "string", value: id, accepted: [id] };
		return { id, question: "?", modality: "text", needs: [], evidence: [`p:${id}`], answer };
	};
	const chained = [1, 3, 2].map((hops, at) => {
		const list = Array.from({ length: hops }, (_, index) => hop(`h${index}`));
		return taskOf(`c${at}`, { chain: { hops: list, sink: "h0" } });
	});
	const run = (shares: number[]): ScoredItem[] =>
		chained.map((task, at) => ({
			task,
			row: ScoreRow.parse({
				version: 1,
				task: task.id,
				repeat: 0,
				attempt: 0,
				scorer: "test",
				outcome: "wrong",
				scores: { "modality-coverage": scored(shares[at] ?? 0) },
			}),
		}));
	const metric = { metric: "modality-coverage" };
	const [a, b] = [run([1, 1 / 3, 0.5]), run([0, 1 / 3, 0])];
	const found = compareRuns(a, b, metric);
	expect(found.value).toBeCloseTo(2 / 6, 12);
	expect(found.means?.[0]).toBeCloseTo(Number(summarise(a, metric).value), 12);
	expect(found.test).toBe("sign-flip");
});
