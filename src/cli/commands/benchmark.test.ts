import { existsSync } from "node:fs";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBenchmark } from "#benchmarks";
import { csvRows, sha256 } from "#store";
import { commandsOn, makeTowns } from "../../../test/support/commands.ts";

let workspace: string;
const hopscope = commandsOn(() => workspace);

beforeAll(async () => {
	workspace = await mkdtemp(join(tmpdir(), "hopscope-benchmark-command-"));
	await makeTowns(workspace, {
		towns: 12,
		more(n) {
			// the last two rest on one passage; the first asks for what it says
			const answer = { type: "string", value: `${n}00`, accepted: [`${n}00`] };
			const evidence = [`town#${n === 11 ? 10 : n}`];
			const hop = { id: "h1", modality: "text", needs: [], evidence, answer };
			return {
				...(n === 1 ? { question: "Which town has 100 inhabitants, 100 and no more?" } : {}),
				tags: { language: "en", size: n % 2 === 0 ? "even" : "odd" },
				chain: { hops: [{ ...hop, question: `How many inhabitants has Town ${n}?` }], sink: "h1" },
			};
		},
	});
});
afterAll(() => rm(workspace, { recursive: true, force: true }));

describe("hopscope benchmark check", () => {
	test("tells findings by check, writes them, and exits 1 on errors", async () => {
		const findings = join(workspace, "findings.jsonl");
		const { code, out, err } = await hopscope("benchmark", "check", "towns", "--findings", findings);
		expect(code, err).toBe(1);
		expect(out).toContain("towns: 12 tasks, 1 error, 1 warning");
		expect(out).toContain('task t1: the question says its answer ("100")');
		expect(out).toContain('no gold evidence of hop "h1" holds "1100"');
		expect(out).toContain("text hops whose evidence states the answer: 11 of 12 (91.7 %)");
		expect(out).toContain("hop-inflation: needs the records of a run: --run RUN");
		const written = (await readFile(findings, "utf8"))
			.trim()
			.split("\n")
			.map((line) => JSON.parse(line));
		expect(written.find(({ code: of }) => of === "answer-not-stated")).toMatchObject({
			task: "t11",
			severity: "warning",
		});
	});

	test("fails on what it is told to, and makes the checks named", async () => {
		const json = (...args: string[]) => hopscope("benchmark", "check", "towns", "--json", ...args);
		expect((await json("--fail-on", "never")).code).toBe(0);
		expect((await json("--only", "evidence-states")).code).toBe(0);
		expect((await json("--only", "evidence-states", "--fail-on", "warning")).code).toBe(1);
		const { checks, counts } = (await json("--only", "licences")).json();
		expect({ checks: checks.length, counts }).toEqual({ checks: 1, counts: { error: 0, warning: 0, note: 0 } });
		expect((await json("--only", "nothing")).json().error.remedy).toContain("evidence-states");
	});

	test("compares with files and benchmarks, and with a run", async () => {
		const file = join(workspace, "known.csv");
		await writeFile(file, "id,question,answer\nk1,How many inhabitants has Town 3?,300\n");
		const run = (await hopscope("run", "-b", "towns", "-a", "gold-replay", "--json")).json();
		const id = run.run ?? run.runs?.[0];
		const { json, err } = await hopscope(
			...["benchmark", "check", "towns", "--json", "--fail-on", "never", "--run", id, "--against", file, "towns"],
		);
		const report = json();
		expect(report.error, err).toBeUndefined();
		const known = report.findings.filter(({ check }: { check: string }) => check === "contamination");
		expect(known.find(({ task }: { task: string }) => task === "t3").message).toContain("with the same answer");
		expect(known.filter(({ code }: { code: string }) => code === "known-question")).toHaveLength(13);
		const { checks } = report;
		expect(checks.find(({ name }: { name: string }) => name === "hop-inflation").skipped).toBeUndefined();
		await writeFile(file, "id,name\n1,x\n");
		expect(await hopscope("benchmark", "check", "towns", "--against", file)).toMatchObject({ code: 2 });
	});

	test("tells everything wrong with a benchmark that cannot be opened", async () => {
		const broken = join(workspace, "broken");
		await cp(join(workspace, "benchmarks/towns"), broken, { recursive: true });
		const lines = (await readFile(join(broken, "tasks.jsonl"), "utf8")).trim().split("\n");
		await writeFile(join(broken, "tasks.jsonl"), `${[lines[0], lines[0], "{", ...lines.slice(1)].join("\n")}\n`);
		const { code, out } = await hopscope("benchmark", "check", broken, "--only", "graph");
		expect(code).toBe(1);
		expect(out).toContain("duplicate-task (error)");
		expect(out).toMatch(/bad-line.*line 3|line 3: /);
		expect((await hopscope("benchmark", "check", "nowhere")).code).toBe(2);
	});
});

