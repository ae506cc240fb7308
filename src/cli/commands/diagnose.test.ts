import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeBenchmark } from "#benchmarks";
import { createCorpus } from "#corpus";
import { Diagnosis, GoldFreeLine, noUsage, RunManifest, type RunRecord, type Step, Task } from "#domain";
import { buildKnowledge, openKnowledge } from "#knowledge";
import { sha256, writeJson, writeJsonl } from "#store";
import { longTest } from "../../../test/long.ts";
import { commandsOn } from "../../../test/support/commands.ts";
import { exported } from "../../../test/support/studio-export.ts";

let workspace: string;
const hopscope = commandsOn(() => workspace);
const names = ["Avaria", "Belmont", "Corvia", "Delmar", "Estony", "Farland"];

const text = (value: string) => ({ type: "string" as const, value, accepted: [value] });

/** In which country is the capital, and who rules there: two hops each. */
const taskOf = (name: string, at: number) =>
	Task.parse({
		id: `t${at}`,
		question: `Who rules the country whose capital is Port ${name}?`,
		answer: text(`Queen ${name}ia`),
		chain: {
			sink: "h2",
			hops: [
				{
					...{ id: "h1", question: `Which country has the capital Port ${name}?`, modality: "text" },
					...{ evidence: [`${name}#capital`], answer: text(name) },
				},
				{
					...{
						id: "h2",
						question: `Who is the monarch of ${name}?`,
						modality: "text",
						needs: [{ hop: "h1", role: "bridge" }],
					},
					// of the last one no evidence is in the knowledge base
					...{ evidence: [at === 5 ? "nowhere" : `${name}#ruler`], answer: text(`Queen ${name}ia`) },
				},
			],
		},
	});
const tasks = [
	...names.map(taskOf),
	Task.parse({ id: "plain", question: "What is a port?", answer: text("a harbour") }),
];

const search = (index: number, query: string, ids: string[], subAnswer?: string): Step => ({
	...{ index, subQuestion: query, call: { tool: "text_search", arguments: { query, k: 2 }, valid: true }, ms: 1 },
	results: ids.map((id, place) => ({ id, score: 1, rank: place + 1 })),
	...(subAnswer === undefined ? {} : { subAnswer }),
});

const recordOf = (task: string, steps: Step[], answer: string): RunRecord => ({
	...{ version: 1, task, repeat: 0, attempt: 0, at: "2026-01-01T00:00:00.000Z" },
	trajectory: { steps, answer, abstained: false, stop: "answered", usage: noUsage, ms: 1, messages: [] },
});

const first = (name: string) => search(0, `Which country has the capital Port ${name}?`, [`${name}#capital`], name);
const second = (name: string, ids: string[], read: string, query = `Who is the monarch of ${name}?`) =>
	search(1, query, ids, read);

beforeAll(async () => {
	workspace = await mkdtemp(join(tmpdir(), "hopscope-diagnose-"));
	const corpus = await createCorpus(join(workspace, "corpora/lands"), {
		name: "lands",
		licence: "CC0-1.0",
		sources: [],
	});
	const passage = (id: string, title: string, content: string) =>
		corpus.add({
			...{ kind: "passage", id, document: id, title, language: "en", form: "prose", text: content },
			...{ sha256: sha256(content), provenance: { source: "test" } },
		});
	for (const name of names) {
		passage(`${name}#capital`, name, `The capital of the country ${name} is Port ${name}.`);
		passage(`${name}#ruler`, `Court of ${name}`, `The monarch of ${name} is Queen ${name}ia, of an old house.`);
	}
	// what looks more like a question for the ruler of Delmar than the ruler's own text does
	for (let n = 0; n < 4; n++)
		passage(`decoy#${n}`, "Monarch of Delmar", "Who is the monarch of Delmar? Monarch of Delmar.");
	await corpus.finish();
	await buildKnowledge(join(workspace, "corpora/lands"), join(workspace, "knowledge/lands"));
	const manifest = {
		name: "lands",
		title: "Lands",
		description: "Rulers.",
		licence: "CC0-1.0",
		sources: [],
		knowledge: "lands",
	};
	await writeBenchmark(join(workspace, "benchmarks/lands"), { manifest, tasks, card: "# Lands" });
	const knowledge = await openKnowledge(join(workspace, "knowledge/lands"));
	const run = RunManifest.parse({
		...{
			version: 1,
			id: "made-up",
			agent: { name: "made-up", version: "1" },
			model: null,
			setting: { name: "k2", k: 2 },
		},
		benchmark: {
			name: "lands",
			hash: JSON.parse(await readFile(join(workspace, "benchmarks/lands/benchmark.json"), "utf8")).hash,
			folder: "../../benchmarks/lands",
		},
		knowledge: { name: "lands", hash: knowledge.manifest.hash, folder: "../../knowledge/lands" },
		...{ tasks: tasks.map(({ id }) => id), repeats: 1, seed: 0, software: { hopscope: "0", node: "20" }, at: "2026" },
	});
	await knowledge.close();
	const dir = join(workspace, "runs/made-up");
	await writeJson(join(dir, "run.json"), run);
	await writeJsonl(join(dir, "records.jsonl"), [
		recordOf("t0", [first("Avaria"), second("Avaria", ["Avaria#ruler"], "Queen Avariaia")], "Queen Avariaia"),
		recordOf("t1", [first("Belmont")], "somebody"),
		recordOf("t2", [first("Corvia"), second("Corvia", ["Corvia#capital"], "Port", "monarch")], "Port"),
		recordOf("t3", [first("Delmar"), second("Delmar", ["decoy#0", "decoy#1"], "Delmar")], "Delmar"),
		recordOf("t4", [first("Estony"), second("Estony", ["Estony#ruler"], "an old house")], "an old house"),
		recordOf("plain", [], "a harbour"),
	]);
});
afterAll(() => rm(workspace, { recursive: true, force: true }));

