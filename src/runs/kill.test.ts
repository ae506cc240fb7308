import { spawn } from "node:child_process";
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import ts from "typescript";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Benchmark } from "#benchmarks";
import type { RunRecord } from "#domain";
import { executeRun, openRun, planRun, type RunEvent } from "#runs";
import { longTest } from "../../test/long.ts";
import { emptyKnowledge, slowAgent, tinyBenchmark } from "../../test/support/runs.ts";

/*
 * A run is killed (SIGKILL, which nothing can catch) by the process that watches it, and then resumed: once in the
 * midst of its work, in the long tests at many moments. The killed process is the built one.
 */

const tasks = 30;
const taskMs = 15;

let root: string;
let benchmark: Benchmark;
beforeAll(async () => {
	root = await mkdtemp(join(tmpdir(), "hopscope-kill-"));
	benchmark = await tinyBenchmark(root, tasks);
	await writePrograms(join(root, "code"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** The program that is killed: it runs or resumes a run and says each event as soon as it is told. */
const program = `
import { openBenchmark } from "#benchmarks";
import { executeRun, planRun } from "#runs";
import { emptyKnowledge, slowAgent } from "./testing.js";
const [root, dir, taskMs] = process.argv.slice(2);
const benchmark = await openBenchmark(root + "/benchmark");
const knowledge = emptyKnowledge(root);
const agent = slowAgent(Number(taskMs));
const manifest = planRun({ agent, setting: { name: "default", k: 3 }, benchmark, knowledge });
try {
	for await (const event of executeRun({ dir, manifest, agent, benchmark, knowledge, concurrency: 4 }))
		process.stdout.write(JSON.stringify(event) + "\\n");
} catch (error) {
	process.stdout.write(JSON.stringify({ event: "refused", code: error.code }) + "\\n");
}
`;

/** The program that is killed while it keeps answers made elsewhere. */
const imports = `
import { openBenchmark } from "#benchmarks";
import { keepImported, recordsFrom } from "#runs";
const [root, file, dir] = process.argv.slice(2);
const benchmark = await openBenchmark(root + "/benchmark");
const run = await recordsFrom(file, benchmark);
run.manifest.knowledge.folder = root;
process.stdout.write("read");
await keepImported(dir, run, benchmark);
`;

/** The programs beside the build, in a package of their own, with the agent and the knowledge base of tests. */
async function writePrograms(target: string): Promise<void> {
	await mkdir(target);
	const { outputText } = ts.transpileModule(await readFile("test/support/runs.ts", "utf8"), {
		compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext, verbatimModuleSyntax: true },
	});
	await writeFile(join(target, "testing.js"), outputText);
	await writeFile(join(target, "package.json"), await readFile("package.json"));
	await symlink(resolve("node_modules"), join(target, "node_modules"));
	await symlink(resolve("dist-rooms"), join(target, "dist-rooms"));
	await writeFile(join(target, "program.mjs"), program);
	await writeFile(join(target, "imports.mjs"), imports);
}

function start(dir: string, ms: number) {
	return spawn(process.execPath, ["program.mjs", root, dir, String(ms)], {
		cwd: join(root, "code"),
		stdio: ["ignore", "pipe", "inherit"],
	});
}

/** Kills the program some milliseconds after its run began, or as soon as it told so many tasks to be done. */
type Moment = { after: number } | { told: number };

/** Runs the program and kills it; gives the tasks it had told to be done. */
async function killed(
	dir: string,
	moment: Moment,
	ms = taskMs,
): Promise<{ told: string[]; exit: NodeJS.Signals | number | null }> {
	const child = start(dir, ms);
	let said = "";
	const done = () => said.split('"task-end"').length - 1;
	child.stdout.on("data", (chunk) => {
		if (said === "" && "after" in moment) setTimeout(() => child.kill("SIGKILL"), moment.after);
		said += chunk;
		if ("told" in moment && done() >= moment.told) child.kill("SIGKILL");
	});
	const exit = await new Promise<NodeJS.Signals | number | null>((done) => {
		child.on("close", (code, signal) => done(signal ?? code));
	});
	const events = said
		.split("\n")
		.slice(0, -1)
		.map((line) => JSON.parse(line) as RunEvent);
	return { told: events.flatMap((event) => (event.event === "task-end" ? [event.task] : [])), exit };
}

/** Runs or resumes a run in this process; gives the tasks that were asked. */
async function resume(dir: string): Promise<string[]> {
	const asked: string[] = [];
	const agent = slowAgent(0, (task) => asked.push(task));
	const knowledge = emptyKnowledge(root);
	const manifest = planRun({ agent, setting: { name: "default", k: 3 }, benchmark, knowledge });
	for await (const _ of executeRun({ dir, manifest, agent, benchmark, knowledge }));
	return asked;
}

/** Resumes a run whose process died having told these tasks to be done: none is lost, and none is asked again. */
async function survives(dir: string, told: readonly string[], context: string): Promise<void> {
	const before = (await openRun(dir)).records;
	const finished = new Set(before.map((record) => record.task));
	expect(
		told.filter((task) => !finished.has(task)),
		`lost: ${context}`,
	).toEqual([]);
	const asked = await resume(dir);
	expect(
		asked.filter((task) => finished.has(task)),
		`repeated: ${context}`,
	).toEqual([]);
	expect(asked.length + finished.size, context).toBe(tasks);

	const lines = (await readFile(join(dir, "records.jsonl"), "utf8")).trim().split("\n");
	const records = lines.map((line) => JSON.parse(line) as RunRecord);
	expect(records.map((record) => record.task).sort(), context).toEqual(benchmark.tasks.map((task) => task.id));
	expect((await openRun(dir)).warnings, context).toEqual([]);
}

longTest("killed in the midst of its work, a run loses and repeats no finished task", async () => {
	const dir = join(root, "runs", "midst");
	// slow enough that much is left to do when it is killed
	const { told, exit } = await killed(dir, { told: 6 }, 300);
	expect(exit).toBe("SIGKILL");
	expect(told.length).toBeGreaterThanOrEqual(6);
	await survives(dir, told, `${told.length} tasks told`);
});

test("cut anywhere, as by a crash, a run resumes from its last whole record", async () => {
	const whole = join(root, "runs", "whole");
	await resume(whole);
	const manifest = await readFile(join(whole, "run.json"));
	const bytes = await readFile(join(whole, "records.jsonl"));
	const end = bytes.indexOf("\n");
	// within a record, and around the ends of two; that every byte is sound is tested on the store's appender
	const cuts = [0, 1, end - 1, end, end + 1, end + 2, Math.floor(bytes.length / 2), bytes.length - 2, bytes.length - 1];
	for (const cut of cuts) {
		const dir = join(root, "runs", `cut-${cut}`);
		await mkdir(dir);
		await writeFile(join(dir, "run.json"), manifest);
		await appendFile(join(dir, "records.jsonl"), bytes.subarray(0, cut));
		const before = bytes.subarray(0, cut).toString().split("\n").slice(0, -1);
		const told = before.map((line) => (JSON.parse(line) as RunRecord).task);
		await survives(dir, told, `cut at byte ${cut}`);
	}
});

longTest("killed at any moment, a run loses and repeats no finished task", async () => {
	const moments = 20;
	const ends: unknown[] = [];
	// three at a time keeps two cores busy while each process starts
	const queue = Array.from({ length: moments }, (_, moment) => moment);
	const watch = async () => {
		for (let moment = queue.shift(); moment !== undefined; moment = queue.shift()) {
			const dir = join(root, "runs", `run-${moment}`);
			// a run takes about tasks * taskMs / 4 milliseconds: the moments lie all over it, the first at its beginning
			const after = (moment / moments) * ((tasks * taskMs) / 4);
			const { told, exit } = await killed(dir, { after });
			const context = `killed after ${after.toFixed(1)} ms, ${told.length} tasks told`;
			if (exit !== "SIGKILL") expect(exit, context).toBe(0);
			await survives(dir, told, context);
			ends.push(exit);
		}
	};
	await Promise.all([watch(), watch(), watch()]);
	expect(ends).toHaveLength(moments);
	expect(ends).toContain("SIGKILL");
});

longTest("of two processes on one run, only one resumes it, also over the lock of a killed one", async () => {
	const dir = join(root, "runs", "contended");
	await killed(dir, { after: 1 });
	expect((await readdir(dir)).filter((name) => name.startsWith("lock."))).toHaveLength(1);
	// so slow that neither ends before the other has begun
	const children = [start(dir, 2000), start(dir, 2000)];
	const first = await Promise.all(
		children.map(async (child) => {
			const chunk = await new Promise<Buffer>((said) => child.stdout.once("data", said));
			const [line = ""] = chunk.toString().split("\n");
			return JSON.parse(line) as { event: string; code?: string };
		}),
	);
	for (const child of children) child.kill("SIGKILL");
	expect(first.map(({ event }) => event).sort()).toEqual(["refused", "run-start"]);
	expect(first.find(({ event }) => event === "refused")?.code).toBe("folder-in-use");
});

longTest("killed while it keeps answers made elsewhere, no half of a run is left", async () => {
	const file = join(root, "elsewhere.jsonl");
	const rows = benchmark.tasks.flatMap(({ id }) =>
		Array.from({ length: 200 }, (_, repeat) => ({ task: id, repeat, prediction: `${repeat} `.repeat(50) })),
	);
	await writeFile(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
	const dir = join(root, "kept", "elsewhere");
	const keep = (after?: number) =>
		new Promise<NodeJS.Signals | number | null>((done) => {
			const child = spawn(process.execPath, ["imports.mjs", root, file, dir], {
				cwd: join(root, "code"),
				stdio: ["ignore", "pipe", "inherit"],
			});
			if (after !== undefined) child.stdout.once("data", () => setTimeout(() => child.kill("SIGKILL"), after));
			child.on("close", (code, signal) => done(signal ?? code));
		});
	const ends: unknown[] = [];
	for (const after of [0, 20, 60]) {
		ends.push(await keep(after));
		const there = await readdir(dir).catch(() => undefined);
		if (there === undefined) continue;
		const { records, manifest, warnings } = await openRun(dir);
		expect([records.length, manifest.repeats, warnings]).toEqual([rows.length, 200, []]);
		expect(there.sort()).toEqual(["records.jsonl", "run.json", "scores.jsonl"]);
	}
	expect(ends).toContain("SIGKILL");
	expect(await keep()).toBe(0);
	expect((await openRun(dir)).records).toHaveLength(rows.length);
	expect(await readdir(join(root, "kept"))).toEqual(["elsewhere"]);
});