test("hopscope benchmark stats: tables as text, data and files", async () => {
	const { out } = await hopscope("benchmark", "stats", "towns", "--as", "mc-search");
	expect(out).toMatch(/^tasks +12$/m);
	expect(out).toContain("MC-Search, Table 7");
	const { tables, benchmark } = (await hopscope("benchmark", "stats", "towns", "--json")).json();
	expect(benchmark).toMatchObject({ name: "towns", tasks: 12 });
	expect(tables.map(({ name }: { name: string }) => name)).toContain("tag-size");
	const folder = join(workspace, "tables");
	expect((await hopscope("benchmark", "stats", "towns", "--format", "csv", "--out", folder)).code).toBe(0);
	const [head, first] = [...csvRows(await readFile(join(folder, "hops.csv"), "utf8"), ",")];
	expect([head?.[1], first?.[1], first?.[2]]).toEqual(["hops", "1", "12"]);
	expect((await hopscope("benchmark", "stats", "towns", "--as", "nobody")).code).toBe(2);
});

describe("hopscope benchmark split", () => {
	test("writes a new benchmark, keeps what is linked together, and leaves the old one", async () => {
		const { json, err } = await hopscope("benchmark", "split", "towns", "--parts", "a=1,b=1", "--by", "size", "--json");
		const split = json();
		expect(split.benchmark, err).toBe("towns-split");
		expect(split.parts.map(({ tasks }: { tasks: number }) => tasks)).toEqual([6, 6]);
		const { tasks } = await openBenchmark(join(workspace, "benchmarks/towns-split"));
		const parts = new Map(tasks.map(({ id, tags }) => [id, tags.split]));
		expect(parts.get("t10")).toBe(parts.get("t11"));
		expect((await openBenchmark(join(workspace, "benchmarks/towns"))).tasks[0]?.tags.split).toBeUndefined();
		expect((await hopscope("benchmark", "split", "towns")).code).toBe(2);
		expect((await hopscope("benchmark", "split", "towns", "--force")).code).toBe(0);
	});

	test("can only say, and refuses parts that are none", async () => {
		const { code, out } = await hopscope("benchmark", "split", "towns", "--dry-run", "--to", "dry", "--link", "none");
		expect(code).toBe(0);
		expect(out).toContain("12 tasks in 12 groups");
		expect(existsSync(join(workspace, "benchmarks/dry"))).toBe(false);
		for (const parts of ["a", "a=0", "a=1,a=2"])
			expect((await hopscope("benchmark", "split", "towns", "--parts", parts)).code).toBe(2);
	});

	test("gives the same benchmark of a file whose tasks stand in another order", async () => {
		const turned = join(workspace, "benchmarks/turned");
		await cp(join(workspace, "benchmarks/towns"), turned, { recursive: true });
		const lines = (await readFile(join(turned, "tasks.jsonl"), "utf8")).trim().split("\n").reverse();
		const text = lines.map((line) => `${line}\n`).join("");
		await writeFile(join(turned, "tasks.jsonl"), text);
		const manifest = JSON.parse(await readFile(join(turned, "benchmark.json"), "utf8"));
		await writeFile(join(turned, "benchmark.json"), JSON.stringify({ ...manifest, hash: sha256(text) }));
		const splitOf = async (name: string) => {
			const { code, err } = await hopscope("benchmark", "split", name, "--by", "size", "--to", `${name}-parts`);
			expect(code, err).toBe(0);
			return readFile(join(workspace, `benchmarks/${name}-parts/tasks.jsonl`), "utf8");
		};
		expect(await splitOf("turned")).toBe(await splitOf("towns"));
	});
});

