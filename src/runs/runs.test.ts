import { existsSync } from "node:fs";
import { appendFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Agent, Web } from "#agents";
import type { Benchmark } from "#benchmarks";
import { Evidence, HopscopeError, noUsage, type RunRecord, type Setting } from "#domain";
import { fakeKnowledge, type KnowledgeBase } from "#knowledge";
import { type ChatModel, ModelError, scriptedModel } from "#models";
import { type ExecuteOptions, executeRun, openRun, planRun, type RunEvent, scoreRun } from "#runs";
import { longTest } from "../../test/long.ts";
import { agentOf, answered, emptyKnowledge, slowAgent, tinyBenchmark } from "../../test/support/runs.ts";
import { outstanding } from "./outstanding.ts";

let root: string;
let benchmark: Benchmark;
let dir: string;
let made = 0;
beforeAll(async () => {
	root = await mkdtemp(join(tmpdir(), "hopscope-runs-"));
	benchmark = await tinyBenchmark(root, 12);
});
afterAll(() => rm(root, { recursive: true, force: true }));
beforeEach(() => {
	made += 1;
	dir = join(root, "runs", `run-${made}`);
});

const setting = { name: "default", k: 3 };
const echo = agentOf((view) => view.question.replace(/\D/g, ""));

function planned(agent: Agent, more: { repeats?: number; limit?: number; seed?: number } = {}) {
	return planRun({ agent, setting, benchmark, knowledge: emptyKnowledge(root), ...more });
}

async function execute(agent: Agent, more: Partial<ExecuteOptions> = {}): Promise<RunEvent[]> {
	const options = { dir, manifest: planned(agent), agent, benchmark, knowledge: emptyKnowledge(root), ...more };
	const events: RunEvent[] = [];
	for await (const event of executeRun(options)) events.push(event);
	return events;
}

async function failure(promise: Promise<unknown>): Promise<HopscopeError> {
	const error = await promise.then(
		() => undefined,
		(thrown: unknown) => thrown,
	);
	expect(error).toBeInstanceOf(HopscopeError);
	return error as HopscopeError;
}

const lines = async (name: string) => (await readFile(join(dir, name), "utf8")).trim().split("\n");

describe("planning", () => {
	test("names the run readably and uniquely and says what its numbers depend on", () => {
		const manifest = planned(echo, { repeats: 2, limit: 3 });
		expect(manifest.id).toMatch(/^tiny-scripted-\d{8}-\d{6}-[0-9a-f]{4}$/);
		expect(manifest.tasks).toEqual(["t0000", "t0004", "t0008"]);
		for (let limit = 1; limit <= 14; limit += 1) {
			const { tasks } = planned(echo, { limit });
			expect(new Set(tasks).size).toBe(Math.min(limit, 12));
			expect(tasks).toEqual([...tasks].sort());
		}
		expect(manifest).toMatchObject({ repeats: 2, seed: 0, model: null, agent: { name: "scripted", version: "1" } });
		expect(manifest.benchmark.hash).toBe(benchmark.manifest.hash);
		expect(manifest.software.node).toBe(process.versions.node);
	});

	test("refuses an agent without the model it needs", () => {
		const agent: Agent = { ...echo, needs: { model: "required", gold: false } };
		expect(() => planned(agent)).toThrow("needs a model");
	});

	test.each([0.5, Number.NaN, 2 ** 53 - 1])("refuses a seed of %d, whose samples would share seeds", (seed) => {
		expect(() => planned(echo, { seed })).toThrow("a seed of");
	});

	test("says what a reference agent is for", () => {
		expect(planned({ ...echo, reference: "answers without searching" }).agent.reference).toBe(
			"answers without searching",
		);
		expect(planned(echo).agent.reference).toBeUndefined();
	});
});

