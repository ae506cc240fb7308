import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { RunManifest, RunRecord, unknownHash } from "#domain";
import { sha256 } from "#store";
import { commandsOn, makeTowns } from "../../../test/support/commands.ts";
import { exported } from "../../../test/support/studio-export.ts";

let root: string;
const workspace = () => join(root, "ws");
const hopscope = commandsOn(workspace);

const towns = 8;
const chain = (n: number) => ({
	chain: {
		hops: [
			{
				...{ id: "h1", question: `How many inhabitants has Town ${n}?`, modality: "text", needs: [] },
				...{ evidence: [`town#${n}`], answer: { type: "string", value: `${n}00`, accepted: [`${n}00`] } },
			},
		],
		sink: "h1",
	},
});
beforeAll(async () => {
	root = await mkdtemp(join(tmpdir(), "hopscope-score-"));
	await makeTowns(workspace(), { towns, more: chain });
});
afterAll(() => rm(root, { recursive: true, force: true }));

async function file(name: string, rows: readonly unknown[] | string): Promise<string> {
	const path = join(root, name);
	const text = typeof rows === "string" ? rows : rows.map((row) => `${JSON.stringify(row)}\n`).join("");
	await writeFile(path, text);
	return path;
}

const runDir = (id: string) => join(workspace(), "runs", id);
const manifestOf = async (id: string) =>
	RunManifest.parse(JSON.parse(await readFile(join(runDir(id), "run.json"), "utf8")));
const recordsOf = async (id: string) =>
	(await readFile(join(runDir(id), "records.jsonl"), "utf8"))
		.trim()
		.split("\n")
		.map((line) => RunRecord.parse(JSON.parse(line)));

/** Town n is answered rightly where n is even, by a search that brings its passage where n is no multiple of 3. */
const trajectory = (n: number) => ({
	...{ task: `t${n}`, prediction: n % 2 === 0 ? `${n}00` : "none", agent: "wanderer", model: "m-1" },
	steps: [
		"I look for the town.",
		{ tool: "text_search", query: `Town ${n}`, results: [n % 3 === 0 ? `town#${(n + 1) % towns}` : `town#${n}`] },
		{ tool: "text_search", arguments: { query: "" }, valid: false, error: "the query is empty" },
		"That will do.",
	],
});
const all = Array.from({ length: towns }, (_, n) => n);