test("hopscope benchmark diff: tasks by part, and why evidence was not compared", async () => {
	await hopscope("benchmark", "split", "towns", "--to", "towns-v2");
	const { out } = await hopscope("benchmark", "diff", "towns", "towns-v2", "--show", "1");
	expect(out).toContain("12 → 12 tasks: 0 same, 12 changed, 0 added, 0 removed");
	expect(out).toContain("changed: tags 12");
	expect(out).toContain("gold evidence was not compared: both rest on the same corpus");
	const same = (await hopscope("benchmark", "diff", "towns", "towns", "--json")).json();
	expect(same).toMatchObject({ tasks: { same: 12 }, changed: [], evidence: null });
});

describe("some of a benchmark's tasks", () => {
	const parted = "towns-parted";
	const list = () => join(workspace, "list.txt");

	test("run, and everything that looks at a run, take those of a split or of a list", async () => {
		expect((await hopscope("benchmark", "split", "towns", "--parts", "a=1,b=2", "--to", parted)).code).toBe(0);
		const { tasks } = await openBenchmark(join(workspace, "benchmarks", parted));
		const ofB = tasks.filter(({ tags }) => tags.split === "b").map(({ id }) => id);
		expect(ofB.length).toBeGreaterThan(3);
		const run = ["run", "-b", parted, "-a", "extractive"];
		for (const [name, ...choice] of [["whole"], ["second", "--split", "b"]])
			expect((await hopscope(...run, "--name", name ?? "", ...choice)).code, name).toBe(0);
		const planned = JSON.parse(await readFile(join(workspace, "runs/second/run.json"), "utf8"));
		expect([...planned.tasks].sort()).toEqual([...ofB].sort());
		const suite = join(workspace, "some.yaml");
		await writeFile(suite, `runs: [{ benchmark: ${parted}, agent: extractive, split: [a, b] }]`);
		const plans = (await hopscope("run", suite, "--dry-run", "--json")).json().plan;
		expect(plans.map(({ total }: { total: number }) => total)).toEqual([tasks.length - ofB.length, ofB.length]);
		// the whole run narrowed afterwards says what the run of the split says
		const figures = async (name: string, ...choice: string[]) =>
			(await hopscope("report", name, "--json", ...choice)).json().runs[0].summary;
		expect(await figures("whole", "--split", "b")).toEqual(await figures("second"));
		const [first = "", second = ""] = ofB;
		await writeFile(list(), `${first}\n\n${JSON.stringify({ task: second, repeat: 0 })}\n`);
		for (const [command, ...more] of [["diagnose"], ["reward"], ["judge", "-m", "rule"], ["compare", "second"]]) {
			const { code, err, out } = await hopscope(command ?? "", "whole", ...more, "--task-list", list(), "--json");
			expect(code, `${command} ${err} ${out}`).toBe(0);
		}
		const { json } = await hopscope("diagnose", "whole", "--json", "--task-list", list());
		expect(json().summary.recorded).toBe(2);
		expect(existsSync(join(workspace, "runs/whole/findings.jsonl"))).toBe(false);
		const verdicts = (await readFile(join(workspace, "runs/whole/verdicts.jsonl"), "utf8")).trim().split("\n");
		expect(new Set(verdicts.map((line) => JSON.parse(line).task))).toEqual(new Set([first, second]));
	});

	test("subset makes a benchmark of them", async () => {
		const { json, code, err } = await hopscope("benchmark", "subset", parted, "--split", "a", "--json");
		expect(code, err).toBe(0);
		const { tasks } = await openBenchmark(join(workspace, "benchmarks", `${parted}-a`));
		expect(tasks.length).toBe(json().tasks);
		expect(new Set(tasks.map(({ tags }) => tags.split))).toEqual(new Set(["a"]));
		expect((await hopscope("benchmark", "subset", parted)).code).toBe(2);
	});

	test("names what is not there", async () => {
		const refused = async (...choice: string[]) => {
			const { code, err } = await hopscope("run", "-b", parted, "-a", "extractive", "--dry-run", ...choice);
			return [code, err] as const;
		};
		expect(await refused("--split", "c")).toEqual([2, expect.stringContaining("It has a, b") as string]);
		await writeFile(list(), "nobody\n");
		expect(await refused("--task-list", list())).toEqual([2, expect.stringContaining('"nobody"') as string]);
		await writeFile(list(), '{"name":"x"}\n');
		expect(await refused("--task-list", list())).toEqual([2, expect.stringContaining("line 1") as string]);
		expect((await refused("--task-list", join(workspace, "none.txt")))[0]).toBe(2);
	});
});