describe("a run", () => {
	test("answers every task and repeat, keeps the records and scores them", async () => {
		const manifest = planned(echo, { repeats: 2 });
		const events = await execute(echo, { manifest });
		expect(events[0]).toEqual({ event: "run-start", total: 24, done: 0, warnings: [], used: noUsage });
		expect(events.at(-1)).toMatchObject({ event: "run-end", done: 24, errors: 0, left: 0, reason: "complete" });
		const run = await openRun(dir);
		expect(run.manifest).toEqual(manifest);
		expect(run.records.map(({ task, repeat }) => `${repeat} ${task}`)).toHaveLength(24);
		expect(run.warnings).toEqual([]);
		const rows = await scoreRun(run, benchmark);
		expect(rows.every((row) => row.outcome === "right")).toBe(true);
		expect(await lines("scores.jsonl")).toHaveLength(24);
		const log = (await lines("events.jsonl")).map((line) => JSON.parse(line));
		expect(log.map(({ event }) => event)).toEqual(["run-start", "run-end"]);
		expect(log.every((event) => typeof event.at === "string")).toBe(true);
		expect(existsSync(join(dir, "lock.1"))).toBe(false);
	});

	test("names its folders relative to itself on disk, so that a workspace can be moved", async () => {
		await execute(echo);
		const onDisk = JSON.parse(await readFile(join(dir, "run.json"), "utf8"));
		expect(onDisk.benchmark.folder).toBe(join("..", "..", "benchmark"));
		expect((await openRun(dir)).manifest.benchmark.folder).toBe(benchmark.dir);
	});

	test("begun again has nothing to do", async () => {
		await execute(echo);
		const again = await execute(agentOf(() => Promise.reject(new Error("asked again"))));
		expect(again.map((event) => event.event)).toEqual(["run-start", "run-end"]);
		expect(again.at(-1)).toMatchObject({ done: 12, left: 0 });
	});

	test("answers no more tasks at once than it may, and many without a warning", async () => {
		const warned: Error[] = [];
		const onWarning = (warning: Error) => warned.push(warning);
		process.on("warning", onWarning);
		let now = 0;
		let most = 0;
		// the first ones wait for one another, however slowly they come
		let together = 3;
		const waiting: (() => void)[] = [];
		const agent = agentOf(async () => {
			now += 1;
			most = Math.max(most, now);
			if (most < together) await new Promise<void>((go) => waiting.push(go));
			for (const go of waiting.splice(0)) go();
			await new Promise((done) => setTimeout(done, 5));
			now -= 1;
			return "x";
		});
		await execute(agent, { concurrency: 3 });
		expect(most).toBe(3);
		dir = `${dir}-many`;
		together = 12;
		await execute(agent, { concurrency: 100 });
		expect(most).toBe(12);
		await new Promise(setImmediate);
		process.off("warning", onWarning);
		expect(warned).toEqual([]);
	});

	test("goes on when an agent throws, hangs or returns nonsense; resumed, it tries those again", async () => {
		let healthy = false;
		const agent = agentOf((view) => {
			if (healthy) return "fine";
			if (view.id === "t0001") throw new Error("tripped");
			if (view.id === "t0002") return new Promise<string>(() => {});
			return view.id === "t0003" ? { ...answered("x"), ms: Number.NaN } : "fine";
		});
		const events = await execute(agent, { timeout: 50 });
		expect(events.at(-1)).toMatchObject({ done: 9, errors: 3, left: 0, reason: "errors" });
		expect((await lines("events.jsonl")).filter((line) => JSON.parse(line).error !== undefined)).toHaveLength(3);
		const errors = (await openRun(dir)).records.filter((record) => record.trajectory.stop === "error");
		expect(errors.map((record) => [record.task, record.trajectory.error?.boundary])).toEqual([
			["t0001", "agent"],
			["t0002", "agent"],
			["t0003", "agent"],
		]);
		expect(errors[0]?.trajectory.error?.message).toBe("tripped");
		expect(errors[1]?.trajectory.error?.message).toContain("within 0.05 s");
		expect(errors[2]?.trajectory.error?.message).toContain("at ms");

		healthy = true;
		const resumed = await execute(agent);
		expect(resumed[0]).toMatchObject({ done: 9 });
		expect(resumed.filter((event) => event.event === "task-end")).toHaveLength(3);
		const run = await openRun(dir);
		expect(run.records.filter((record) => record.attempt === 1)).toHaveLength(3);
		expect(run.records.every((record) => record.trajectory.stop === "answered")).toBe(true);
		expect(await lines("records.jsonl")).toHaveLength(15);
	});

	test("asks a model with other seeds in runs of other seeds, and another one for each repeat", async () => {
		const seeds: (number | undefined)[] = [];
		const model = scriptedModel(({ seed }) => {
			seeds.push(seed);
			return "x";
		});
		const agent: Agent = {
			...echo,
			async answer(_, context) {
				await context.model?.complete({ messages: [] }, {});
				await context.model?.complete({ messages: [], seed: 5 }, {});
				return answered("x");
			},
		};
		const options = {
			agent,
			model,
			setting,
			benchmark,
			knowledge: emptyKnowledge(root),
			repeats: 2,
			seed: 7,
			limit: 1,
		};
		await execute(agent, { manifest: planRun(options), model, concurrency: 1 });
		expect(seeds).toEqual([7000, 7005, 7001, 7005]);
		const { records } = await openRun(dir);
		expect(records.map(({ trajectory }) => trajectory.served)).toEqual(
			records.map(() => ({ models: [model.id], ignored: [] })),
		);
	});

	test("an image that is not the benchmark's own is an error of its task", async () => {
		const [first, ...others] = benchmark.tasks;
		if (!first) throw new Error("no task");
		await writeFile(join(benchmark.dir, "a.png"), "other pixels");
		const image = { id: "a", file: "a.png", width: 1, height: 1, sha256: "0".repeat(64) };
		const events = await execute(echo, {
			benchmark: { ...benchmark, tasks: [{ ...first, images: [image] }, ...others] },
		});
		expect(events.at(-1)).toMatchObject({ done: 11, errors: 1 });
	});

	test("interrupted, begins nothing more, loses nothing and is resumed later", async () => {
		const stop = new AbortController();
		const agent = agentOf((view, signal) => {
			if (view.id < "t0004") return "early";
			setTimeout(() => stop.abort(), 5);
			return new Promise<string>((_, reject) =>
				signal.addEventListener("abort", () => reject(signal.reason), { once: true }),
			);
		});
		const events = await execute(agent, { concurrency: 2, signal: stop.signal });
		expect(events.at(-1)).toMatchObject({ event: "run-end", errors: 0, reason: "interrupted" });
		const before = (await openRun(dir)).records.map((record) => record.task);
		expect(before).toEqual(["t0000", "t0001", "t0002", "t0003"]);
		const asked: string[] = [];
		const resumed = await execute(slowAgent(1, (task) => asked.push(task)));
		expect(asked.sort()).toEqual(benchmark.tasks.slice(4).map((task) => task.id));
		expect(resumed.at(-1)).toMatchObject({ done: 12, left: 0 });
	});

	longTest("interrupted, does not wait for an agent that does not listen", async () => {
		const stop = new AbortController();
		setTimeout(() => stop.abort(), 20);
		const events = await execute(
			agentOf(() => new Promise<string>(() => {})),
			{ signal: stop.signal },
		);
		expect(events.at(-1)).toMatchObject({ done: 0, left: 12, reason: "interrupted" });
	});

	test("left early by its reader, lets go of the folder", async () => {
		for await (const event of executeRun({
			dir,
			manifest: planned(echo),
			agent: slowAgent(2),
			benchmark,
			knowledge: emptyKnowledge(root),
		}))
			if (event.event === "task-end") break;
		expect((await execute(echo)).at(-1)).toMatchObject({ done: 12, left: 0 });
	});

	test.each([
		["calls", { maxCalls: 5 }],
		["tokens", { maxTokens: 50 }],
		["cost", { maxCost: 1.25 }],
	])("stops at its budget of %s and resumes with a larger one", async (budget, limits) => {
		const usage = { ...noUsage, calls: 1, inputTokens: 8, outputTokens: 2, cost: 0.25 };
		const agent = agentOf(() => answered("x", usage));
		const events = await execute(agent, { ...limits, concurrency: 1 });
		expect(events.at(-1)).toMatchObject({ done: 5, left: 7, reason: "budget", budget });
		expect(events.at(-1)).toMatchObject({ used: { calls: 5, inputTokens: 40, outputTokens: 10, cost: 1.25 } });
		const again = await execute(agent, { ...limits, concurrency: 1 });
		expect(again.map(({ event }) => event)).toEqual(["run-start", "run-end"]);
		expect(again[0]).toMatchObject({ used: { calls: 5, cost: 1.25 } });
		expect((await execute(agent)).at(-1)).toMatchObject({ done: 12, reason: "complete" });
	});

	test("stops at its budget of time, which counts each session by itself; who runs may finish", async () => {
		const options = { maxTime: 30, concurrency: 2 };
		const first = await execute(slowAgent(20), options);
		const end = first.at(-1);
		if (end?.event !== "run-end") throw new Error("no end");
		expect(end).toMatchObject({ errors: 0, reason: "budget", budget: "time" });
		expect(end.done).toBeGreaterThan(1);
		expect(end.done + end.left).toBe(12);
		const second = (await execute(slowAgent(20), options)).at(-1);
		expect((second as typeof end).done).toBeGreaterThan(end.done);
	});

	test.each([
		["calls", { maxCalls: 5 }, 5],
		["tokens", { maxTokens: 55 }, 6],
	])("holds back %s for the tasks that run: many at once pass the limit no further than one does", async (_, limits, done) => {
		const usage = { ...noUsage, calls: 1, inputTokens: 8, outputTokens: 2 };
		const agent: Agent = { ...echo, answer: () => sleep(5).then(() => answered("x", usage)) };
		const events = await execute(agent, { ...limits, concurrency: 8 });
		expect(events.at(-1)).toMatchObject({ done, reason: "budget" });
	});

	test("a program that reports nothing of what a budget counts ends the run instead of passing it", async () => {
		const program: Agent = { ...echo, reportsUsage: true };
		expect((await execute(program, { maxTokens: 50, concurrency: 8 })).at(-1)).toMatchObject({
			...{ reason: "unseen", budget: "tokens", done: 1, left: 11 },
		});
		expect((await execute(program)).at(-1)).toMatchObject({ reason: "complete" });
	});

	test("calls answered from cached replies are no calls of the budget", async () => {
		const agent = agentOf(() => answered("x", { ...noUsage, calls: 2, kept: 2 }));
		expect((await execute(agent, { maxCalls: 1 })).at(-1)).toMatchObject({ done: 12, reason: "complete" });
	});

	longTest("of a task given up or an agent that throws, what was asked until then counts", async () => {
		const agent: Agent = {
			...echo,
			async answer(view, { model }) {
				await model?.complete({ messages: [{ role: "user", content: [{ type: "text", text: "a b c" }] }] }, {});
				if (view.id === "t0000") throw new Error("tripped");
				return new Promise<never>(() => {});
			},
		};
		const model = scriptedModel(() => "d e");
		const manifest = planRun({
			agent,
			model,
			setting,
			benchmark,
			knowledge: emptyKnowledge(root),
			limit: 2,
		});
		await execute(agent, { manifest, model, timeout: 500 });
		for (const { trajectory } of (await openRun(dir)).records)
			expect(trajectory).toMatchObject({ stop: "error", usage: { calls: 1, inputTokens: 3, outputTokens: 2 } });
	});
});

