import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ReportRun, reportData, terminalReport } from "#reports";
import { longTest } from "../../test/long.ts";
import { makeWorld, playRun, type Skill, toRun, type World } from "../../test/report-runs.ts";
import { comparePairs } from "./comparisons.ts";
import { expectedItems } from "./summaries.ts";

let dir: string;
let world: World;

beforeAll(async () => {
	dir = await mkdtemp(join(tmpdir(), "hopscope-comparisons-"));
	world = await makeWorld(dir, { count: 200 });
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const skill = { find: 0.85, read: 0.9, wander: 0 };
const play = (agent: string, seed: number, more: Partial<Skill> = {}): ReportRun =>
	playRun(world, { agent, ...skill, ...more }, { seed });

/** The run with the records of some tasks gone. */
function without(run: ReportRun, gone: (index: number) => boolean): ReportRun {
	return toRun(
		world,
		{ agent: run.manifest.agent.name },
		run.records.filter((_, index) => !gone(index)),
	);
}

describe("paired comparisons", () => {
	test("find the run that is better, and claim nothing of two that are equal", async () => {
		const data = await reportData([play("weak", 1, { find: 0.4 }), play("one", 2), play("twin", 3)]);
		const [benchmark] = data.benchmarks;
		const pairs = new Map(benchmark?.comparisons.map((pair) => [[pair.a, pair.b].sort().join(), pair]));
		expect(pairs.size).toBe(3);
		expect(pairs.get("one-made-up,twin-made-up")).toMatchObject({ better: "none", n: 200, expected: 200, groups: 100 });
		for (const above of ["one", "twin"])
			expect(pairs.get(`${above}-made-up,weak-made-up`)).toMatchObject({ a: `${above}-made-up`, better: "a" });
		expect(data.runs.map((run) => run.places)).toEqual([
			{ from: 1, to: 2 },
			{ from: 1, to: 2 },
			{ from: 3, to: 3 },
		]);
		for (const pair of pairs.values()) {
			expect(pair.adjusted).toBeGreaterThanOrEqual(pair.p ?? 1);
			expect(pair.wins + pair.ties + pair.losses).toBe(pair.n);
			expect(pair.bounds?.low).toBeCloseTo(pair.difference.value ?? Number.NaN, 12);
		}
	});

	test("see a difference on the same tasks where the intervals of the runs overlap", async () => {
		const better = play("better", 5);
		// wrong wherever the other is, and in every ninth task beside
		const records = better.records.map((record, index) =>
			index % 18 < 2 ? { ...record, trajectory: { ...record.trajectory, answer: "surely not" } } : record,
		);
		const data = await reportData([better, toRun(world, { agent: "worse" }, records)]);
		const [first, second] = data.runs;
		expect(second?.metrics.accuracy.high).toBeGreaterThan(first?.metrics.accuracy.low ?? 1);
		expect(data.runs.map((run) => [run.agent.name, run.places])).toEqual([
			["better", { from: 1, to: 1 }],
			["worse", { from: 2, to: 2 }],
		]);
		expect(data.benchmarks[0]?.comparisons[0]).toMatchObject({ losses: 0, better: "a", test: "sign-flip" });
	});

	longTest("claim nothing that unscored answers could turn round, and give their bounds", async () => {
		const strong = play("strong", 2, { find: 1, read: 1 });
		const weak = play("weak", 1, { find: 0.4 });
		const whole = (await reportData([strong, weak])).benchmarks[0]?.comparisons[0];
		expect(whole?.better).toBe("a");
		const some = (await reportData([without(strong, (index) => index % 10 === 0), weak])).benchmarks[0]?.comparisons[0];
		expect(some).toMatchObject({ better: "a", n: 180, expected: 200 });
		expect(some?.bounds?.low).toBeLessThan(some?.difference.value ?? 0);
		const data = await reportData([without(strong, (index) => index % 25 > 1), weak]);
		const [pair] = data.benchmarks[0]?.comparisons ?? [];
		expect(pair?.adjusted).toBeLessThan(0.05);
		expect(pair?.better).toBe("reversible");
		expect(data.runs.map((run) => run.places)).toEqual([
			{ from: 1, to: 2 },
			{ from: 1, to: 2 },
		]);
		const text = terminalReport(data);
		expect(text).toContain("could reverse");
		expect(text).toMatch(/ 16 of 200\b/);
	});

	test("do not depend on the order in which runs are given", async () => {
		const runs = [play("weak", 1, { find: 0.4 }), play("one", 2), play("twin", 3)];
		const [there, back] = [await reportData(runs), await reportData([...runs].reverse())];
		expect(back.benchmarks).toEqual(there.benchmarks);
		expect(back.runs).toEqual(there.runs);
	});

	test("are made on the tasks that both planned, and never across benchmarks", async () => {
		const one = play("one", 2);
		const fewer = play("fewer", 3);
		fewer.manifest.tasks = fewer.manifest.tasks.slice(0, 50);
		const [pair] = (await reportData([one, fewer])).benchmarks[0]?.comparisons ?? [];
		expect(pair).toMatchObject({ n: 50, expected: 50 });
		const other = play("other", 4);
		other.manifest.benchmark = { ...other.manifest.benchmark, hash: "f".repeat(64) };
		const data = await reportData([one, other]);
		expect(data.benchmarks.map(({ comparisons }) => comparisons)).toEqual([[], []]);
	});

	longTest("of many runs are all corrected for, and shown against the best contender", async () => {
		const runs = Array.from({ length: 8 }, (_, index) => play(`agent-${index}`, index + 1));
		const data = await reportData(runs);
		expect(data.benchmarks[0]?.comparisons).toHaveLength(28);
		const text = terminalReport(data);
		expect(text.replace(/\n/g, " ")).toMatch(/corrected by Holm for 28 pairs/);
		expect(text.replace(/\n/g, " ")).toMatch(/Shown are the pairs with agent-\d; 21 other pairs/);
	});

	longTest("of equal runs seldom claim anything", () => {
		const small = { ...world, tasks: world.tasks.slice(0, 60) };
		let claims = 0;
		for (let round = 0; round < 60; round++) {
			const pairs = comparePairs(
				[0, 1, 2].map((place) => {
					const run = playRun(small, { agent: `agent-${place}`, ...skill }, { seed: 1000 + round * 3 + place });
					return { id: run.manifest.id, items: expectedItems(run) };
				}),
			);
			if (pairs.some(({ better }) => better !== "none")) claims += 1;
		}
		// at most 5 % of 60 are expected; nine or more have a chance of three in a thousand
		expect(claims).toBeLessThan(9);
	});
});

describe("slices of two runs", () => {
	test("mark the slice that was planted, after correction, and no other", async () => {
		const one = play("one", 2, { find: 1, read: 1 });
		const records = one.records.map((record, index) =>
			index % 5 === 1 ? { ...record, trajectory: { ...record.trajectory, answer: "surely not" } } : record,
		);
		const data = await reportData([one, toRun(world, { agent: "blind" }, records)]);
		const found = data.benchmarks[0]?.sliceComparisons ?? [];
		expect(found.length).toBeGreaterThan(10);
		const marked = found.filter(({ slice, better }) => slice === "topology" && better !== "none");
		expect(marked.map(({ value }) => value)).toEqual(["text-initiated-chain"]);
		for (const { p, adjusted } of found) expect(adjusted ?? 1).toBeGreaterThanOrEqual(p ?? 1);
		const text = terminalReport(data);
		expect(text).toMatch(/Text-initiated chain +\+100 .*better \*$/m);
		expect(text).not.toMatch(/Image-initiated chain .*\*$/m);
	});

	test("are not compared where there are more than two runs, and the text says that nothing is claimed", async () => {
		const data = await reportData([play("one", 2), play("twin", 3), play("third", 4)]);
		expect(data.benchmarks[0]?.sliceComparisons).toEqual([]);
		expect(terminalReport(data).replace(/\n/g, " ")).toContain("no difference between slices or runs is claimed");
	});
});
