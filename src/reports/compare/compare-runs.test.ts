import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RunManifest } from "#domain";
import { compareReport, compareViews, judgesReport, type ReportRun, renderTerminalAll } from "#reports";
import { benjaminiHochberg, holm } from "#scoring";
import { longTest } from "../../../test/long.ts";
import { hostileRun, makeWorld, playRun, type Skill, toRun, type World } from "../../../test/report-runs.ts";

let dir: string;
let world: World;
beforeAll(async () => {
	dir = await mkdtemp(join(tmpdir(), "hopscope-compare-"));
	world = await makeWorld(dir, { count: 80 });
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const play = (agent: string, seed: number, more: Partial<Skill> = {}): ReportRun =>
	playRun(world, { agent, find: 0.85, read: 0.9, wander: 0.1, ...more }, { seed });
const changed = (run: ReportRun, manifest: Partial<RunManifest>): ReportRun => ({
	...run,
	manifest: { ...run.manifest, ...manifest },
});
const pairOf = async (...runs: ReportRun[]) => {
	const found = await compareReport(runs, { by: ["language"] });
	const [pair] = found.pairs;
	if (!pair) throw new Error("no pair");
	return { found, pair };
};

describe("two runs", () => {
	longTest("are compared on accuracy, F1 and HPS, the other way round with the other sign", async () => {
		const [good, weak] = [play("good", 1), play("weak", 2, { find: 0.4 })];
		const { pair, found } = await pairOf(good, weak);
		expect(pair.metrics.map(({ metric }) => metric)).toEqual(["accuracy", "f1", "hps"]);
		expect(pair.metrics[0]).toMatchObject({ better: "a", n: 80, expected: 80 });
		const ps = pair.metrics.map(({ p }) => p ?? 1);
		expect(pair.metrics.map(({ adjusted }) => adjusted)).toEqual(holm(ps));
		expect(found.tests).toBe(3);
		const { pair: back } = await pairOf(weak, good);
		expect(back.metrics[0]?.difference.value).toBeCloseTo(-(pair.metrics[0]?.difference.value ?? 0), 12);
		expect(back.flips.won.map(({ task }) => task).sort()).toEqual(pair.flips.lost.map(({ task }) => task).sort());
		expect(back.metrics[0]?.better).toBe("b");
	});

	test("flips are the tasks that only one got right, each with what broke in both", async () => {
		const { pair } = await pairOf(play("good", 1), play("weak", 2, { find: 0.4 }));
		const { flips, metrics } = pair;
		expect(flips.won.length + flips.lost.length).toBe((metrics[0]?.wins ?? 0) + (metrics[0]?.losses ?? 0));
		for (const { a, b } of flips.won) expect([a.value, b.value]).toEqual([1, 0]);
		for (const { a, b } of flips.lost) expect([a.value, b.value]).toEqual([0, 1]);
		// the weak one's searches fail, so its wrong answers have a miss or a hop that was never reached
		const broken = flips.won.filter(({ b }) => b.firstBroken !== null);
		expect(broken.length / flips.won.length).toBeGreaterThan(0.8);
		const miss = flips.verdicts.find(({ is }) => is === "retrieval-miss");
		expect(miss?.won.wrong).toBeGreaterThan((miss?.won.right ?? 0) * 2);
		for (const { won, lost } of flips.verdicts) {
			expect(won.wrong + won.right + won.both).toBeLessThanOrEqual(flips.won.length);
			expect(lost.wrong + lost.right + lost.both).toBeLessThanOrEqual(flips.lost.length);
		}
	});

	test("slices are corrected by Benjamini and Hochberg, and each slicing holds every task once", async () => {
		const runs = [play("good", 1), play("weak", 2, { find: 0.4 })];
		const { slices } = await compareReport(runs, { by: ["topology", "language"] });
		const tested = slices.filter(({ p }) => p !== null);
		expect(tested.map(({ adjusted }) => adjusted)).toEqual(benjaminiHochberg(tested.map(({ p }) => p ?? 1)));
		for (const by of ["topology", "language"])
			expect(slices.filter(({ slice }) => slice === by).reduce((sum, { expected }) => sum + expected, 0)).toBe(80);
	});

	test("what is missing is counted by run and reason, bounded, and said", async () => {
		const [good, weak] = [play("good", 1), play("weak", 2, { find: 0.4, faults: true })];
		const { pair, found } = await pairOf(good, weak);
		const [accuracy] = pair.metrics;
		expect(accuracy?.unpaired[0]).toEqual({});
		const missing = Object.values(accuracy?.unpaired[1] ?? {}).reduce((sum, count) => sum + count, 0);
		expect(missing).toBe(80 - (accuracy?.n ?? 0));
		expect(missing).toBeGreaterThan(0);
		expect(accuracy?.bounds?.low).toBeLessThan(accuracy?.difference.value ?? -1);
		const text = renderTerminalAll(compareViews(found));
		expect(text).toContain(`${accuracy?.n} of 80 tasks are paired`);
		expect(text).toContain("B has no score of");
	});
});

test("whether replies could be read stands before any difference, with a caution below the threshold", async () => {
	const good = play("good", 1);
	const records = play("garbled", 2).records.map((record) => {
		const { trajectory } = record;
		const steps = trajectory.steps.map((step, place) =>
			step.call && place > 0 ? { ...step, call: { ...step.call, valid: false }, results: [] } : step,
		);
		return { ...record, trajectory: { ...trajectory, steps } };
	});
	const garbled = toRun(world, { agent: "garbled" }, records);
	const { found } = await pairOf(good, garbled);
	const [a, b] = found.runs.map(({ health }) => health);
	expect(a).toMatchObject({ records: 80, parseRate: 1, invalidCalls: 0 });
	expect(b?.read).toBeLessThan((b?.actions ?? 0) / 2);
	const caution = `Only ${b?.read} of ${b?.actions} actions of ${found.runs[1]?.label} could be read`;
	expect(found.cautions.filter((one) => one.includes("could be read"))).toEqual([expect.stringContaining(caution)]);
	const views = compareViews(found);
	expect(views.slice(0, 2).map(({ name }) => name)).toEqual(["compare-runs", "format-health"]);
	expect(views[1]?.rows.map(({ cells }) => cells.invalidCalls)).toEqual([
		{ is: "count", value: 0 },
		{ is: "count", value: b?.invalidCalls },
	]);
	const text = renderTerminalAll(views);
	expect(text).toContain(caution);
	expect(text).toContain("Parsed %");
	const { found: fine } = await pairOf(good, play("weak", 2, { find: 0.4 }));
	expect(fine.cautions.join(" ")).not.toContain("could be read");
});

longTest("three runs give all pairs, with one correction over all tests", async () => {
	const found = await compareReport([play("one", 1), play("two", 2), play("three", 3, { find: 0.5 })], {
		...{ metrics: ["steps"], by: ["language"] },
	});
	expect(found.pairs.map(({ a, b }) => [a.slice(0, 3), b.slice(0, 3)])).toEqual([
		["one", "two"],
		["one", "thr"],
		["two", "thr"],
	]);
	const all = found.pairs.flatMap(({ metrics }) => metrics).filter(({ p }) => p !== null);
	expect(found.tests).toBe(all.length);
	expect(all.map(({ adjusted }) => adjusted)).toEqual(holm(all.map(({ p }) => p ?? 1)));
	const names = compareViews(found).map(({ name }) => name);
	expect(new Set(names).size).toBe(names.length);
	expect(names).toContain("differences-of-numbers");
});

describe("drift", () => {
	const at = (run: ReportRun, date: string, id: string) => changed(run, { at: `${date}T10:00:00.000Z`, id });

	test("of one agent, model and setting: later − earlier, and what changed around it", async () => {
		const earlier = at(play("agent", 1), "2026-01-01", "old");
		const later = changed(at(play("agent", 2, { find: 0.5 }), "2026-03-01", "new"), {
			software: { hopscope: "9.9.9", node: "v20" },
		});
		const { pair, found } = await pairOf(earlier, later);
		expect([pair.a, pair.b]).toEqual(["new", "old"]);
		expect(pair.drift?.changed).toContainEqual({
			what: "hopscope",
			before: earlier.manifest.software.hopscope,
			after: "9.9.9",
		});
		expect(pair.drift?.same).toContain("knowledge base");
		expect(pair.drift?.answers.between.value).toBeGreaterThan(0.2);
		expect(pair.drift?.answers.within).toBeNull();
		expect(pair.drift?.accuracy.against).toBe("unknown");
		const text = renderTerminalAll(compareViews(found));
		expect(text).toContain("Drift: the same agent, model and setting at two dates");
		expect(text).toContain("59 days later");
	});

	test("the same records again: nothing changed", async () => {
		const run = play("agent", 1);
		const { pair } = await pairOf(at(run, "2026-01-01", "old"), at(run, "2026-01-02", "new"));
		expect(pair.drift).toMatchObject({
			changed: [],
			answers: { between: { value: 0 } },
			queries: { between: { value: 0 } },
		});
		expect([pair.flips.won, pair.flips.lost]).toEqual([[], []]);
	});

	longTest("repeats tell whether accuracy moved more than answering again moves it", async () => {
		const twice = (run: ReportRun, other: ReportRun, manifest: Partial<RunManifest>) => ({
			...changed(run, { repeats: 2, ...manifest }),
			records: [...run.records, ...other.records.map((record) => ({ ...record, repeat: 1 }))],
			rows: [...run.rows, ...other.rows.map((row) => ({ ...row, repeat: 1 }))],
		});
		const old = twice(play("agent", 1), play("agent", 2), { id: "old", at: "2026-01-01T00:00:00.000Z" });
		const same = twice(play("agent", 3), play("agent", 4), { id: "same", at: "2026-02-01T00:00:00.000Z" });
		const worse = twice(play("agent", 5, { find: 0.3 }), play("agent", 6, { find: 0.3 }), {
			...{ id: "worse", at: "2026-02-01T00:00:00.000Z" },
		});
		expect((await pairOf(old, same)).pair.drift?.accuracy.against).toBe("within");
		const { drift } = (await pairOf(old, worse)).pair;
		expect(drift?.accuracy.against).toBe("beyond");
		expect(drift?.answers.within?.n).toBe(160);
	});

	longTest("another agent, model, setting, or an intervention is none", async () => {
		const run = play("agent", 1);
		const later = at(play("agent", 2), "2027-01-01", "new");
		const intervention = { of: "x", what: { is: "oracle-plan" as const } };
		for (const other of [
			changed(later, { model: "m" }),
			changed(later, { setting: { name: "other", k: 9 } }),
			changed(later, { intervention }),
		])
			expect((await pairOf(run, other)).pair.drift).toBeNull();
	});
});

describe("what makes no sense is refused, and what is no plain score labelled", () => {
	const benchmark = (run: ReportRun, name: string, hash: string) =>
		changed(run, { benchmark: { ...run.manifest.benchmark, name, hash } });

	test("benchmarks, versions, the same run, unknown names", async () => {
		const [one, two] = [play("one", 1), play("two", 2)];
		const { name } = one.manifest.benchmark;
		const refused = async (runs: ReportRun[], options = {}) =>
			compareReport(runs, options).then(
				() => "",
				({ code, exitCode, message }) => `${code} ${exitCode} ${message}`,
			);
		expect(await refused([one, benchmark(two, "other", "f".repeat(64))])).toMatch(
			/^different-benchmarks 2 .*answers other/,
		);
		expect(await refused([one, benchmark(two, name, "f".repeat(64))])).toMatch(
			/^different-benchmarks 2 .*two versions of/,
		);
		expect(await refused([one, one])).toMatch(/^same-run 2/);
		expect(await refused([one])).toMatch(/^one-run 2/);
		expect(await refused([one, two], { metrics: ["toString"] })).toMatch(/^unknown-metric 2/);
		expect(await refused([one, two], { by: ["colour"] })).toMatch(/^unknown-slice 2/);
	});

	test("an intervention is named beside its run, its rows are marked, and the reader is told", async () => {
		const plain = play("agent", 1);
		const made = changed(play("agent", 2, { find: 1 }), {
			id: "oracle",
			intervention: { of: plain.manifest.id, what: { is: "oracle-retrieval" } },
		});
		const { found } = await pairOf(plain, made);
		const views = compareViews(found);
		expect(found.cautions[0]).toContain("interventions");
		for (const { name, rows } of views.filter(({ name: one }) => one === "differences" || one === "slice-differences"))
			expect([name, rows.every(({ kind }) => kind === "intervention")]).toEqual([name, true]);
		expect(renderTerminalAll(views)).toMatch(/B .*oracle-retrieval/);
	});
});

test("hostile names and texts reach no terminal", { tags: "longer" }, async () => {
	const small = { ...world, tasks: world.tasks.slice(0, 3) };
	const first = hostileRun(small);
	const other = changed(playRun(small, { agent: "weak", find: 1, read: 1, wander: 0 }), {
		benchmark: first.manifest.benchmark,
	});
	const text = renderTerminalAll(
		compareViews(await compareReport([first, { ...other, tasks: first.tasks }], { by: ["topology"] })),
	);
	// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
	expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u202e]/);
	expect(text.length).toBeLessThan(200_000);
});

test("a run that nobody judged has no judges to compare", () => {
	expect(() => judgesReport(play("one", 1))).toThrow(/nobody judged/);
});