describe("a model that answers nobody", () => {
	const asking: Agent = {
		...echo,
		async answer(_, { model, signal }) {
			await model?.complete({ messages: [] }, { signal });
			return answered("x");
		},
	};
	const run = (model: ChatModel) =>
		execute(asking, {
			manifest: planRun({
				agent: asking,
				model,
				setting,
				benchmark,
				knowledge: emptyKnowledge(root),
				repeats: 3,
			}),
			model,
			concurrency: 2,
		});
	const refusing = (retryable: boolean, answers: (n: number) => boolean) =>
		scriptedModel((_, n) => {
			if (answers(n)) return "x";
			throw new ModelError(`HTTP ${retryable ? 503 : 401}: no`, { status: retryable ? 503 : 401 });
		});

	test("ends the run after a few tasks with the cause, and the run is resumed when it answers again", async () => {
		const events = await run(refusing(false, () => false));
		expect(events.at(-1)).toMatchObject({ done: 0, reason: "refused", cause: "HTTP 401: no" });
		expect(events.filter(({ event }) => event === "task-end").length).toBeLessThanOrEqual(6);
		expect((await openRun(dir)).records[0]?.trajectory.error).toEqual({ boundary: "model", message: "HTTP 401: no" });
		expect((await run(scriptedModel(() => "x"))).at(-1)).toMatchObject({ done: 36, errors: 0, reason: "complete" });
	});

	test("is given more time where the failure may pass", async () => {
		const events = await run(refusing(true, () => false));
		expect(events.at(-1)).toMatchObject({ reason: "refused", cause: "HTTP 503: no" });
		expect(events.filter(({ event }) => event === "task-end").length).toBeGreaterThanOrEqual(10);
	});

	test("an agent that breaks task after task ends it too, and one that works now and then does not", async () => {
		const breaking = (works: (n: number) => boolean): Agent => {
			let n = 0;
			return {
				...echo,
				async answer() {
					if (works(n++)) return answered("x");
					throw new Error("no such file");
				},
			};
		};
		const end = async (agent: Agent) => {
			const manifest = planRun({ agent, setting, benchmark, knowledge: emptyKnowledge(root), repeats: 3 });
			return (await execute(agent, { manifest, concurrency: 2 })).at(-1);
		};
		expect(await end(breaking(() => false))).toMatchObject({ reason: "refused", cause: "no such file", done: 0 });
		dir = join(root, "runs", "works-now-and-then");
		expect(await end(breaking((n) => n % 10 === 9))).toMatchObject({ reason: "errors", done: 3, errors: 33 });
	});

	test("now and then ends nothing", async () => {
		const events = await run(refusing(false, (n) => n % 4 === 0));
		expect(events.at(-1)).toMatchObject({ done: 9, errors: 27, left: 0, reason: "errors" });
	});
});

