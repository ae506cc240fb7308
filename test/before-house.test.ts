/** Corpora, benchmarks, runs and cached replies that an earlier program wrote: `test/fixtures/before-house`, never written anew. */
import { cpSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { buildKnowledge } from "#knowledge";
import { commandsOn } from "./support/commands.ts";

const played = "lands-tagged-20260101-000000-465c";
const walked = "lands-walker-20260101-000100-f6a5";
const imported = "harbours-ddb0f695";
/** Nobody listens there any more. */
const model = "openai:m@http://127.0.0.1:37379/v1";

let workspace: string;
const file = (...names: string[]) => join(workspace, ...names);
const linesOf = async (...names: string[]) =>
	(await readFile(file(...names), "utf8"))
		.trim()
		.split("\n")
		.map((line) => JSON.parse(line));

const command = commandsOn(() => workspace);
async function hopscope(...args: string[]) {
	const { code, err, json } = await command(...args, "--json");
	expect(code, `${args.join(" ")}: ${err}`).toBe(0);
	return json();
}

beforeAll(async () => {
	workspace = await mkdtemp(join(tmpdir(), "hopscope-before-"));
	cpSync(join(import.meta.dirname, "fixtures/before-house"), workspace, { recursive: true });
	vi.stubEnv("OPENAI_API_KEY", "none");
	// a knowledge base is too large to be kept here, and made anew of its corpus
	for (const name of ["lands", "harbours"]) await buildKnowledge(file("corpora", name), file("knowledge", name));
});
afterAll(async () => {
	vi.unstubAllEnvs();
	await rm(workspace, { recursive: true, force: true });
});

test("a benchmark opens: it holds the tasks and the evidence it held, and nothing is wrong with it", async () => {
	const { hash } = JSON.parse(await readFile(file("benchmarks/lands/benchmark.json"), "utf8"));
	const { benchmark, checks } = await hopscope(
		...["benchmark", "check", "lands", "--only", "graph", "answers", "media", "evidence-ids", "evidence-states"],
	);
	expect(benchmark).toEqual({ name: "lands", tasks: 10, hash });
	expect(checks.map(({ codes }: { codes: unknown[] }) => codes)).toEqual([[], [], [], [], []]);
	const [run] = (await hopscope("report", played)).runs;
	// the corpus of then makes the knowledge base of then
	expect(JSON.parse(await readFile(file("knowledge/lands/knowledge.json"), "utf8")).hash).toBe(run.knowledge.hash);
});

test("a run is reported with the scores and verdicts it had", async () => {
	const { runs } = await hopscope("report", played, walked, "--scoring", "hopscope");
	const [first] = runs.filter(({ id }: { id: string }) => id === played);
	expect(first).toMatchObject({ expected: 4, scored: 4, metrics: { accuracy: { value: 0.25 } } });
	expect(JSON.stringify(first.judges)).toContain("vistahop");
	const { pairs } = await hopscope("compare", played, walked);
	expect(pairs[0].metrics[0]).toMatchObject({ metric: "accuracy", expected: 4 });
});

test("a run is scored again as it was", async () => {
	for (const run of [played, walked, imported]) {
		const before = await linesOf("runs", run, "scores.jsonl");
		await hopscope("score", run);
		expect(await linesOf("runs", run, "scores.jsonl")).toEqual(before);
	}
});

test("a run is diagnosed as it was, with gold and without", async () => {
	const [findings, goldFree] = [
		await linesOf("runs", played, "findings.jsonl"),
		await linesOf("runs", played, "gold-free.jsonl"),
	];
	const byAnyVersion = (lines: object[]) => lines.map((line) => ({ ...line, diagnoser: "" }));
	await hopscope("diagnose", played);
	expect(byAnyVersion(await linesOf("runs", played, "findings.jsonl"))).toEqual(byAnyVersion(findings));
	await hopscope("diagnose", played, "--without-gold");
	expect(await linesOf("runs", played, "gold-free.jsonl")).toEqual(goldFree);
});

test("a judge has nothing to add to the verdicts that are there; labels are read", async () => {
	const before = await linesOf("runs", played, "verdicts.jsonl");
	await hopscope("judge", played, "--model", "rule");
	expect(await linesOf("runs", played, "verdicts.jsonl")).toEqual(before);
	await hopscope("judge", imported, "--model", "rule");
	expect(await hopscope("compare", imported, "--judges")).toMatchObject({ labelled: 4 });
});

test("an interrupted run resumes", async () => {
	for (const name of ["records.jsonl", "scores.jsonl"]) {
		const lines = await linesOf("runs", walked, name);
		await writeFile(
			file("runs", walked, name),
			lines
				.slice(1)
				.map((line) => `${JSON.stringify(line)}\n`)
				.join(""),
		);
	}
	expect(await hopscope("run", "--resume", walked)).toMatchObject({ run: walked, reason: "complete" });
	const tasks = (await linesOf("runs", walked, "records.jsonl")).map(({ task }) => task);
	expect(tasks.sort()).toEqual(["compared", "plain", "t1", "t4"]);
});

test("cached replies are found: the same run again asks nobody", async () => {
	const { run } = await hopscope("run", "-b", "lands", "-a", "tagged", "-m", model, "--tasks", "4", "--replay");
	const answers = async (id: string) =>
		Object.fromEntries(
			(await linesOf("runs", id, "records.jsonl")).map(({ task, trajectory }) => [task, trajectory.answer]),
		);
	expect(await answers(run)).toEqual(await answers(played));
});
