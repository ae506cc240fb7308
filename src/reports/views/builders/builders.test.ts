import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { diagnose } from "#diagnosis";
import type { Judgement, RunRecord, Task, Verdict } from "#domain";
import { buildViews, type Embedder, type View, type ViewRun, viewBuilders, viewNamed } from "#reports";
import { answerId, labelledAnswers, rubrics } from "#scoring";
import { hostileRun, makeWorld, playRun, randomFrom, toRun, type World } from "../../../../test/report-runs.ts";
import type { ReportRun } from "../../report-data.ts";
import type { Cell, ViewRow } from "../view.ts";

let dir: string;
let world: World;
let agent: ViewRun;
let weak: ViewRun;
let closed: ViewRun;
let oracle: ViewRun;

beforeAll(async () => {
	dir = await mkdtemp(join(tmpdir(), "hopscope-views-"));
	const made = await makeWorld(dir, { count: 36 });
	// pairs of tasks make a ladder, every third task stands on none
	const tasks = made.tasks.map((task, number): Task => {
		const ladder = number % 3 === 2 ? undefined : { id: `ladder ${Math.floor(number / 3)}`, level: (number % 3) + 1 };
		const questionType = ["bridge", "comparison"][number % 2] ?? "";
		return { ...task, tags: { ...task.tags, questionType }, ...(ladder ? { ladder } : {}) };
	});
	world = { ...made, tasks };
	agent = await diagnosed(playRun(world, { agent: "stepwise", find: 0.8, read: 0.9, wander: 0.3, faults: true }));
	weak = await diagnosed(playRun(world, { agent: "react", find: 0.4, read: 0.7, wander: 0.5 }));
	closed = await diagnosed(
		playRun(world, { agent: "closed-book", reference: "does not search", find: 0, read: 0, wander: 0, abstains: true }),
	);
	oracle = await diagnosed(
		withoutSteps(
			playRun(world, { agent: "oracle", reference: "is handed the gold evidence", find: 1, read: 1, wander: 0 }),
		),
	);
});
afterAll(() => rm(dir, { recursive: true, force: true }));

async function diagnosed(run: ReportRun): Promise<ViewRun> {
	const tasks = new Map(run.tasks.map((task) => [task.id, task]));
	const diagnoses = [];
	for (const record of run.records) {
		const task = tasks.get(record.task);
		const row = run.rows.find((one) => one.task === record.task);
		if (task) diagnoses.push(await diagnose({ task, record, row }, { evidence: run.evidence }));
	}
	return { ...run, diagnoses };
}

/** As the oracle's records are: nothing was searched. */
function withoutSteps(run: ReportRun): ReportRun {
	const { name, reference = "" } = run.manifest.agent;
	const records = run.records.map((record) => ({ ...record, trajectory: { ...record.trajectory, steps: [] } }));
	return toRun(world, { agent: name, reference }, records);
}

const changed = (run: ViewRun, manifest: Partial<ViewRun["manifest"]>): ViewRun => ({
	...run,
	manifest: { ...run.manifest, ...manifest },
});

async function view(name: string, runs: readonly ViewRun[], asked?: string | { embedder: Embedder }): Promise<View> {
	const builder = viewNamed(name);
	if (!builder) throw new Error(`no view ${name}`);
	const [built] = await buildViews(runs, {
		builders: [builder],
		...(typeof asked === "string" ? { by: asked } : asked),
	});
	if (!built) throw new Error(`${name} was not built`);
	return built;
}

const rowsOf = ({ rows }: View, run: ViewRun): ViewRow[] => rows.filter((row) => row.run === run.manifest.id);
const text = (cell: Cell | undefined): string => (cell?.is === "text" ? cell.text : "");
function number(cell: Cell | undefined): number | null {
	if (cell?.is === "count") return cell.value;
	return cell?.is === "measured" ? cell.measured.value : null;
}
const sum = (rows: readonly ViewRow[], key: string): number =>
	rows.reduce((total, { cells }) => total + (number(cells[key]) ?? 0), 0);