describe("a combination that makes no sense", () => {
	const needy: Agent = { ...echo, needs: { ...echo.needs, evidence: ["image"] } };
	const picture = Evidence.parse({
		kind: "image",
		id: "i",
		document: "cat",
		title: "Cat",
		caption: "A cat.",
		file: "cat.png",
		width: 1,
		height: 1,
		sha256: "0".repeat(64),
		provenance: { source: "test" },
	});
	const withImages = { ...fakeKnowledge([picture], { name: "pictures" }), dir: "." };
	const offering = (...tools: string[]) => ({ ...setting, tools });
	const plan = (agent: Agent, options: { setting?: Setting; knowledge?: KnowledgeBase; web?: Web } = {}) =>
		planRun({ agent, setting, benchmark, knowledge: emptyKnowledge(root), ...options });

	test("is refused before it starts: an agent without what it cannot do without", async () => {
		expect(() => plan(needy)).toThrow(expect.objectContaining({ code: "senseless-run", exitCode: 2 }));
		expect(() => plan(needy)).toThrow(/cannot do without images, and the knowledge base empty has none/);
		expect(plan(needy, { knowledge: withImages }).agent.name).toBe("scripted");
		expect(await failure(execute(needy, { manifest: planned(echo) }))).toMatchObject({ code: "senseless-run" });
		expect(existsSync(dir)).toBe(false);
	});

	test("is refused where a tool reaches for a web that is not configured", () => {
		const live = { setting: offering("web_search", "web_read"), knowledge: withImages };
		expect(() => plan(echo, live)).toThrow(/offers web_search and web_read, and no such part/);
		const search = { search: async () => [] };
		const reader = { read: async () => ({ address: "", title: "", text: "" }) };
		expect(() => plan(echo, { ...live, web: { search } })).toThrow(/offers web_read, /);
		expect(plan(echo, { ...live, web: { search, reader } }).setting.tools).toHaveLength(2);
	});

	test("is refused where all tools search what is not there, and doubted where some do", async () => {
		expect(() => plan(echo, { setting: offering("text_search", "image_crop") })).toThrow(/searches passages/);
		const some = offering("text_search", "image_search_by_text");
		const manifest = plan(echo, { setting: some, knowledge: withImages });
		const [start] = await execute(echo, { manifest, knowledge: withImages });
		expect(start).toMatchObject({
			event: "run-start",
			warnings: ["text_search is not offered: the knowledge base pictures has no passages"],
		});
		// the record says so
		expect(manifest.setting).toMatchObject({ tools: ["image_search_by_text"], withheld: ["text_search"] });
		const named = { ...some, name: "default tools=text_search+image_search_by_text" };
		expect(plan(echo, { setting: named, knowledge: withImages }).setting.tools).toHaveLength(2);
		expect(plan(echo, { setting: offering() }).setting.tools).toEqual([]);
	});

	test("an agent that looks at pages says in its setting's name and in a warning that it is given none as pictures", async () => {
		const looking: Agent = { ...echo, needs: { ...echo.needs, pagePictures: true } };
		const over = (pagePictures: number | undefined) => {
			const manifest = { ...withImages.manifest, counts: { passage: 0, page: 4, image: 0 }, pagePictures };
			return { ...withImages, manifest } as typeof withImages;
		};
		const blind = plan(looking, { knowledge: over(0) });
		expect(blind.setting.name).toBe(`${setting.name} without page pictures`);
		const [start] = await execute(looking, { manifest: blind, knowledge: over(0) });
		expect(start).toMatchObject({ warnings: [expect.stringMatching(/keeps none as pictures.*--page-images/)] });
		for (const there of [4, 3, undefined])
			expect(plan(looking, { knowledge: over(there) }).setting.name).toBe(setting.name);
		expect(plan(echo, { knowledge: over(0) }).setting.name).toBe(setting.name);
	});
});

