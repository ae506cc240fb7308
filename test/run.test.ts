import { appendFileSync, cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { replyServer } from "#models";
import { hopscope, start, temporaryFolder } from "./command-line.ts";
import { longTest } from "./long.ts";
import { makeSmallWorld } from "./small-world.ts";
import { commandsOn } from "./support/commands.ts";

const folder = temporaryFolder();
const workspace = join(folder, "workspace");
const inProcess = commandsOn(() => workspace);
/** Tasks of the benchmark: four of each country. */
const tasks = 32;

beforeAll(() => makeSmallWorld(workspace, { countries: tasks / 4 }));

const linesOf = (file: string) => readFileSync(file, "utf8").trim().split("\n");

describe("hopscope run", () => {
	longTest("stops cleanly on Ctrl-C with 130, and resumes without losing or repeating a finished task", async () => {
		// the sixth question is left unanswered, so that the run is in the midst of its work whenever it is stopped
		let answer = () => {};
		const answered = new Promise<void>((resolve) => {
			answer = resolve;
		});
		const server = await replyServer(async (_, n) => {
			if (n >= 5) await answered;
			return "Somewhere.";
		});
		const command = (...args: string[]) => [...args, "--json", "--workspace", workspace];
		const records = (id: string) => join(workspace, "runs", id, "records.jsonl");
		try {
			const model = `openai:m@${server.url}`;
			const running = start(command("run", "-b", "lands", "-a", "closed-book", "-m", model, "--concurrency", "1"));
			while (server.requests.length < 6 && running.child.exitCode === null) await wait(10);
			running.child.kill("SIGINT");
			const stopped = await running.ended;
			expect(stopped.code, stopped.err).toBe(130);
			const [id = ""] = readdirSync(join(workspace, "runs"));
			expect(stopped.err).toContain(`hopscope run --resume ${id}`);
			const before = linesOf(records(id));
			expect(before).toHaveLength(5);
			for (const line of before) JSON.parse(line);

			// the process dies in the middle of a record
			appendFileSync(records(id), before[0]?.slice(0, 100) ?? "");
			answer();
			const resumed = await hopscope(command("run", "--resume", id));
			expect(resumed.code, resumed.err).toBe(0);
			expect(resumed.err).toMatch(/torn/);
			const after = linesOf(records(id)).map((line) => JSON.parse(line) as { task: string });
			expect(after.slice(0, before.length).map(({ task }) => task)).toEqual(
				before.map((line) => (JSON.parse(line) as { task: string }).task),
			);
			expect(new Set(after.map(({ task }) => task)).size).toBe(tasks);
			expect(after).toHaveLength(tasks);
		} finally {
			answer();
			await server.close();
		}
	});

	test("refuses a benchmark with a cycle, naming the task and the remedy", async () => {
		const broken = join(folder, "broken");
		cpSync(join(workspace, "benchmarks", "lands"), broken, { recursive: true });
		const file = join(broken, "tasks.jsonl");
		const rows = linesOf(file);
		// a task of several hops
		const at = rows.findIndex((line) => line.includes('"founder-0"'));
		const task = JSON.parse(rows[at] ?? "") as { id: string; chain: { hops: { id: string; needs: object[] }[] } };
		const [start, end] = [task.chain.hops[0], task.chain.hops.at(-1)];
		start?.needs.push({ hop: end?.id, role: "bridge" });
		rows[at] = JSON.stringify(task);
		writeFileSync(file, [...rows, ""].join("\n"));
		const { code, err, out } = await inProcess("run", "-b", broken, "-a", "gold-replay");
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
			const { code, err, out } = await inProcess(
				...["run", "-b", "lands", "-a", "tagged", "-m", model, "--tasks", "3", "--json"],
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
		expect((await inProcess("index", source, "--name", "other")).code).toBe(0);
		const { code, err } = await inProcess("run", "-b", "lands", "-a", "extractive", "-n", "other");
		expect(code).toBe(2);
		expect(err).toMatch(/evidence ids are missing/);
	});
	test("an import without a single task leaves the benchmark of that name alone", async () => {
		const file = join(folder, "nothing.json");
		writeFileSync(file, "[]");
		const { code, err } = await inProcess("import", "morehopqa", file, "--name", "lands");
		expect(code).toBe(1);
		expect(err.trim().split("\n")).toHaveLength(1);
		expect((await inProcess("run", "-b", "lands", "-a", "closed-book", "--tasks", "1")).code).toBe(0);
	});
});

describe("hopscope score", () => {
	test("scores predictions made elsewhere; what is missing is counted, what is unknown is named", async () => {
		const all = linesOf(join(workspace, "benchmarks", "lands", "tasks.jsonl")).map(
			(line) => JSON.parse(line) as { id: string; answer: { value: string } },
		);
		const half = all.slice(0, tasks / 2);
		const file = join(folder, "predictions.jsonl");
		const rows = [
			...half.map(({ id, answer }) => ({ task: id, answer: answer.value })),
			{ task: "no-such-task", answer: "x" },
		];
		writeFileSync(file, rows.map((row) => JSON.stringify(row)).join("\n"));
		const { code, out, err } = await inProcess("score", file, "-b", "lands", "--json");
		expect(code).toBe(0);
		expect(err).toContain("no-such-task");
		const [run] = (
			JSON.parse(out) as {
				runs: { expected: number; scored: number; bounds: object; metrics: { accuracy: { value: number } } }[];
			}
		).runs;
		expect(run).toMatchObject({ expected: tasks, scored: tasks / 2, metrics: { accuracy: { value: 1 } } });
		expect(run?.bounds).toEqual({ low: 0.5, high: 1 });
	});
});