function verdict(
	record: RunRecord,
	judge: string,
	judgement: Partial<Extract<Judgement, { is: "judged" }>>,
	rubric = "mc-search",
): Verdict {
	return {
		...{ version: 2, task: record.task, repeat: record.repeat, attempt: record.attempt, run: 0 },
		judge: { model: judge, rubric, prompt: rubrics[rubric]?.prompt ?? "", seed: 0 },
		shown: { first: "reference", evidence: [], withoutText: 0 },
		judgement: {
			...{ is: "judged", by: "model", value: null, grade: null, scores: {}, labels: [], reason: "" },
			...judgement,
		},
		usage: { calls: 1, inputTokens: 1, outputTokens: 1 },
		...{ ms: 1, at: "2026-05-01T10:00:00.000Z" },
	};
}

describe("every view", () => {
	const sets: [string, () => ViewRun[]][] = [
		["one run", () => [agent]],
		["agents beside baselines", () => [agent, weak, closed, oracle]],
		[
			"runs of two benchmarks and settings",
			() => [
				agent,
				changed(weak, { id: "k5", setting: { name: "search", k: 5, limit: 4 }, agent: agent.manifest.agent }),
				changed(weak, { id: "other", benchmark: { name: "other", hash: "e".repeat(64), folder: "benchmarks/other" } }),
			],
		],
		["a run without records", () => [{ ...agent, records: [], rows: [], diagnoses: [] }]],
		["a run without diagnoses", () => [{ ...agent, diagnoses: undefined }]],
		[
			"a run whose tasks have no chains",
			() => [{ ...agent, tasks: agent.tasks.map(({ chain: _, ladder: __, ...task }) => task), diagnoses: [] }],
		],
		["hostile texts", () => [hostileRun(world)]],
		["no run", () => []],
	];

	test.each(sets)(
		"holds numbers or reasons, and plots what it holds: %s",
		{ tags: "longer", timeout: 60_000 },
		async (_, make) => {
			const runs = make();
			for (const by of [undefined, "tag:questionType"])
				for (const built of await buildViews(runs, { builders: viewBuilders, by })) {
					const keys = built.columns.map(({ key }) => key);
					expect(new Set(keys).size, built.name).toBe(keys.length);
					expect(JSON.parse(JSON.stringify(built)), built.name).toEqual(built);
					for (const row of built.rows)
						for (const cell of Object.values(row.cells)) {
							if (cell.is === "unscored") expect(cell.reason, built.name).not.toBe("");
							if (cell.is === "count") expect(Number.isFinite(cell.value), built.name).toBe(true);
							if (cell.is !== "measured") continue;
							const { value, low, high, reason, n, expected } = cell.measured;
							for (const each of [value, low, high])
								expect(each === null || Number.isFinite(each), built.name).toBe(true);
							if (value === null) expect(reason ?? "", built.name).not.toBe("");
							if (value !== null && low !== null && high !== null) {
								expect(low, built.name).toBeLessThanOrEqual(value + 1e-9);
								expect(high, built.name).toBeGreaterThanOrEqual(value - 1e-9);
							}
							expect(n, built.name).toBeLessThanOrEqual(Math.max(n, expected));
						}
					if (built.rows.length === 0 && runs.length > 0)
						expect(built.notes, `${built.name} is empty without a word`).not.toEqual([]);
					for (const plot of built.plots) {
						const held = new Set([...keys, ...built.rows.flatMap(({ cells }) => Object.keys(cells))]);
						for (const key of [plot.x, plot.y, plot.series, plot.split, plot.value])
							if (key !== undefined && built.rows.length > 0) expect(held, `${built.name}: ${key}`).toContain(key);
					}
				}
		},
	);

	test("has a name of its own", () => {
		const names = viewBuilders.map(({ name }) => name);
		expect(new Set(names).size).toBe(names.length);
	});
});