const findings = async () =>
	(await readFile(join(workspace, "runs/made-up/findings.jsonl"), "utf8"))
		.trim()
		.split("\n")
		.map((line) => Diagnosis.parse(JSON.parse(line)));

describe("hopscope diagnose", () => {
	test("counts every expected hop, says which breaks first and why, and writes a line a record", async () => {
		const { code, json } = await hopscope("diagnose", "made-up", "--json");
		expect(code).toBe(0);
		const { summary, findings: file, worked } = json();
		expect(file).toBe(join(workspace, "runs/made-up/findings.jsonl"));
		expect(summary).toMatchObject({ expected: 7, recorded: 6, withChain: 6 });
		expect(summary.hops).toMatchObject({ expected: 12, judged: 10, notJudged: { "no record": 2 } });
		expect(summary.hops.verdicts.solved).toMatchObject({ count: 6, of: 10, value: 0.6 });
		expect(summary.byPlace.map(({ judged }: { judged: number }) => judged)).toEqual([5, 5]);
		expect(summary.firstBroken[1]).toMatchObject({
			share: { count: 4, of: 5 },
			verdicts: { "not-planned": 1, "retrieval-miss": 2, misread: 1 },
		});
		expect(summary.misses).toMatchObject({
			...{ missed: 2, lookedInto: 2 },
			causes: { "bad-query": { count: 1 }, "weak-retriever": { count: 1 }, "not-in-knowledge-base": { count: 0 } },
		});
		expect(worked).toHaveLength(3);
		const lines = await findings();
		expect(lines.map(({ task }) => task)).toEqual(["t0", "t1", "t2", "t3", "t4", "plain"]);
		const miss = (task: string) => lines.find((line) => line.task === task)?.hops[1];
		expect(miss("t2")).toMatchObject({ verdict: "retrieval-miss", miss: { is: "bad-query", rank: 2 } });
		expect(miss("t3")).toMatchObject({ miss: { is: "weak-retriever", rank: expect.any(Number) } });
	});

	test("says it in words within 100 columns, with what cannot be judged", async () => {
		const { out, err } = await hopscope("diagnose", "made-up");
		expect(out).toContain("Chains are first seen to break at hop 2: 4 of 5");
		expect(out).toMatch(/Worked failures[\s\S]*t2: retrieval miss[\s\S]*the gold sub-question finds it\s+at rank 2/);
		expect(out).toMatch(/What cannot be judged\n1 expected record missing\.\n1 record of tasks without a gold chain/);
		expect(out.replace(/\s+/g, " ")).toContain("which leaves its share open upwards");
		for (const line of out.split("\n")) expect(line.length).toBeLessThanOrEqual(100);
		expect(err).toContain("findings.jsonl");
	});

	longTest("looks into as many misses as asked", async () => {
		const missed = async (misses: string) =>
			(await hopscope("diagnose", "made-up", "--misses", misses, "--json")).json().summary.misses;
		expect(await missed("0")).toMatchObject({ missed: 2, lookedInto: 0 });
		expect(await missed("1")).toMatchObject({ missed: 2, lookedInto: 1 });
		expect(await missed("all")).toMatchObject({ missed: 2, lookedInto: 2 });
		expect((await hopscope("diagnose", "made-up", "--misses", "0")).out).toContain(
			"was not looked into (2 missed hops)",
		);
	});

	test("shows one task hop by hop, with its steps and what they brought", async () => {
		const { code, out } = await hopscope("diagnose", "made-up", "--task", "t4");
		expect(code).toBe(0);
		expect(out).toMatch(/^t4: misread\n/);
		expect(out).toMatch(/Hop 2 \(Text, the first broken\): Who is the monarch of Estony\?/);
		expect(out).toMatch(/\* 1\. Court of Estony \[Estony#ruler\]\n\s+sub-answer: an old house/);
		const { json } = await hopscope("diagnose", "made-up", "--task", "t4", "--json");
		expect(json().case).toMatchObject({ task: "t4", brokenHop: "h2", diagnosis: { primary: "misread" } });
		const unknown = await hopscope("diagnose", "made-up", "--task", "t99");
		expect(unknown).toMatchObject({ code: 2, err: expect.stringContaining("no record of task t99") });
		expect((await hopscope("diagnose", "made-up", "--task", "t5")).err).toContain("not answered yet");
	});

	test("replays the recorded queries: none is lost with the same index, and a larger k finds more", async () => {
		const replay = async (...more: string[]) =>
			(await hopscope("diagnose", "made-up", "--replay", "--json", ...more)).json();
		const same = await replay();
		expect(same.missed.vanished).toMatchObject({ count: 0, of: 2 });
		expect(same.found.lost).toMatchObject({ count: 0, of: 7 });
		const deep = await replay("-k", "20");
		expect(deep).toMatchObject({ against: { knowledge: "lands", k: 20 } });
		expect(deep.missed.vanished).toMatchObject({ count: 2, of: 2 });
		expect(deep.missed.hops.find(({ task }: { task: string }) => task === "t3").found).toMatchObject({
			...{ step: 1, id: "Delmar#ruler" },
		});
		const { out } = await hopscope("diagnose", "made-up", "--replay", "-k", "20", "-n", "lands");
		expect(out).toMatch(/Misses that vanish: 2 of 2, 100/);
	});

	longTest("writes the pages where asked", async () => {
		const folder = join(workspace, "pages");
		const { json } = await hopscope("diagnose", "made-up", "--format", "html", "--out", folder, "--json");
		expect(json().report).toBe(join(folder, "index.html"));
		const { tasks } = exported(json().report, "made-up.tasks-0");
		const verdicts = tasks.flatMap(({ hops }: { hops: { verdict: string }[] }) => hops.map(({ verdict }) => verdict));
		expect(verdicts).toContain("misread");
	});

	test.each([
		[["-k", "5"], /-k says how queries are made again\. Add --replay/],
		[["--replay", "--task", "t1"], /a replay is of the whole run/],
		[["--draw", "5"], /Add --without-gold/],
		[["--replay", "--format", "html"], /the page is of the whole run/],
		[["--labels", "a.jsonl"], /--labels says what flags hold of\. Add --without-gold/],
		[["--without-gold", "--replay"], /--without-gold reads the whole run/],
		[["--replay", "-n", "other"], /there is no knowledge base "other"/],
		[["--replay", "--mode", "late"], /no late index/],
	])("refuses %j with what to do", async (more, message) => {
		const { code, err } = await hopscope("diagnose", "made-up", ...more);
		expect(code).toBe(2);
		expect(err).toMatch(message);
	});

	test("without its knowledge base says what can be said, and what not", async () => {
		const folder = join(workspace, "runs/lonely");
		const manifest = JSON.parse(await readFile(join(workspace, "runs/made-up/run.json"), "utf8"));
		await writeJson(join(folder, "run.json"), {
			...{ ...manifest, id: "lonely", knowledge: { ...manifest.knowledge, name: "gone", folder: "../gone" } },
		});
		await writeFile(join(folder, "records.jsonl"), await readFile(join(workspace, "runs/made-up/records.jsonl")));
		const { code, out, err } = await hopscope("diagnose", "lonely");
		expect(code).toBe(0);
		expect(err).toMatch(/there is no knowledge base "gone".*; what only the texts of evidence can tell is not judged/);
		expect(err).toMatch(/why evidence did not come back is not looked into/);
		expect(out).toContain("Chains are first seen to break at hop 2");
		const reason = "unsupported, unsupported answer, since the texts of what came back are not at hand";
		expect(out.replace(/\s+/g, " ").split(reason)).toHaveLength(2);
		expect(out.match(/texts\s+of\s+what\s+came\s+back\s+are\s+not\s+at\s+hand/g)).toHaveLength(1);
	});

	/** The same run under another name, with other parts of its manifest and other records. */
	async function another(id: string, change: object, records?: string): Promise<void> {
		const manifest = JSON.parse(await readFile(join(workspace, "runs/made-up/run.json"), "utf8"));
		await writeJson(join(workspace, "runs", id, "run.json"), { ...manifest, ...change, id });
		const kept = await readFile(join(workspace, "runs/made-up/records.jsonl"), "utf8");
		await writeFile(join(workspace, "runs", id, "records.jsonl"), records ?? kept);
	}

	test("reads the run without gold, sets it beside the verdicts, takes labels, and writes a line a record", async () => {
		const labels = join(workspace, "pseudo-hops.jsonl");
		const label = (task: string, is: boolean) => ({ version: 1, task, step: 0, flag: "low-relevance", is });
		await writeJsonl(labels, [label("t0", false), label("t2", true), label("nobody", true)]);
		const { code, json } = await hopscope("diagnose", "made-up", "--without-gold", "--labels", labels, "--json");
		expect(code).toBe(0);
		const { records, pseudoHops, flags, agreement, file } = json();
		expect({ records, pseudoHops }).toEqual({ records: 6, pseudoHops: 9 });
		const relevance = flags.find(({ flag }: { flag: string }) => flag === "low-relevance");
		expect(relevance).toMatchObject({ hops: { of: 9 }, calibrated: { labelled: 2, labelsServe: true } });
		expect(agreement.length).toBeGreaterThan(4);
		const lines = (await readFile(file, "utf8")).trim().split("\n");
		expect(lines.map((line) => GoldFreeLine.parse(JSON.parse(line)).task)).toEqual([
			"t0",
			"t1",
			"t2",
			"t3",
			"t4",
			"plain",
		]);
		const { out } = await hopscope("diagnose", "made-up", "--without-gold", "--labels", labels);
		expect(out).toMatch(/made-up without gold: 6 records, 9 pseudo-hops/);
		expect(out.replace(/\s+/g, " ")).toContain("the labels alone serve as well");
		expect(out).toContain("Beside the verdicts by the gold chains");
		for (const line of out.split("\n")) expect(line.length).toBeLessThanOrEqual(100);
		const gone = await hopscope("diagnose", "made-up", "--without-gold", "--labels", "nowhere.jsonl");
		expect(gone).toMatchObject({ code: 2, err: expect.stringContaining("there is no file nowhere.jsonl") });
	});

	test("a sound query that the tool failed is the tool's, whatever way of searching it names; one of the web is not made again", async () => {
		const asked = (name: string, tool: string, more: object = {}) => {
			const step = second(name, [], "nobody");
			return { ...step, call: { tool, arguments: { query: step.subQuestion, k: 2, ...more }, valid: true } };
		};
		const records = [
			recordOf("t0", [first("Avaria"), asked("Avaria", "text_search")], "nobody"),
			// the knowledge base has no such index any more: it is searched in its own way
			recordOf("t1", [first("Belmont"), asked("Belmont", "text_search", { mode: "late" })], "nobody"),
			recordOf("t2", [first("Corvia"), asked("Corvia", "web_search")], "nobody"),
			// an error of the tool that is recorded as such is no miss
			recordOf("t4", [first("Estony"), { ...asked("Estony", "text_search"), error: "HTTP 503" }], "nobody"),
		];
		await another("failing", {}, records.map((record) => JSON.stringify(record)).join("\n"));
		const { json, err } = await hopscope("diagnose", "failing", "--json");
		const lines = (await readFile(join(workspace, "runs/failing/findings.jsonl"), "utf8")).trim().split("\n");
		const hops = lines.map((line) => Diagnosis.parse(JSON.parse(line)).hops[1]);
		expect(hops).toMatchObject([
			{ verdict: "retrieval-miss", miss: { is: "tool-or-k", rank: 2 } },
			{ verdict: "retrieval-miss", miss: { is: "tool-or-k", rank: 2 } },
			{ verdict: "retrieval-miss", miss: { is: "bad-query", notReplayed: "a search of the web" } },
			{ verdict: "tool-failed" },
		]);
		expect(json().summary.misses.causes).toMatchObject({ "tool-or-k": { count: 2, of: 3 }, "bad-query": { count: 1 } });
		expect(err).toContain("1 missed hop has a query that could not be made again (a search of the web)");
	});

	test("a run without records is said to have none, in no empty table", async () => {
		await another("empty", {}, "");
		const { code, out } = await hopscope("diagnose", "empty");
		expect(code).toBe(0);
		expect(out).toMatch(
			/^made-up on lands {2}0 of 7 records, 6 with a gold chain\n\nThe run has no record yet\.\n\nWhat cannot/,
		);
	});

	longTest("a re-run under an intervention is called one", async () => {
		const intervention = { of: "made-up", what: { is: "oracle-reading" } };
		await another("rerun", { intervention });
		expect((await hopscope("diagnose", "rerun")).out).toContain("An intervention, oracle-reading, in made-up");
		expect((await hopscope("diagnose", "rerun", "--json")).json()).toMatchObject({
			intervention: { what: "oracle-reading", of: "made-up" },
		});
		expect((await hopscope("diagnose", "made-up", "--json")).json().intervention).toBeNull();
	});
});