describe("hopscope score FILE", () => {
	let run: string;
	let path: string;

	test("keeps the trajectories as a run of the workspace and names it", async () => {
		path = await file("wanderer.jsonl", all.map(trajectory));
		const { code, out, err } = await hopscope("score", path, "-b", "towns");
		expect(code).toBe(0);
		run = /^run (\S+)$/m.exec(out)?.[1] ?? "";
		expect(err).toBe(`next: hopscope diagnose ${run} --workspace ${workspace()}`);
		const manifest = await manifestOf(run);
		expect(manifest).toMatchObject({
			...{ id: run, agent: { name: "wanderer", version: "made elsewhere" }, model: "m-1", repeats: 1 },
			knowledge: { name: "towns", folder: "../../knowledge/towns" },
			imported: {
				...{ file: "wanderer.jsonl", sha256: sha256(await readFile(path)), forms: ["trajectories"], rows: towns },
				...{ refused: 0, unknown: 0, unanswered: 0, evidence: { results: 8, byId: 8, unmapped: 0 } },
			},
		});
		expect(manifest.price).toBeUndefined();
		expect(manifest.knowledge.hash).not.toBe(unknownHash);
		const [first] = await recordsOf(run);
		expect(first?.trajectory.usage.cost).toBeUndefined();
		expect(first?.trajectory.steps).toMatchObject([
			{
				thought: "I look for the town.",
				call: { tool: "text_search", valid: true },
				results: [{ id: "town#1", rank: 1 }],
			},
			{ call: { tool: "text_search", valid: false }, error: "the query is empty", results: [] },
			{ thought: "That will do." },
		]);
	});

	test("the run can be diagnosed, compared, judged, reported and scored again", async () => {
		const diagnosed = (await hopscope("diagnose", run, "--json")).json();
		expect(existsSync(diagnosed.findings)).toBe(true);
		const findings = (await readFile(diagnosed.findings, "utf8")).trim().split("\n");
		const verdicts = findings.map((line) => JSON.parse(line).hops[0].verdict);
		// towns 0, 3 and 6: another town's passage came back; 1, 5 and 7: their own did, and the answer is wrong
		expect(verdicts.map((verdict, n) => (verdict === "solved" ? -1 : n)).filter((n) => n >= 0)).toEqual([
			0, 1, 3, 5, 6, 7,
		]);
		const own = (await hopscope("run", "-b", "towns", "-a", "extractive", "--json")).json().run;
		const compared = await hopscope("compare", run, own, "--json");
		expect(compared.code).toBe(0);
		expect(compared.out).not.toContain("not known");
		expect((await hopscope("judge", run, "-m", "rule")).code).toBe(0);
		const folder = join(root, "pages");
		expect((await hopscope("report", run, own, "--format", "html", "--out", folder)).code).toBe(0);
		const { page } = exported(join(folder, "index.html"), `${run}.run`);
		expect(page.facts).toContainEqual({ name: "Made elsewhere", value: "wanderer.jsonl" });
		const again = (await hopscope("score", run, "--json")).json();
		expect(again.runs[0]).toMatchObject({ expected: towns, scored: towns, metrics: { accuracy: { value: 0.5 } } });
		expect((await hopscope("export", "sft", run, "--to", join(root, "sft"))).code).toBe(1);
	});

	test("the time view says what was not recorded, beside a run whose time was measured", async () => {
		const own = (await hopscope("run", "-b", "towns", "-a", "closed-book", "--json")).json().run;
		const told = await hopscope("report", run, own, "--views", "time", "--json");
		expect(told.code).toBe(0);
		const { rows } = told.json().views[0];
		const cells = Object.fromEntries(rows.map((row: { run: string; cells: object }) => [row.run, row.cells]));
		expect(JSON.stringify(cells[run].ms)).toContain("not recorded");
		expect(JSON.stringify(cells[own].ms)).not.toContain("not recorded");
	});

	test("the same file gives the same run, which stays as it is unless it is to be read anew", async () => {
		const verdicts = join(runDir(run), "verdicts.jsonl");
		expect(existsSync(verdicts)).toBe(true);
		const copy = await file("copy.jsonl", await readFile(path, "utf8"));
		const again = (await hopscope("score", path, "-b", "towns", "--json")).json();
		expect(again).toMatchObject({ run, before: true });
		expect((await hopscope("score", copy, "-b", "towns")).out).toContain(`run ${run}, which was there already`);
		expect(existsSync(verdicts)).toBe(true);
		const anew = (await hopscope("score", path, "-b", "towns", "--force", "--json")).json();
		expect(anew).toMatchObject({ run, before: false });
		expect(existsSync(verdicts)).toBe(false);
		const named = (await hopscope("score", path, "-b", "towns", "--agent-name", "me", "--json")).json().run;
		expect(named).not.toBe(run);
		expect(await manifestOf(named)).toMatchObject({ agent: { name: "me" }, model: "m-1" });
	});

	test("it is never gone on with, nor asked again under an intervention", async () => {
		for (const command of [
			["run", "--resume", run],
			["intervene", run],
		]) {
			const { code, err } = await hopscope(...command);
			expect(code).toBe(2);
			expect(err).toContain(`run ${run} was made elsewhere and read from wanderer.jsonl`);
		}
	});

	test("plain predictions are records of answers alone; what is not there has no record", async () => {
		const rows = JSON.stringify({ t0: "000", t1: "wrong", t2: null, elsewhere: "x" });
		const { code, err, json } = await hopscope("score", await file("plain.json", rows), "-b", "towns", "--json");
		expect(code).toBe(0);
		const told = json();
		expect(told).toMatchObject({
			...{ noRecord: towns - 2, unknown: ["elsewhere"], unanswered: ["t2"], refusals: [] },
			imported: { forms: ["predictions"], rows: 4, evidence: { results: 0, unmapped: 0 } },
		});
		expect(told.runs[0]).toMatchObject({ expected: towns, scored: 2, bounds: { low: 1 / 8, high: 7 / 8 } });
		expect(told.runs[0].outcomes).toContainEqual({ ending: "missing", count: towns - 2 });
		expect(err).toContain("1 id not in towns, left out: elsewhere");
		expect(err).toContain(`${towns - 2} tasks of towns without a record`);
		const records = await recordsOf(told.run);
		expect(records.map(({ trajectory: { answerOnly } }) => answerOnly)).toEqual([true, true]);
		const { agent, model, knowledge } = await manifestOf(told.run);
		expect([agent.name, model, knowledge.hash]).toEqual(["plain", null, unknownHash]);
		expect((await hopscope("diagnose", told.run)).code).toBe(0);
		const compared = await hopscope("compare", told.run, run);
		expect(compared.out).toContain("What some of these runs searched is not known");
	});

	test("rows that cannot be read are told with their line and stop nothing; several of a task are its repeats", async () => {
		const text = [
			JSON.stringify({ task: "t0", prediction: "000" }),
			"{broken",
			JSON.stringify({ question: "How many inhabitants has  Town 1?", prediction: "100" }),
			JSON.stringify({ task: "t2", prediction: ["200"] }),
			JSON.stringify({ task: "t0", prediction: "no" }),
		].join("\n");
		const { code, err, json } = await hopscope("score", await file("broken.jsonl", text), "-b", "towns", "--json");
		expect(code).toBe(0);
		const told = json();
		expect(told.refusals).toEqual([
			{ place: "line 2", reason: expect.stringMatching(/^not JSON/) },
			{ place: "line 4", reason: expect.stringMatching(/^at prediction: /) },
		]);
		expect(err).toContain("broken.jsonl, line 2: not JSON");
		expect(err).toContain("2 rows refused");
		expect((await manifestOf(told.run)).repeats).toBe(2);
		expect((await recordsOf(told.run)).map(({ task, repeat }) => [task, repeat])).toEqual([
			["t0", 0],
			["t1", 0],
			["t0", 1],
		]);
	});

	test("where no id that came back is known, hops are not scored rather than missed", async () => {
		const rows = all.map((n) => ({
			...trajectory(n),
			steps: [{ tool: "text_search", query: "x", results: [`other:${n}`] }],
		}));
		const { err, json } = await hopscope("score", await file("other.jsonl", rows), "-b", "towns", "--json");
		expect(err).toContain("none of the 8 results in the file is matched to evidence of the knowledge base towns");
		expect(json().runs[0].metrics.hps).toMatchObject({ value: null, scored: 0 });
		expect(json().runs[0].metrics.accuracy.value).toBe(0.5);
		const part = [trajectory(1), ...rows.slice(2)];
		const partly = await hopscope("score", await file("partly.jsonl", part), "-b", "towns", "--json");
		expect(partly.err).toContain("6 of 7 results in the file are matched to nothing in towns");
		expect(partly.json().runs[0].metrics.hps.scored).toBe(7);
	});

	test("transcripts are matched by question, their documents by what they say, their judge kept as labels", async () => {
		const transcript = (n: number) => ({
			...{ question: `How many inhabitants has Town ${n}?`, answer: `${n}00`, pred_ans: `${n}00` },
			...{ stop_reason_final: "finished", gpt4o_output: "True" },
			gen_text_store: `Look. <|begin_of_query|>Town ${n}<|end_of_query|>\n<|begin_of_documents|>\n(1)Town ${n}   Town ${n} has ${n}00 inhabitants.\n(2)Moon   Cheese.\n<|end_of_documents|>\nNow <answer>${n}00</answer>`,
		});
		const { err, json } = await hopscope(
			"score",
			await file("r1.jsonl", [1, 2].map(transcript)),
			"-b",
			"towns",
			"--json",
		);
		const told = json();
		expect(err).toContain("2 of 4 results in the file are matched to nothing in towns");
		expect(told.imported).toMatchObject({ forms: ["r1-searcher"], evidence: { results: 4, unmapped: 2 } });
		expect((await manifestOf(told.run)).agent.name).toBe("r1-searcher");
		const [first] = await recordsOf(told.run);
		expect(first?.trajectory.steps[0]).toMatchObject({ thought: "Look.", results: [{ id: "town#1" }, { rank: 2 }] });
		expect(told.runs[0].metrics.hps.value).toBe(1);
		const labels = (await readFile(join(runDir(told.run), "labels.jsonl"), "utf8")).trim().split("\n");
		expect(labels).toHaveLength(2);
	});

	test("a file that answers nothing keeps nothing, and a run takes no names", async () => {
		const before = await readdir(join(workspace(), "runs"));
		const gold = await file("gold.jsonl", [{ question: "How many inhabitants has Town 1?", answer: "100" }]);
		const refused = await hopscope("score", gold, "-b", "towns");
		expect([refused.code, refused.err]).toEqual([2, expect.stringContaining("`answer` may be the accepted one")]);
		expect((await hopscope("score", gold)).code).toBe(2);
		expect((await hopscope("score", run, "--agent-name", "x")).code).toBe(2);
		expect(await readdir(join(workspace(), "runs"))).toEqual(before);
	});
});