describe("nothing is dropped", () => {
	test("groups hold every task once", async () => {
		for (const name of ["f1-by-length", "by-type-and-hops", "reached-depth"]) {
			const built = await view(name, [agent, weak]);
			expect(sum(rowsOf(built, agent), "tasks"), name).toBe(world.tasks.length);
		}
		const typed = rowsOf(await view("by-answer-type", [agent]), agent);
		expect(
			sum(
				typed.filter(({ cells }) => text(cells.slice) !== "all"),
				"tasks",
			),
		).toBe(world.tasks.length);
	});

	test("what has no Δstep is counted beside", async () => {
		const built = await view("delta-f1", [agent, closed]);
		const [left = "0"] = /\d+/.exec(built.notes.find((note) => note.includes("Δstep")) ?? "") ?? [];
		expect(sum(rowsOf(built, agent), "tasks") + Number(left)).toBe(world.tasks.length);
		expect(rowsOf(built, closed)).toEqual([]);
		// closed-book abstains: all of the F1 is what searching adds
		for (const { cells } of rowsOf(built, agent))
			expect(number(cells["delta-f1"])).toBeCloseTo(number(cells.f1) ?? -1, 9);
	});

	test("hits and misses are all the graded records, and so are their outcomes", async () => {
		const [hit, miss, all] = rowsOf(await view("over-confidence", [weak, oracle]), weak);
		for (const key of ["records", "right", "wrong", "abstained"])
			expect((number(hit?.cells[key]) ?? 0) + (number(miss?.cells[key]) ?? 0)).toBe(number(all?.cells[key]));
		expect(sum(all ? [all] : [], "records")).toBe(world.tasks.length);
		const outcomes = ["right", "wrong", "abstained"].map((key) => number(all?.cells[key]) ?? 0);
		expect(outcomes.reduce((total, one) => total + one, 0)).toBe(world.tasks.length);
	});

	test("attempts whose context was full are graded, not answered, and rank among no answers", async () => {
		const ended = weak.records.map((record, place): RunRecord => {
			if (place % 3 !== 0) return record;
			return { ...record, trajectory: { ...record.trajectory, answer: null, abstained: false, stop: "context-limit" } };
		});
		const run = toRun(world, { agent: "overflowing" }, ended);
		const built = await view("over-confidence", [run]);
		const [hit, miss, all] = rowsOf(built, run);
		expect([hit, miss].map((row) => number(row?.cells["context-limit"])).every((count) => count !== 0)).toBe(true);
		expect(number(all?.cells.records)).toBe(world.tasks.length);
		expect(number(all?.cells["context-limit"])).toBe(world.tasks.length / 3);
		expect(number(all?.cells.answered)).toBeCloseTo(2 / 3, 9);
		expect(built.notes.join(" ")).not.toContain("in no row");
		// a judge's word orders answers, never what gave none
		const known = ended.filter(({ trajectory }) => trajectory.stop !== "context-limit");
		const judged = { ...run, verdicts: ended.map((record) => verdict(record, "j", { value: 1, support: "full" })) };
		const ranked = rowsOf(await view("abstaining", [judged]), judged);
		expect(ranked.length).toBeGreaterThan(0);
		for (const { cells } of ranked) expect(number(cells.answers)).toBe(known.length);
		const [graded] = rowsOf(await view("hit-at-k", [run]), run);
		expect(number(graded?.cells["context-limit"])).toBeCloseTo(1 / 3, 9);
		// a column of its own only where there are any
		expect((await view("hit-at-k", [weak])).columns.map(({ key }) => key)).not.toContain("context-limit");
	});

	test("shares of one thing each sum to one", async () => {
		const broken = rowsOf(await view("first-broken", [weak]), weak);
		expect(sum(broken, "share")).toBeCloseTo(1, 9);
		expect(sum(broken, "records")).toBe(world.tasks.length);
		expect(sum(rowsOf(await view("findings", [weak]), weak), "first")).toBeCloseTo(1, 9);
		const verdicts = await view("hop-verdicts", [weak]);
		const keys = verdicts.columns.filter(({ unit, group }) => unit === "percent" && !group).map(({ key }) => key);
		for (const row of rowsOf(verdicts, weak)) {
			if (number(row.cells.hops) === 0) continue;
			const total = keys.reduce((share, key) => share + (number(row.cells[key]) ?? 0), 0);
			expect(total).toBeCloseTo(1, 9);
		}
		const climbed = rowsOf(await view("failing-level", [weak]), weak);
		expect(sum(climbed, "fails")).toBeCloseTo(1, 9);
		const [all] = rowsOf(await view("hit-at-k", [agent]), agent);
		expect(
			["right", "wrong", "abstained"].reduce((share, key) => share + (number(all?.cells[key]) ?? 0), 0),
		).toBeCloseTo(1, 9);
	});
});

