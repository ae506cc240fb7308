import { appendFileSync, cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { replyServer } from "#models";
import { atlasFixture } from "./atlas.ts";
import { hopscope, start, temporaryFolder } from "./command-line.ts";

const folder = temporaryFolder();
const workspace = join(folder, "workspace");

beforeAll(async () => {
	const atlas = await atlasFixture();
	cpSync(atlas.workspace.dir, workspace, {
		recursive: true,
		filter: (source) => !/[/\\](runs|reports)([/\\]|$)/.test(source),
	});
});

const command = (...args: string[]) => [...args, "--workspace", workspace];
const linesOf = (file: string) => readFileSync(file, "utf8").trim().split("\n");

describe("hopscope run", () => {
	test("stops cleanly on Ctrl-C with 130, and goes on without losing or repeating a finished task", async () => {
		const running = start(
			command("run", "-b", "atlas", "-a", "extractive", "--tasks", "80", "--concurrency", "1", "--json"),
		);
		const runs = join(workspace, "runs");
		const records = () => {
			try {
				const [run = ""] = readdirSync(runs);
				return join(runs, run, "records.jsonl");
			} catch {
				return "";
			}
		};
		for (let tries = 0; tries < 3000; tries += 1) {
			try {
				if (linesOf(records()).length >= 5) break;
			} catch {}
			await wait(10);
		}
		running.child.kill("SIGINT");
		const stopped = await running.ended;
		expect(stopped.code).toBe(130);
		const id = readdirSync(runs)[0] ?? "";
		expect(stopped.err).toContain(`hopscope run --resume ${id}`);
		const before = linesOf(records());
		expect(before.length).toBeLessThan(80);
		for (const line of before) JSON.parse(line);

		// the process dies in the middle of a record
		appendFileSync(records(), before[0]?.slice(0, 100) ?? "");
		const resumed = await hopscope(command("run", "--resume", id, "--json"));
		expect(resumed.code).toBe(0);
		expect(resumed.err).toMatch(/torn/);
		const after = linesOf(records()).map((line) => JSON.parse(line) as { task: string });
		expect(after.slice(0, before.length).map(({ task }) => task)).toEqual(
			before.map((line) => (JSON.parse(line) as { task: string }).task),
		);
		expect(new Set(after.map(({ task }) => task)).size).toBe(80);
		expect(after).toHaveLength(80);
	});

	test("refuses a benchmark with a cycle, naming the task and the remedy", async () => {
		const broken = join(folder, "broken");
		cpSync(join(workspace, "benchmarks", "atlas"), broken, { recursive: true });
		const file = join(broken, "tasks.jsonl");
		const [first = "", ...rest] = linesOf(file);
		const task = JSON.parse(first) as { id: string; chain: { hops: { id: string; needs: object[] }[] } };
		const [start, end] = [task.chain.hops[0], task.chain.hops.at(-1)];
		start?.needs.push({ hop: end?.id, role: "bridge" });
		writeFileSync(file, [JSON.stringify(task), ...rest, ""].join("\n"));
		const { code, err, out } = await hopscope(command("run", "-b", broken, "-a", "gold-replay"));
		expect({ code, out }).toEqual({ code: 2, out: "" });
		expect(err).toContain(task.id);
		expect(err).toMatch(/cycle/);
		expect(err.trim().split("\n")).toHaveLength(1);
	});
});

describe("what goes wrong in a run is said, not scored", () => {
	test("a provider that refuses every call: the cause, and exit code 1", async () => {
		const server = await replyServer(() => ({ is: "status", status: 401 }));
		try {
			const model = `openai:m@${server.url}`;
			const { code, err, out } = await hopscope(
				command("run", "-b", "atlas", "-a", "tagged", "-m", model, "--tasks", "3", "--json"),
			);
			expect(code).toBe(1);
			expect(err).toMatch(/3 ended with an error, all of them: .*401/);
			expect((JSON.parse(out) as { runs: { scored: number }[] }).runs[0]?.scored).toBe(0);
		} finally {
			await server.close();
		}
	});
	test("a benchmark over another knowledge base is refused", async () => {
		const source = join(folder, "other.txt");
		writeFileSync(source, "Something else altogether.");
		expect((await hopscope(command("index", source, "--name", "other"))).code).toBe(0);
		const { code, err } = await hopscope(command("run", "-b", "atlas", "-a", "extractive", "-n", "other"));
		expect(code).toBe(2);
		expect(err).toMatch(/evidence ids are missing/);
	});
	test("an import without a single task leaves the benchmark of that name alone", async () => {
		const file = join(folder, "nothing.json");
		writeFileSync(file, "[]");
		const { code, err } = await hopscope(command("import", "morehopqa", file, "--name", "atlas"));
		expect(code).toBe(1);
		expect(err.trim().split("\n")).toHaveLength(1);
		expect((await hopscope(command("run", "-b", "atlas", "-a", "closed-book", "--tasks", "1"))).code).toBe(0);
	});
});

describe("hopscope score", () => {
	test("scores predictions made elsewhere; what is missing is counted, what is unknown is named", async () => {
		const tasks = linesOf(join(workspace, "benchmarks", "atlas", "tasks.jsonl")).map(
			(line) => JSON.parse(line) as { id: string; answer: { value: string } },
		);
		const half = tasks.slice(0, 240);
		const file = join(folder, "predictions.jsonl");
		const rows = [
			...half.map(({ id, answer }) => ({ task: id, answer: answer.value })),
			{ task: "no-such-task", answer: "x" },
		];
		writeFileSync(file, rows.map((row) => JSON.stringify(row)).join("\n"));
		const { code, out, err } = await hopscope(command("score", file, "-b", "atlas", "--json"));
		expect(code).toBe(0);
		expect(err).toContain("no-such-task");
		const [run] = (
			JSON.parse(out) as {
				runs: { expected: number; scored: number; bounds: object; metrics: { accuracy: { value: number } } }[];
			}
		).runs;
		expect(run).toMatchObject({ expected: tasks.length, scored: 240, metrics: { accuracy: { value: 1 } } });
		expect(run?.bounds).toEqual({ low: 240 / tasks.length, high: 1 });
	});
});
