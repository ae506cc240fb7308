import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RunRecord, Step, Task } from "#domain";
import { type ReportRun, reportData, terminalReport } from "#reports";
import { longTest } from "../../test/long.ts";
import { makeWorld, playRun, toRun, type World } from "../../test/report-runs.ts";

let dir: string;
let world: World;

beforeAll(async () => {
	dir = await mkdtemp(join(tmpdir(), "hopscope-reports-"));
	world = await makeWorld(dir, { count: 150 });
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const gold = () =>
	playRun(world, { agent: "gold-replay", reference: "checks the scorer", find: 1, read: 1, wander: 0 });
const extractive = () => playRun(world, { agent: "extractive", find: 0.6, read: 0.8, wander: 0.3, faults: true });
const closed = () =>
	playRun(world, { agent: "closed-book", reference: "does not search", find: 0, read: 0, wander: 0, abstains: true });

describe("report data", () => {
	test("ranks by the lower bound and claims no order that the tests do not carry", async () => {
		const twin = playRun(world, { agent: "extractive-2", find: 0.6, read: 0.8, wander: 0.3 }, { seed: 5 });
		const data = await reportData([closed(), extractive(), gold(), twin]);
		expect(data.runs.map((run) => run.agent.name)).toEqual([
			"gold-replay",
			...data.runs.slice(1, 3).map((run) => run.agent.name),
			"closed-book",
		]);
		expect(data.runs.map((run) => run.places)).toEqual([
			{ from: 1, to: 1 },
			{ from: 2, to: 3 },
			{ from: 2, to: 3 },
			{ from: 4, to: 4 },
		]);
		const lows = data.runs.map((run) => run.metrics.accuracy.low ?? Number.NaN);
		expect(lows).toEqual([...lows].sort((a, b) => b - a));
		expect(data.benchmarks[0]?.ranking).toEqual(data.runs.map((run) => run.id));
	});

	test("an agent that only searches is in no table, test or count of answers, and is measured on its search", async () => {
		const played = extractive();
		const searched = toRun(
			world,
			{ agent: "retrieve" },
			played.records.map((record) => ({
				...record,
				trajectory: { ...record.trajectory, answer: null, stop: "answered", error: undefined, searchOnly: true },
			})),
		);
		const data = await reportData([played, gold(), searched]);
		const run = data.runs.find(({ agent }) => agent.name === "retrieve");
		expect(run).toMatchObject({ answers: false, scored: 0, places: null, confidence: null });
		expect(run?.metrics.hps.value).toBeGreaterThan(0.2);
		const [benchmark] = data.benchmarks;
		expect(benchmark?.comparisons.map(({ a, b }) => [a, b])).toEqual([["gold-replay-made-up", "extractive-made-up"]]);
		expect(benchmark?.sliceComparisons.length).toBeGreaterThan(5);
		const text = terminalReport(data);
		const rows = text.split("\n").filter((line) => /^retrieve +–/.test(line));
		expect(rows).toHaveLength(1);
		expect(rows[0]).toMatch(/0\/150 +– +0–100/);
		expect(text.replace(/\s+/g, " ")).toMatch(/Unit: \d+ clusters of tasks that share .*, 1\d\d to 150 tasks in all\./);
		expect(text).not.toContain("0–30/30");
	});

	test("a difference that could not be tested is not called insignificant", async () => {
		const [one, other] = [extractive(), gold()];
		other.rows = [];
		const data = await reportData([one, other]);
		expect(data.benchmarks[0]?.comparisons[0]).toMatchObject({ p: null, n: 0 });
		expect(terminalReport(data)).toContain("not tested");
		expect(terminalReport(data)).not.toContain("not significant\n");
	});

	test("a run that mostly failed to answer is not ranked by the few answers it gave", async () => {
		const steady = playRun(world, { agent: "steady", find: 1, read: 0.9, wander: 0 });
		const flaky = failingRun(playRun(world, { agent: "flaky", find: 1, read: 1, wander: 0 }), 8);
		const data = await reportData([flaky, steady]);
		expect(data.runs.map((run) => [run.label, run.places])).toEqual([
			["steady", { from: 1, to: 2 }],
			["flaky", { from: 1, to: 2 }],
		]);
		expect(data.runs[1]).toMatchObject({ scored: 8, metrics: { accuracy: { value: 1 } } });
		expect(data.runs[1]?.bounds).toEqual({ low: 8 / 150, high: 1 });
		const text = terminalReport(data);
		expect(text).toMatch(/^Run +Rank +Scored +Accuracy % +Bounds % +F1 % +HPS % +RD +Steps$/m);
		expect(text).toMatch(/^flaky +1–2 +8\/150 +100 .*5–100 /m);
		expect(text.replace(/\n/g, " ")).toContain("what was not scored could not reverse it");
	});

	test("every expected answer has an ending, and slices hold every task once", async () => {
		const [run] = (await reportData([extractive()])).runs;
		expect(run?.expected).toBe(150);
		expect(run?.outcomes.reduce((sum, { count }) => sum + count, 0)).toBe(150);
		expect(run?.outcomes.find(({ ending }) => ending === "missing")?.count).toBe(2);
		expect(run?.scored).toBeLessThan(150);
		for (const rows of Object.values(run?.slices ?? {}))
			expect(rows.reduce((sum, row) => sum + row.expected, 0)).toBe(150);
		expect(run?.bounds?.low).toBeLessThan(run?.bounds?.high ?? 0);
		expect(run?.coverage.map((row) => row.question)).toContain("without image");
	});

	test("every number tells what was expected of it, what was scored, why not the rest, and the bounds", async () => {
		const [run] = (await reportData([extractive()])).runs;
		const numbers = [
			...Object.values(run?.metrics ?? {}),
			...Object.values(run?.slices ?? {}).flatMap((rows) =>
				rows.flatMap(({ accuracy, f1, hps }) => [accuracy, f1, hps]),
			),
			...(run?.coverage ?? []).map(({ share }) => share),
			...(run?.deltaSteps ?? []).flatMap(({ accuracy, f1 }) => [accuracy, f1]),
		];
		expect(numbers.length).toBeGreaterThan(60);
		for (const { expected, scored, missing, bounds, value } of numbers) {
			expect(Object.values(missing).reduce((sum, count) => sum + count, 0)).toBe(expected - scored);
			if (!bounds || value === null) continue;
			expect(bounds.low).toBeLessThanOrEqual(value + 1e-12);
			expect(bounds.high).toBeGreaterThanOrEqual(value - 1e-12);
			if (scored === expected) expect(bounds.high - bounds.low).toBeCloseTo(0, 12);
			else expect(bounds.high).toBeGreaterThan(bounds.low);
		}
		expect(numbers.filter(({ scored, expected }) => scored < expected).length).toBeGreaterThan(20);
		const reasons = new Set(run?.coverage.flatMap(({ share }) => Object.keys(share.missing)));
		expect([...reasons].sort()).toEqual(["error", "missing"]);
	});

	test("gold replay is perfect, closed book covers nothing; the data survives JSON", async () => {
		const data = await reportData([gold(), closed()]);
		const [first, last] = data.runs;
		expect([first?.metrics.accuracy.value, first?.metrics.hps.value]).toEqual([1, 1]);
		expect(first?.metrics["rollout-deviation"].value).toBe(0);
		expect(first?.deltaSteps.map(({ delta, count }) => [delta, count])).toEqual([[0, 150]]);
		expect(last?.metrics.hps.value).toBe(0);
		expect([first?.failures.of, last?.failures.of]).toEqual([0, 0]);
		expect(JSON.parse(JSON.stringify(data))).toEqual(data);
	});

	test("names what keeps runs from being compared, and gives equal runs names of their own", async () => {
		const one = gold();
		const other = gold();
		other.manifest.id = "another";
		other.manifest.tasks = other.manifest.tasks.slice(0, 100);
		other.manifest.knowledge = { ...other.manifest.knowledge, hash: "e".repeat(64) };
		const data = await reportData([one, one, other]);
		expect(data.runs.map((run) => run.label).sort()).toEqual([
			"gold-replay · another",
			"gold-replay · gold-replay-made-up",
		]);
		expect(data.benchmarks[0]?.cautions).toHaveLength(2);
	});

	test("a planned task that the benchmark lacks is an error, not a smaller denominator", async () => {
		const run = gold();
		const broken = { ...run, tasks: run.tasks.slice(1) };
		await expect(reportData([broken])).rejects.toMatchObject({ code: "unknown-task", exitCode: 2 });
	});

	test("no run and no record make no number up", async () => {
		expect(await reportData([])).toEqual({ version: 1, benchmarks: [], runs: [] });
		const data = await reportData([toRun(world, { agent: "nothing" }, [])]);
		const [run] = data.runs;
		expect(run?.metrics.accuracy).toMatchObject({ value: null, low: null, high: null, n: 0 });
		expect(run?.places).toBeNull();
		expect(terminalReport(data)).toContain("–");
	});
});

describe("worst failures", () => {
	test("are at most twelve, wrong before error, over several topologies, lowest HPS first", async () => {
		const [run] = (await reportData([extractive()])).runs;
		const shown = run?.failures.shown ?? [];
		expect(shown).toHaveLength(12);
		expect(run?.failures.of).toBeGreaterThan(12);
		expect(new Set(shown.map((failure) => failure.topology)).size).toBe(5);
		expect(shown.every((failure) => failure.ending === "wrong")).toBe(true);
		expect(new Set(shown.slice(0, 5).map((failure) => failure.hps)).size).toBe(1);
	});

	test("show which hop was found, which only in another hop's step, which not, and which is computed", async () => {
		const task = world.tasks.find((one) => one.id === "task-0003") as Task;
		const hops = task.chain?.hops ?? [];
		const retrieving = hops.filter((hop) => hop.evidence.length > 0);
		const ids = retrieving.map((hop) => hop.evidence[0] ?? "");
		// the only search brings the first two hops' evidence at once
		const results = [...new Set([ids[0], ids[1], "flag:unheard-of"])].map((id, index) => ({
			id: id ?? "",
			score: 1,
			rank: index + 1,
		}));
		const step: Step = {
			index: 0,
			call: { tool: "text_search", arguments: { query: "borders" }, valid: true },
			results,
			ms: 0,
		};
		const run = { ...toRun(world, { agent: "one-search" }, [recordOf(task, [step])]) };
		run.manifest.tasks = [task.id];
		const [failure] = (await reportData([run])).runs[0]?.failures.shown ?? [];
		const states = failure?.hops.map((hop) => hop.state) ?? [];
		expect(states.at(-1)).toBe("computed");
		expect(states.filter((state) => state === "found")).toHaveLength(1);
		expect(states.filter((state) => state === "shared").length).toBeGreaterThan(0);
		expect(failure?.hops.every((hop) => hop.state !== "shared" || hop.step === 0)).toBe(true);
		expect(failure?.steps[0]?.results.map((result) => result.gold)).toEqual([
			...results.map(() => true).slice(1),
			false,
		]);
		expect(failure?.steps[0]?.results.at(-1)?.evidence.kind).toBe("unknown");
		expect(failure?.brokenHop).toBe(failure?.hops.find((hop) => hop.state !== "found")?.id);
	});

	test("a knowledge base that cannot be read costs the snippets, not the report", async () => {
		const run: ReportRun = { ...extractive(), evidence: () => Promise.reject(new Error("gone")) };
		const [report] = (await reportData([run])).runs;
		expect(report?.failures.shown[0]?.hops[0]?.evidence[0]?.kind).toBe("unknown");
	});
});

describe("terminal report", () => {
	test("shows places, n of N, intervals and no more digits than they support", async () => {
		const text = terminalReport(await reportData([gold(), extractive(), closed()]));
		expect(text).toMatch(/^made-up {2}150 tasks, 3 runs/);
		// every number has its interval on the line below
		expect(text).toMatch(
			/^gold-replay +1 +150\/150 +100 +– +100 +100 +0\.0 +\d\.\d\d?\n +9\d–100 +9\d–100 +9\d–100 +0\.0–0\.0 +\d\.\d+–\d\.\d+$/m,
		);
		expect(text).toMatch(
			/^extractive +2 +14\d\/150 +\d\d +\d\d–\d\d +\d\d +\d\d +\d\.\d+ +\d\.\d+\n( +\d\d–\d\d){3}( +\d\.\d+–\d\.\d+){2}$/m,
		);
		expect(text.replace(/\n/g, " ")).toMatch(
			/Method: .*clustered Wilson \(.*F1.*Unit: .*75 clusters of tasks that share/,
		);
		expect(text.replace(/\n/g, " ")).toMatch(
			/sign flips over clusters of tasks.*corrected by Holm for 3 pairs.*Whether intervals overlap decides nothing/,
		);
		expect(text).toMatch(/^Image-initiated chain +28–30\/30 /m);
		expect(text).toMatch(/^Text-initiated chain +30 /m);
		expect(text).toContain("Not scored: extractive: 5 of 150 (3 error, 2 missing).");
		expect(text).toMatch(/^2 hops +35–37\/37 /m);
		expect(text).not.toContain("\u001b");
		expect(terminalReport(await reportData([gold()]), { colour: true })).toContain("\u001b[1m");
	});

	longTest("keeps to 100 columns and lets no control character through, whatever agents are called", async () => {
		const data = await reportData([gold(), extractive(), closed()]);
		const name = fc.string({ unit: "binary", maxLength: 120 });
		fc.assert(
			fc.property(fc.array(name, { minLength: 3, maxLength: 3 }), name, (labels, benchmark) => {
				const text = terminalReport({
					...data,
					benchmarks: data.benchmarks.map((one) => ({ ...one, name: benchmark })),
					runs: data.runs.map((run, index) => ({ ...run, label: labels[index] ?? "" })),
				});
				// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
				expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
				for (const line of text.split("\n")) expect([...line].length).toBeLessThanOrEqual(100);
			}),
			{ numRuns: 50 },
		);
	});
});

/** The run with a model's error in place of every answer but the first `answered`. */
function failingRun(run: ReportRun, answered: number): ReportRun {
	const error = { boundary: "model" as const, message: "the provider was overloaded" };
	const records = run.records.map((record, index) =>
		index < answered
			? record
			: { ...record, trajectory: { ...record.trajectory, answer: null, stop: "error" as const, error } },
	);
	return toRun(world, { agent: run.manifest.agent.name }, records);
}

function recordOf(task: Task, steps: Step[]): RunRecord {
	return {
		version: 1,
		task: task.id,
		repeat: 0,
		attempt: 0,
		at: "2026-05-01T10:00:00.000Z",
		trajectory: {
			steps,
			answer: "surely not",
			abstained: false,
			stop: "answered",
			usage: { calls: 0, inputTokens: 0, outputTokens: 0 },
			ms: 1,
			messages: [],
		},
	};
}