describe("single views", () => {
	test("leave agents that search nothing by design out of what is said of searching", async () => {
		for (const name of [
			"modality-coverage",
			"over-confidence",
			"average-k",
			"hop-verdicts",
			"findings",
			"error-types",
		]) {
			const built = await view(name, [agent, closed, oracle]);
			expect(new Set(built.rows.map(({ run }) => run)), name).toEqual(new Set([agent.manifest.id]));
			expect(built.notes.join(" "), name).toContain("closed-book, oracle");
		}
		const hits = await view("hit-at-k", [agent, oracle]);
		expect(rowsOf(hits, oracle)[0]?.cells["hit@5"]?.is).toBe("unscored");
		const chains = await view("by-topology", [agent, closed, oracle]);
		for (const key of ["hps", "rollout-deviation"]) {
			expect(rowsOf(chains, oracle).every(({ cells }) => cells[key]?.is === "unscored")).toBe(true);
			expect(number(rowsOf(chains, agent)[0]?.cells[key])).not.toBeNull();
		}
	});

	test("modality coverage of all questions is that of its two halves together", async () => {
		const { rows } = await view("modality-coverage", [agent]);
		const of = (question: string) => rows.filter(({ cells }) => text(cells.question) === question);
		for (const key of ["covered", "gold"])
			expect(sum(of("all"), key)).toBe(sum(of("with image"), key) + sum(of("without image"), key));
		expect(sum(of("all"), "gold")).toBeGreaterThan(0);
	});

	test("re-runs with a part of the world changed are neither tested nor timed against agents", async () => {
		const again = changed(weak, {
			id: "changed",
			intervention: { of: agent.manifest.id, what: { is: "oracle-retrieval" } },
		});
		const whole = await view("by-topology", [again, agent, weak]);
		const marksOf = (run: ViewRun) =>
			rowsOf(whole, run).flatMap(({ cells }) => (cells.f1?.is === "measured" && cells.f1.marks) || []);
		expect(marksOf(again)).toEqual([]);
		expect(marksOf(agent)).toEqual([]);
		expect(marksOf(weak).length).toBeGreaterThan(0);
		const timed = await view("time", [again, agent]);
		expect(rowsOf(timed, again)[0]?.cells.relative?.is).toBe("unscored");
		expect(number(rowsOf(timed, agent)[0]?.cells.relative)).toBe(1);
	});

	test("bounds stand from closed book to oracle", async () => {
		const built = await view("bounds", [oracle, agent, closed]);
		expect(built.rows.slice(0, 3).map(({ cells }) => text(cells.role))).toEqual(["closed-book", "agent", "oracle"]);
		expect(number(built.rows[0]?.cells.abstained)).toBe(1);
		expect((await view("bounds", [agent])).rows).toEqual([]);
	});

	test("soft HPS at 1 is HPS, and never falls as τ does", async () => {
		// vectors by hand: what a text is about is its first word
		const words = new Map<string, number>();
		const embed = async (texts: string[]) =>
			texts.map((text) => {
				const [word = ""] = text.split(" ");
				if (!words.has(word)) words.set(word, words.size);
				return Array.from({ length: 1000 }, (_, at) => (at === words.get(word) ? 1 : 0));
			});
		const built = await view("soft-hps", [agent, weak], { embedder: { name: "onnx:first-word", embed } });
		expect(built.notes).toContain("Alike by onnx:first-word.");
		const whole = await view("by-topology", [agent, weak]);
		for (const row of built.rows) {
			const values = ["tau-1", "tau-0.95", "tau-0.9", "tau-0.85"].map((key) => number(row.cells[key]) ?? -1);
			expect(values).toEqual([...values].sort((a, b) => a - b));
			const same = whole.rows.find((one) => one.run === row.run && text(one.cells.slice) === text(row.cells.slice));
			if (same) expect(values[0]).toBeCloseTo(number(same.cells.hps) ?? -1, 9);
		}
	});

	test("without an embedder soft HPS is unscored below 1, and says why", async () => {
		const built = await view("soft-hps", [agent]);
		for (const { cells } of built.rows) {
			expect(cells["tau-1"]?.is).toBe("measured");
			for (const tau of ["tau-0.95", "tau-0.9", "tau-0.85"])
				expect(JSON.stringify(cells[tau])).toContain("no embedder is named");
		}
		expect(built.notes.join()).toContain("--embedder");
	});

	test("the fastest agent takes one of its own time", async () => {
		const slow = {
			...weak,
			records: weak.records.map((record) => ({ ...record, trajectory: { ...record.trajectory, ms: 36 } })),
		};
		const built = await view("time", [agent, slow, closed]);
		expect(rowsOf(built, agent)[0]?.cells.relative).toMatchObject({ measured: { value: 1, low: null } });
		expect(number(rowsOf(built, slow)[0]?.cells.relative)).toBeCloseTo(3, 9);
		expect(rowsOf(built, closed)[0]?.cells.relative?.is).toBe("unscored");
	});

	test("a change of error types is the second run − the first", async () => {
		const built = await view("error-types", [agent, weak]);
		const change = built.rows.find(
			({ run, cells }) => run === weak.manifest.id && text(cells.type) === "retrieval failure",
		);
		const [before, after] = built.rows
			.filter(({ cells }) => text(cells.type) === "retrieval failure")
			.map(({ cells }) => number(cells.share) ?? 0);
		expect(number(change?.cells.change)).toBeGreaterThan(0);
		expect(Math.abs((number(change?.cells.change) ?? 0) - ((after ?? 0) - (before ?? 0)))).toBeLessThan(0.1);
		const same = await view("error-types", [weak, changed(weak, { id: "again" })]);
		for (const { run, cells } of same.rows) if (run === "again") expect(number(cells.change)).toBe(0);
	});

	test("runs that differ in k, in budget or in benchmark stand beside one another; those that do not are no table", async () => {
		const five = changed(agent, { id: "five", setting: { name: "search", k: 5, limit: 4 } });
		const three = changed(agent, { setting: { name: "search", k: 3, limit: 8 } });
		const byK = await view("by-k", [five, three, closed]);
		expect(byK.rows.slice(0, 2).map(({ cells }) => number(cells.k))).toEqual([3, 5]);
		expect(byK.rows.some(({ run }) => run === closed.manifest.id)).toBe(false);
		const budgets = await view("by-budget", [three, five, closed]);
		expect(budgets.rows.map(({ cells }) => number(cells.limit))).toEqual([4, 8]);
		const other = changed(agent, { id: "other", benchmark: { name: "other", hash: "e".repeat(64), folder: "o" } });
		const across = await view("across-benchmarks", [agent, other]);
		expect(across.rows).toHaveLength(1);
		expect(number(across.rows[0]?.cells["0-accuracy"])).toBe(number(across.rows[0]?.cells["1-accuracy"]));
		for (const name of ["by-k", "by-budget", "across-benchmarks", "other-gold"])
			expect((await view(name, [agent])).rows, name).toEqual([]);
	});

	test("other gold is paired by task", async () => {
		const tasks = world.tasks.map(
			(task) => ({ ...task, answer: { ...task.answer, accepted: ["nothing of the kind"] } }) as Task,
		);
		const rescored = toRun({ ...world, tasks }, { agent: "stepwise" }, agent.records);
		const other = changed(rescored, {
			id: "regenerated",
			benchmark: { name: "regenerated", hash: "f".repeat(64), folder: "r" },
		});
		const built = await view("other-gold", [agent, other]);
		expect(sum(built.rows, "tasks")).toBe(world.tasks.length);
		for (const { cells } of built.rows) {
			expect(number(cells["f1-b"])).toBe(0);
			expect(number(cells["f1-difference"])).toBeCloseTo(number(cells["f1-a"]) ?? -1, 9);
		}
	});

	test("the reward counts calls, unless they are capped or bring nothing new", async () => {
		const [task] = world.tasks.filter(({ chain }) => chain?.hops.every(({ evidence }) => evidence.length > 0));
		if (!task) throw new Error("no task");
		const hops = task.chain?.hops.length ?? 0;
		const id = task.chain?.hops[0]?.evidence[0] ?? "";
		const call = { tool: "text_search", arguments: { query: "q" }, valid: true };
		const steps = Array.from({ length: hops + 2 }, (_, index) => ({
			index,
			call,
			results: [{ id, score: 1, rank: 1 }],
			ms: 1,
		}));
		const [record] = agent.records;
		if (!record) throw new Error("no record");
		const trajectory = {
			...record.trajectory,
			steps,
			answer: task.answer.value,
			abstained: false,
			stop: "answered" as const,
		};
		const run = toRun({ ...world, tasks: [task] }, { agent: "one" }, [{ ...record, task: task.id, trajectory }]);
		const [row] = (await view("reward-terms", [run])).rows;
		expect(number(row?.cells.tool)).toBe(hops + 2);
		expect(number(row?.cells.all)).toBeCloseTo(2 + 0.25 * (hops + 2), 9);
		expect(number(row?.cells.capped)).toBeCloseTo(2 + 0.25 * hops, 9);
		expect(number(row?.cells.new)).toBeCloseTo(2.25, 9);
	});

	test("abstaining gains by what tells right from wrong, and nothing by what does not", async () => {
		const built = await view("abstaining", [weak, closed]);
		const found = rowsOf(built, weak).find(({ cells }) => text(cells.ordering).startsWith("evidence of every hop"));
		expect(number(found?.cells["gain-0.5"])).toBeGreaterThan(0);
		expect(number(found?.cells.area)).toBeLessThan(1 - (number(found?.cells.accuracy) ?? 1));
		expect(number(found?.cells.area)).toBeGreaterThanOrEqual(number(found?.cells.best) ?? 2);
		expect(rowsOf(built, closed)).toEqual([]);
		const curve = rowsOf(await view("risk-coverage", [weak]), weak).filter(({ cells }) =>
			text(cells.ordering).startsWith("evidence"),
		);
		expect(number(curve.at(-1)?.cells.coverage)).toBe(1);
		expect(number(curve.at(-1)?.cells.risk)).toBeCloseTo(1 - (number(found?.cells.accuracy) ?? 0), 9);
	});

	test("repeats that agree are a confidence that needs no gold", async () => {
		const tasks = world.tasks.slice(0, 20);
		const answersOf = (place: number, right: string) =>
			place % 2 === 0 ? [right, right, right] : [right, "one", "another"];
		const records = tasks.flatMap((task, place) =>
			answersOf(place, task.answer.value).map((answer, repeat): RunRecord => {
				const [record] = agent.records;
				if (!record) throw new Error("no record");
				const trajectory = { ...record.trajectory, steps: [], answer, abstained: false, stop: "answered" as const };
				return { ...record, task: task.id, repeat, trajectory };
			}),
		);
		const run = changed(toRun({ ...world, tasks }, { agent: "asked thrice" }, records), { repeats: 3 });
		const [row] = (await view("abstaining", [run])).rows;
		expect(text(row?.cells.ordering)).toBe("agreement of repeats");
		expect(number(row?.cells["accuracy-0.5"])).toBe(1);
		expect(number(row?.cells.accuracy)).toBeCloseTo(2 / 3, 9);
	});
});