describe("resuming", () => {
	test("does a torn last record again, with a warning", async () => {
		await execute(echo);
		const file = join(dir, "records.jsonl");
		const text = await readFile(file, "utf8");
		const cut = text.lastIndexOf('{"version"') + 20;
		await writeFile(file, text.slice(0, cut));
		const opened = await openRun(dir);
		expect(opened.records).toHaveLength(11);
		expect(opened.warnings[0]).toContain("records.jsonl, line 12: torn last record dropped");
		const events = await execute(echo);
		expect(events[0]).toMatchObject({ done: 11 });
		expect((events[0] as { warnings: string[] }).warnings).toHaveLength(1);
		expect((await openRun(dir)).records).toHaveLength(12);
		expect((await openRun(dir)).warnings).toEqual([]);
	});

	test("counts a record that stands twice once, and says so", async () => {
		await execute(echo);
		const file = join(dir, "records.jsonl");
		const { used } = await openRun(dir);
		const [first = ""] = await lines("records.jsonl");
		await writeFile(file, `${await readFile(file, "utf8")}${first}\n`);
		const again = await openRun(dir);
		expect([again.records.length, again.used]).toEqual([12, used]);
		expect(again.warnings).toEqual([
			expect.stringContaining("records.jsonl: 1 line of attempts that stand there already"),
		]);
	});

	longTest("wherever the records are cut, exactly what was cut is done again", async () => {
		await execute(echo);
		const file = join(dir, "records.jsonl");
		const text = await readFile(file, "utf8");
		await fc.assert(
			fc.asyncProperty(fc.integer({ min: 0, max: text.length }), async (cut) => {
				const kept = text.slice(0, cut);
				await writeFile(file, kept);
				const asked: string[] = [];
				await execute(slowAgent(0, (task) => asked.push(task)));
				// a record is whole from its closing brace on, even where its line end is missing
				const whole = kept.split("\n").filter((line) => line.endsWith("}") && isJson(line)).length;
				expect(asked).toHaveLength(12 - whole);
				const records = (await lines("records.jsonl")).map((line) => JSON.parse(line) as RunRecord);
				expect(new Set(records.map((record) => record.task)).size).toBe(12);
				expect(records).toHaveLength(12);
			}),
			{ numRuns: 25 },
		);
	});

	test("with another agent, model, benchmark or knowledge base is refused", async () => {
		await execute(echo);
		const other: Agent = { ...echo, version: "2" };
		expect(await failure(execute(other))).toMatchObject({
			code: "run-differs",
			exitCode: 2,
			facts: { differs: ["agent"] },
		});
		expect((await failure(execute(other, { manifest: planned(echo) }))).message).toContain("agent scripted 1");
		expect((await failure(execute(echo, { manifest: planned(echo, { repeats: 2 }) }))).message).toContain("repeats");
		const changed = { ...benchmark, manifest: { ...benchmark.manifest, hash: "2".repeat(64) } };
		expect(await failure(execute(echo, { benchmark: changed }))).toMatchObject({ code: "run-differs", exitCode: 2 });
		const knowledge = emptyKnowledge(root);
		knowledge.manifest = { ...knowledge.manifest, hash: "3".repeat(64) };
		expect((await failure(execute(echo, { knowledge }))).message).toContain("knowledge base empty");
	});

	test("records that belong to no run are not adopted", async () => {
		await execute(echo);
		await rm(join(dir, "run.json"));
		expect(await failure(execute(echo))).toMatchObject({ code: "no-run", exitCode: 2 });
		expect(await failure(openRun(dir))).toMatchObject({ code: "no-run", exitCode: 2 });
	});

	test("a broken record in the middle is named, not skipped", async () => {
		await execute(echo);
		await appendFile(join(dir, "records.jsonl"), '{"version":1}\n');
		const error = await failure(openRun(dir));
		expect(error).toMatchObject({ code: "bad-line", exitCode: 2 });
		expect(error.message).toContain("records.jsonl, line 13: at task: ");
	});

	test("property: outstanding and finished are the plan, each once, in order", () => {
		const stop = fc.constantFrom("answered" as const, "turn-limit" as const, "error" as const);
		const record = fc.record({
			task: fc.constantFrom("a", "b", "c", "elsewhere"),
			repeat: fc.integer({ min: 0, max: 2 }),
			attempt: fc.integer({ min: 0, max: 3 }),
			stop,
		});
		fc.assert(
			fc.property(fc.array(record), fc.integer({ min: 1, max: 3 }), (found, repeats) => {
				const records = found.map(({ stop, ...key }): RunRecord => {
					return { version: 1, ...key, at: "", trajectory: { ...answered("x"), stop } };
				});
				const jobs = outstanding(
					{ tasks: ["a", "b", "c"], repeats },
					records.map(({ trajectory: { stop, usage }, ...key }) => ({ ...key, stop, usage })),
				);
				let index = 0;
				for (let repeat = 0; repeat < repeats; repeat += 1)
					for (const task of ["a", "b", "c"]) {
						const own = records.filter((one) => one.task === task && one.repeat === repeat);
						const attempt = Math.max(-1, ...own.map((one) => one.attempt));
						const last = own.filter((one) => one.attempt === attempt).at(-1);
						if (last && last.trajectory.stop !== "error") continue;
						expect(jobs[index]).toEqual({ task, repeat, attempt: attempt + 1 });
						index += 1;
					}
				expect(jobs).toHaveLength(index);
			}),
		);
	});
});

