import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeBenchmark } from "#benchmarks";
import { createCorpus } from "#corpus";
import { buildKnowledge } from "#knowledge";
import { longTest } from "../../../test/long.ts";
import { inventedWorld } from "../../../test/support/agents/invented-world.ts";
import { commandsOn } from "../../../test/support/commands.ts";

let workspace: string;

beforeAll(async () => {
	workspace = await mkdtemp(join(tmpdir(), "hopscope-inject-"));
	const { evidence, tasks } = inventedWorld(8);
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

longTest("injects, diagnoses and budgets; the same again shows the same and runs nothing", async () => {
	const args = ["inject", "-b", "lands", "--faults", "misread,stop-early", "--share", "0.5", "--budget", "--seed", "0"];
	const { code, json } = await hopscope(...args, "--json");
	expect(code).toBe(0);
	const told = json();
	expect(told.sound).toMatchObject({ tasks: 16, right: 16, clean: 16 });
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
		expect(lines).toHaveLength(16);
		expect(lines.filter(({ injected }) => injected.is === "struck")).toHaveLength(counts.struck);
		expect(counts.struck).toBeGreaterThan(3);
		const records = await readFile(join(workspace, "runs", id, "records.jsonl"), "utf8");
		expect(records).not.toMatch(/misread|stop-early/);
	}
	const rows = told.clean.rows.map(({ truth, records }: { truth: string; records: number }) => [truth, records]);
	expect(rows).toEqual([
		["stop-early", told.runs[1].counts.struck],
		["misread", told.runs[0].counts.struck],
		["nothing", 16],
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

longTest("another seed strikes other tasks; a log that lacks records is refused", async () => {
	const args = ["inject", "-b", "lands", "--faults", "over-search", "--tasks", "10", "--budget", "--json", "--seed"];
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

const records = ["inject", "-b", "lands", "--faults", "misread,stop-early,none", "--queries", "verbatim,keyword"];

longTest("injected records: the diagnosis against the truth, the same again without a search", async () => {
	const args = [...records, "--records", "4", "--shown", "bare,stated"];
	const { code, json, err } = await hopscope(...args, "--json");
	expect(code).toBe(0);
	expect(err).toContain("lands, cells: 12/12");
	const told = json();
	expect(told).toMatchObject({ benchmark: "lands", seed: 1, records: 48 });
	expect(told.cells).toHaveLength(12);
	for (const { struck } of told.cells) expect(struck).toBe(4);
	expect(told.views.map(({ name }: { name: string }) => name)).toEqual([
		"attribution",
		"attribution-faults",
		"attribution-styles",
		"attribution-baselines",
		"attribution-unobserved",
		"attribution-mistakes",
	]);
	const again = await hopscope(...args, "--json");
	expect(again.json()).toEqual(told);
	expect(again.err).not.toContain("cells");
	expect((await hopscope(...args, "--format", "md")).out).toContain("Attribution by fault and wording");
});

test("an export is of the Atlas alone", async () => {
	const { code, json } = await hopscope(...records, "--records", "1", "--export", join(workspace, "out"), "--json");
	expect([code, json().error.code]).toEqual([2, "not-to-be-exported"]);
});

longTest("exports the same bytes again, and scores predictions against them", async () => {
	const own = join(workspace, "benchmarks/lands/tasks.jsonl");
	const tasks = (await readFile(own, "utf8")).trim().split("\n");
	await writeBenchmark(join(workspace, "benchmarks/atlas"), {
		manifest: {
			...{
				name: "atlas",
				licence: "ODbL-1.0",
				sources: [],
				title: "Atlas",
				description: "A stand-in.",
				knowledge: "lands",
			},
		},
		tasks: tasks.map((line) => ({ ...JSON.parse(line), source: "Atlas" })),
		card: "# Atlas",
	});
	const out = (name: string) => join(workspace, "exports", name);
	const args = ["inject", "-b", "atlas", "--faults", "misread,none", "--queries", "keyword", "--records", "3"];
	for (const name of ["one", "two"]) {
		expect((await hopscope(...args, "--export", out(name), "--json")).code).toBe(0);
		await rm(join(workspace, "cache/injected"), { recursive: true, force: true });
	}
	for (const file of ["tasks.jsonl", "records.jsonl", "truth.jsonl", "injected.json"])
		expect(await readFile(join(out("two"), file), "utf8")).toBe(await readFile(join(out("one"), file), "utf8"));
	const truths = (await readFile(join(out("one"), "truth.jsonl"), "utf8")).trim().split("\n");
	const predictions = truths.map((line) => {
		const { task, repeat, hop, expected } = JSON.parse(line);
		return JSON.stringify({ task, repeat, hop, kind: expected[0] ?? null });
	});
	const file = join(workspace, "predictions.jsonl");
	await writeFile(file, `${predictions.join("\n")}\n`);
	const { code, json } = await hopscope("inject", "--score", file, "--truth", out("one"), "--json");
	expect(code).toBe(0);
	expect(json()).toMatchObject({ records: truths.length, predicted: truths.length });
	for (const { cells } of json().views[0].rows) expect(cells.right.measured.value).toBe(1);
	await writeFile(file, '{"task":"nobody","repeat":0}\n');
	const stray = await hopscope("inject", "--score", file, "--truth", out("one"), "--json");
	expect([stray.code, stray.json().error.code]).toEqual([2, "unknown-record"]);
});

test("refuses what makes no sense", async () => {
	const unknown = await hopscope("inject", "-b", "lands", "--faults", "sabotage");
	expect([unknown.code, unknown.err]).toEqual([2, expect.stringContaining("broken-retriever")]);
	const bare = await hopscope("inject", "-b", "bare", "--json");
	expect([bare.code, bare.json().error.code]).toEqual([2, "no-chains"]);
	expect((await hopscope("inject", "-b", "lands", "--share", "2")).code).toBe(2);
	expect((await hopscope("inject", "-b", "lands", "--shown", "nothing")).code).toBe(2);
	for (const args of [["inject"], ["inject", "--score", "predictions.jsonl"]]) {
		const lacking = await hopscope(...args, "--json");
		expect([lacking.code, lacking.json().error.code]).toEqual([2, "missing-option"]);
	}
});