const shared = "../shared/data";
const [questions, transcripts] = [
	`${shared}/short-qa/bamboogle.jsonl`,
	`${shared}/trajectories/r1searcher_bamboogle_qwen.jsonl`,
];
test.skipIf(!existsSync(transcripts))("R1-Searcher's transcripts answer Bamboogle as it was imported", async () => {
	const bamboogle = commandsOn(() => join(root, "bamboogle"));
	expect((await bamboogle("import", "short-qa", questions, "--name", "bamboogle")).code).toBe(0);
	const told = (await bamboogle("score", transcripts, "-b", "bamboogle", "--json")).json();
	expect(told).toMatchObject({
		noRecord: 0,
		refusals: [],
		unknown: [],
		imported: { rows: 125, evidence: { results: 1240, unmapped: 1240 } },
	});
	// exact match of the same file imported with its own questions: 57 of 125
	expect(told.runs[0]).toMatchObject({ expected: 125, scored: 125, metrics: { em: { value: 57 / 125 } } });
	// what eight more replies assert is the answer in another form
	expect(told.runs[0].metrics.accuracy.value).toBe(65 / 125);
	expect((await bamboogle("diagnose", told.run)).code).toBe(0);
	expect((await bamboogle("report", told.run, "--format", "html")).code).toBe(0);
	expect((await bamboogle("score", questions, "-b", "bamboogle")).code).toBe(2);
});

test("traces answer the benchmark whose questions they were asked, read by what the file holds", async () => {
	const asked = join(root, "lund.jsonl");
	const rows = [
		{ id: "a", question: "In which town was the builder of the ferry of Lund born?", answer: "Vik" },
		{ id: "b", question: "How many people live in Ada Berg's town of birth?", answer: "4,200" },
	];
	await writeFile(asked, rows.map((row) => JSON.stringify(row)).join("\n"));
	const lund = commandsOn(() => join(root, "lund"));
	expect(await lund("import", "short-qa", asked, "--name", "lund")).toMatchObject({ code: 0 });
	const fixtures = join(import.meta.dirname, "../../benchmarks/transcripts/fixtures");
	for (const [file, form, unknown] of [
		["otlp-genai.pb", "otlp", ["What is in the cellar?"]],
		["langsmith.jsonl", "langsmith", []],
	] as const) {
		const told = (await lund("score", join(fixtures, file), "-b", "lund", "--json")).json();
		expect(told).toMatchObject({ noRecord: 0, unknown, imported: { forms: [form] } });
		expect(told.runs[0]).toMatchObject({ expected: 2, scored: 2, metrics: { accuracy: { value: 1 } } });
	}
});
