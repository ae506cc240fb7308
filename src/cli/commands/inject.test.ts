import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inventedWorld } from "#agents";
import { writeBenchmark } from "#benchmarks";
import { createCorpus } from "#corpus";
import { buildKnowledge } from "#knowledge";
import { commandsOn } from "../testing.ts";

let workspace: string;

beforeAll(async () => {
	workspace = await mkdtemp(join(tmpdir(), "hopscope-inject-"));
	const { evidence, tasks } = inventedWorld(12);
	const from = { name: "lands", licence: "CC0-1.0", sources: [] };
	const corpus = await createCorpus(join(workspace, "corpora/lands"), from);
	for (const item of evidence) if (item.kind === "passage") corpus.add(item);
	await corpus.finish();
	await buildKnowledge(join(workspace, "corpora/lands"), join(workspace, "knowledge/lands"));
	const about = { ...from, title: "Lands", description: "Invented lands.", knowledge: "lands" };
	const worded = tasks.filter(({ images }) => images.length === 0);
	await writeBenchmark(join(workspace, "benchmarks/lands"), { manifest: about, tasks: worded, card: "# Lands" });
	const bare = worded.slice(0, 2).map(({ chain: _chain, ...task }) => task);
	await writeBenchmark(join(workspace, "benchmarks/bare"), {
		manifest: { ...about, name: "bare" },
		tasks: bare,
		card: "#",
	});
});
afterAll(() => rm(workspace, { recursive: true, force: true }));

const hopscope = commandsOn(() => workspace);

test("injects, diagnoses and budgets; the same again shows the same and runs nothing", async () => {
	const args = ["inject", "-b", "lands", "--faults", "misread,stop-early", "--share", "0.5", "--budget"];
	const { code, json } = await hopscope(...args, "--json");
	expect(code).toBe(0);
	const told = json();
	expect(told.sound).toMatchObject({ tasks: 24, right: 24, clean: 24 });
	expect(told.runs.map(({ agent }: { agent: string }) => agent)).toEqual([
		"walker with misread",
		"walker with stop-early",
		"walker with misread and stop-early",
	]);
	for (const { id, counts } of told.runs) {
		const log = await readFile(join(workspace, "runs", id, "injected.jsonl"), "utf8");
		const lines = log
			.trim()
			.split("\n")
			.map((line) => JSON.parse(line));
		expect(lines).toHaveLength(24);
		expect(lines.filter(({ injected }) => injected.is === "struck")).toHaveLength(counts.struck);
		expect(counts.struck).toBeGreaterThan(3);
		const records = await readFile(join(workspace, "runs", id, "records.jsonl"), "utf8");
		expect(records).not.toMatch(/misread|stop-early/);
	}
	const rows = told.clean.rows.map(({ truth, records }: { truth: string; records: number }) => [truth, records]);
	expect(rows).toEqual([
		["stop-early", told.runs[1].counts.struck],
		["misread", told.runs[0].counts.struck],
		["nothing", 24],
	]);
	const found = told.runs.map(({ budget }: { budget: { parts: { part: string; found: { count: number } }[] } }) =>
		budget.parts.filter((part) => part.found.count > 0).map(({ part }) => part),
	);
	expect(found).toEqual([["reading"], ["planning"], ["planning", "reading"]]);

	const again = await hopscope(...args, "--format", "md");
	expect(again.out).toContain("Injected against found");
	expect(again.out).toContain("Error budget against what was injected");
	expect(again.err).not.toMatch(/\d+\/s/);
	expect((await hopscope(...args, "--json")).json()).toEqual(told);
});

test("another seed strikes other tasks; a log that lacks records is refused", async () => {
	const args = ["inject", "-b", "lands", "--faults", "over-search", "--tasks", "10", "--json", "--seed"];
	const struck = async (seed: string) => {
		const [run] = (await hopscope(...args, seed)).json().runs;
		return { run: run.id, log: await readFile(join(workspace, "runs", run.id, "injected.jsonl"), "utf8") };
	};
	const one = await struck("1");
	expect((await struck("2")).log).not.toBe(one.log);
	await writeFile(join(workspace, "runs", one.run, "injected.jsonl"), one.log.split("\n").slice(1).join("\n"));
	const { code, json } = await hopscope(...args, "1");
	expect([code, json().error.code]).toEqual([1, "injected-log-incomplete"]);
});

test("refuses what makes no sense", async () => {
	const unknown = await hopscope("inject", "-b", "lands", "--faults", "sabotage");
	expect([unknown.code, unknown.err]).toEqual([2, expect.stringContaining("broken-retriever")]);
	const bare = await hopscope("inject", "-b", "bare", "--json");
	expect([bare.code, bare.json().error.code]).toEqual([2, "no-chains"]);
	expect((await hopscope("inject", "-b", "lands", "--share", "2")).code).toBe(2);
});