describe("a folder in use", () => {
	test("is refused while it is being run here, and free afterwards", async () => {
		let release = () => {};
		const gate = new Promise<void>((resolve) => {
			release = resolve;
		});
		let begin = () => {};
		const begun = new Promise<void>((resolve) => {
			begin = resolve;
		});
		const held = agentOf(async () => {
			begin();
			await gate;
			return "x";
		});
		const first = execute(held);
		await begun;
		expect(await failure(execute(echo))).toMatchObject({ code: "folder-in-use" });
		release();
		await first;
		await execute(echo);
	});

	test("is refused while another living process holds it; a dead one's lock is taken over", async () => {
		await execute(echo);
		const lock = (pid: number) => JSON.stringify({ pid, host: hostname(), at: "2026-01-01T00:00:00Z" });
		// the parent of the test process lives for as long as it
		await writeFile(join(dir, "lock.1"), lock(process.ppid));
		const error = await failure(execute(echo));
		expect(error.message).toContain(`process ${process.ppid}`);
		expect(error.remedy).toContain("lock.1");
		const dead = 2 ** 22 + 7;
		for (const left of [lock(dead), lock(process.pid), "", "{"]) {
			await writeFile(join(dir, "lock.1"), left);
			await execute(echo);
			expect(existsSync(join(dir, "lock.1"))).toBe(false);
			expect(existsSync(join(dir, "lock.2"))).toBe(false);
		}
	});
});

function isJson(text: string): boolean {
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
}