describe("views of judges", () => {
	test("two judges that say the same agree entirely, one that is harsher is biased by as much", async () => {
		const random = randomFrom(3);
		const few = toRun({ ...world, tasks: world.tasks.slice(0, 20) }, { agent: "react" }, weak.records.slice(0, 20));
		const dimensions = Object.keys(rubrics["mc-search"]?.scores ?? {});
		const given = few.records.map((record) => ({
			record,
			scores: Object.fromEntries(dimensions.map((name) => [name, 1 + Math.floor(random() * 4)])),
		}));
		const verdicts = given.flatMap(({ record, scores }) => [
			verdict(record, "openai:one", { scores }),
			verdict(record, "openai:two", { scores }),
			verdict(record, "openai:harsh", {
				scores: Object.fromEntries(Object.entries(scores).map(([name, value]) => [name, value - 1])),
			}),
		]);
		const labels = labelledAnswers(
			few.manifest.id,
			given.flatMap(({ record }) => {
				const task = world.tasks.find(({ id }) => id === record.task);
				return task ? [{ record, task }] : [];
			}),
		).map((item) => {
			const own = given.find(({ record }) => answerId(few.manifest.id, record) === item.id);
			const scores = Object.entries(own?.scores ?? {});
			return {
				...item,
				labels: scores.map(([name, value]) => ({
					rater: "person",
					kind: "human" as const,
					label: { is: "score" as const, name, value },
				})),
			};
		});
		const run = { ...few, verdicts, labels };
		const built = await view("judge-consistency", [run]);
		const row = (sides: string, dimension: string) =>
			built.rows.find(({ cells }) => text(cells.sides) === sides && text(cells.dimension) === dimension)?.cells;
		const [first = ""] = dimensions;
		const name = first.replaceAll("_", " ");
		expect(number(row("openai:one / openai:two", name)?.pearson)).toBeCloseTo(1, 9);
		expect(number(row("openai:one / openai:two", name)?.bias)).toBe(0);
		expect(number(row("openai:one / openai:harsh", name)?.bias)).toBeCloseTo(1, 9);
		expect(number(row("openai:one / people", name)?.kappa)).toBeCloseTo(1, 9);
		expect(row("openai:one / openai:two", "stacked")).toBeDefined();
		const subsets = await view("judge-subsets", [run]);
		expect(subsets.rows.every(({ cells }) => number(cells.subsets) === 5)).toBe(true);
		const pairs = (await view("judge-pairs", [run])).rows.filter(
			({ cells }) => text(cells.sides) === "openai:one / openai:harsh" && text(cells.dimension) === name,
		);
		expect(sum(pairs, "answers")).toBe(few.records.length);
		for (const { cells } of pairs) expect((number(cells.first) ?? 0) - (number(cells.second) ?? 0)).toBe(1);
		expect((await view("judge-consistency", [agent])).notes.join()).toContain("no judge has judged it");
	});

	test("a judge's grades take the place of the typed metric's, and are named", async () => {
		const verdicts = agent.records.map((record) =>
			verdict(record, "openai:kind", { value: 0.5, grade: "partly-right" }, "double-bench"),
		);
		const built = await view("bounds", [{ ...agent, verdicts }, closed]);
		const [graded] = rowsOf(built, agent);
		expect(number(graded?.cells["partly-right"])).toBe(1);
		expect(built.notes.join(" ")).toContain("openai:kind by double-bench");
		expect(built.notes.join(" ")).toContain("do not compare");
	});

	test("answers that the judge of the others has not judged have no grade, and no typed one in its place", async () => {
		const judged = agent.records.slice(0, 10);
		const verdicts = judged.map((record) =>
			verdict(record, "openai:kind", { value: 0.5, grade: "partly-right" }, "double-bench"),
		);
		const [row] = (await view("bounds", [{ ...agent, verdicts }, closed])).rows.filter(
			({ run }) => run === agent.manifest.id,
		);
		const share = row?.cells["partly-right"];
		if (share?.is !== "measured") throw new Error("no share");
		expect(share.measured.value).toBe(1);
		expect(share.measured.scored).toBeLessThanOrEqual(10);
		expect(share.measured.missing["not judged"]).toBeGreaterThan(0);
	});

	test("labels of error types stand beside those by rule", async () => {
		const verdicts = agent.records.map((record, place) =>
			verdict(record, "openai:labels", { labels: place % 2 === 0 ? ["step-omission"] : [] }, "mc-search-errors"),
		);
		const built = await view("error-types", [{ ...agent, verdicts }]);
		const judged = built.rows.find(({ cells }) => text(cells.type) === "step omission")?.cells.judge;
		expect(number(judged)).toBeGreaterThan(0.4);
		expect(built.notes.join(" ")).toContain("openai:labels");
		// by rules and by judge one type at least is named by both or neither: its agreement stands beside it
		expect(built.columns.map(({ key }) => key)).toContain("kappa");
		const kappas = built.rows.map(({ cells }) => number(cells.kappa));
		expect(kappas.some((kappa) => kappa !== undefined && kappa !== null)).toBe(true);
	});
});
