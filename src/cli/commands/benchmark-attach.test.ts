import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBenchmark, readBenchmark } from "#benchmarks";
import { type Score, ScoreRow } from "#domain";
import { readJsonl } from "#store";
import { longDescribe } from "../../../test/long.ts";
import { commandsOn, makeTowns } from "../../../test/support/commands.ts";

let root: string;
const hopscope = commandsOn(() => join(root, "ws"));
beforeAll(async () => {
	root = await mkdtemp(join(tmpdir(), "hopscope-attach-"));
	await makeTowns(join(root, "ws"), { towns: 3 });
});
afterAll(() => rm(root, { recursive: true, force: true }));

async function file(name: string, content: string | object): Promise<string> {
	const path = join(root, name);
	await mkdir(dirname(path), { recursive: true });
	await writeFile(path, typeof content === "string" || Buffer.isBuffer(content) ? content : JSON.stringify(content));
	return path;
}

const lines = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join("");
const picture = (background: string) =>
	sharp({ create: { width: 8, height: 6, channels: 3, background } })
		.png()
		.toBuffer();
const page = (name: string, text: string) =>
	file(name, `<html><title>${name}</title><body><p>${text}</p></body></html>`);

const benchmark = (name: string) => openBenchmark(join(root, "ws/benchmarks", name));
const tasksOf = (name: string) => readFile(join(root, "ws/benchmarks", name, "tasks.jsonl"), "utf8");

/** What one metric says of every task of a run. */
async function scoresOf(run: string, metric: string): Promise<Record<string, number | string>> {
	const said: Record<string, number | string> = {};
	for await (const { task, scores } of readJsonl(join(root, "ws/runs", run, "scores.jsonl"), ScoreRow)) {
		const score: Score | undefined = scores[metric];
		said[task] = score?.is === "scored" ? score.value : (score?.reason ?? "none");
	}
	return said;
}

const documentRow = (doc_id: string, question: string, answer: string) => ({
	...{ doc_id, doc_type: "x", question, answer, answer_format: "Int" },
	...{ evidence_pages: "[1]", evidence_sources: "['Pure-text (Plain-text)']" },
});

longDescribe("documents that come later", () => {
	let run: string;
	let rows: string;

	test("answers are scored at once, hops are not and say what they wait for", async () => {
		rows = await file("pages.json", [
			documentRow("one.html", "How many?", "100"),
			documentRow("two.html", "How many then?", "7"),
		]);
		const made = await hopscope("import", "mmlongbench-doc", rows, "--name", "docs", "--json");
		expect(made.json()).toMatchObject({
			...{ tasks: 2, refused: 0 },
			waiting: {
				tasks: 2,
				images: 0,
				pages: 2,
				documents: 2,
				attach: "hopscope benchmark attach docs --documents DIR",
			},
		});
		const { tasks } = await benchmark("docs");
		expect(tasks.flatMap((task) => task.chain?.hops[0]?.evidence).sort()).toEqual([
			"one.html#page=1",
			"two.html#page=1",
		]);
		const answers = tasks.map(({ id, answer }) => ({
			...{ id, prediction: answer.value },
			steps: [{ tool: "page_search", query: "q", results: ["one.html#page=1"] }],
		}));
		const scored = await hopscope("score", await file("answers.jsonl", lines(answers)), "-b", "docs", "--json");
		expect(scored.code).toBe(0);
		run = scored.json().run;
		expect(Object.values(await scoresOf(run, "accuracy"))).toEqual([1, 1]);
		const why = "its gold evidence is not attached yet: hopscope benchmark attach NAME --documents DIR";
		expect(Object.values(await scoresOf(run, "hps"))).toEqual([why, why]);
		const told = await hopscope("score", run);
		expect(told.out.replace(/\s+/g, " ")).toContain(`2 of 2 (${why})`);
		const { summary } = (await hopscope("diagnose", run, "--json")).json();
		expect(summary.hops).toMatchObject({ expected: 2, judged: 0, notJudged: { [why]: 2 } });
	});

	test("check and stats say what waits, and find nothing wrong with it", async () => {
		const checked = (await hopscope("benchmark", "check", "docs", "--json")).json();
		expect(checked.findings.filter(({ check }: { check: string }) => check === "evidence-ids")).toMatchObject([
			{ code: "evidence-waits", severity: "note" },
			{ code: "evidence-waits", message: expect.stringContaining("hopscope benchmark attach docs --documents DIR") },
		]);
		const counted = await hopscope("benchmark", "stats", "docs");
		expect(counted.out).toMatch(/tasks waiting for evidence\s+2\/2/);
	});

	test("part by part, and again: what is there is attached, the rest waits; hops are scored where they can be", async () => {
		const before = await benchmark("docs");
		const nothing = await hopscope("benchmark", "attach", "docs");
		expect(nothing).toMatchObject({ code: 2, err: expect.stringContaining("attach docs --documents DIR") });
		await page("papers/deep/one.html", "The town has 100 inhabitants.");
		const first = await hopscope("benchmark", "attach", "docs", "--documents", join(root, "papers"));
		expect(first.code).toBe(0);
		expect(first.out).toContain("1 of 2 tasks still wait for 1 page in 1 document\n  two.html#page=1");
		await hopscope("score", run);
		expect(
			Object.values(await scoresOf(run, "hps"))
				.map((score) => typeof score)
				.sort(),
		).toEqual(["number", "string"]);
		await page("papers/two.html", "Then it has 7.");
		const second = await hopscope("benchmark", "attach", "docs", "--documents", join(root, "papers"), "--json");
		expect(second.json()).toMatchObject({ cited: 1, waiting: { tasks: 0 }, missing: [] });
		const after = await benchmark("docs");
		expect(after.tasks.map(({ id }) => id)).toEqual(before.tasks.map(({ id }) => id));
		expect(after.manifest.earlier).toHaveLength(2);
		expect(after.manifest.earlier?.[0]).toBe(before.manifest.hash);
		const again = await hopscope("benchmark", "attach", "docs", "--documents", join(root, "papers"), "--json");
		expect(again.json()).toMatchObject({ cited: 0, evidence: 0, hash: after.manifest.hash, earlier: null });
		expect((await hopscope("benchmark", "check", "docs", "--json")).json().counts.error).toBe(0);
	});

	test("a run of before is scored with what was attached; one elsewhere whose ids name nothing there by its answers", async () => {
		const said = await hopscope("score", run);
		expect(said).toMatchObject({ code: 0 });
		// the file searched one.html alone, which since is deep/one.html: what it searched is not known
		expect(said.err).toContain("none of the 2 results in the file is matched to evidence of the knowledge base docs");
		expect(new Set(Object.values(await scoresOf(run, "hps")))).toEqual(
			new Set(["only the answer is known, not its steps"]),
		);
		const { tasks, manifest } = await benchmark("docs");
		const manifestOfRun = JSON.parse(await readFile(join(root, "ws/runs", run, "run.json"), "utf8"));
		expect(manifestOfRun.benchmark.hash).toBe(manifest.hash);
		const name = tasks.find(({ answer }) => answer.value === "100")?.chain?.hops[0]?.evidence;
		expect(name).toEqual(["deep/one.html#page=1"]);
	});

	test("equals an import with the documents at once", async () => {
		const made = await hopscope(
			"import",
			"mmlongbench-doc",
			rows,
			"--name",
			"at-once",
			"--documents",
			join(root, "papers"),
			"--json",
		);
		expect(made.json()).toMatchObject({ tasks: 2, waiting: { tasks: 0 } });
		expect(await tasksOf("at-once")).toBe(await tasksOf("docs"));
		const replaced = await hopscope("import", "mmlongbench-doc", rows, "--name", "docs", "--json");
		expect(replaced.json().error.code).toBe("benchmark-exists");
	});

	test("a name that could be two documents waits and is told with both, until a map says which", async () => {
		await hopscope("import", "mmlongbench-doc", rows, "--name", "twice");
		const before = await tasksOf("twice");
		await page("twice/a/one.html", "One.");
		await page("twice/b/one.html", "Another.");
		const unclear = await hopscope("benchmark", "attach", "twice", "--documents", join(root, "twice"), "--json");
		const why = 'its document "one.html" could be "a/one.html" or "b/one.html": say which with --documents-map';
		expect(unclear.json()).toMatchObject({ cited: 0, reasons: [why] });
		expect(unclear.json().missing.sort()).toEqual(["one.html#page=1", "two.html#page=1"]);
		expect(unclear).toMatchObject({ code: 1, err: expect.stringContaining(why) });
		expect(await tasksOf("twice")).toBe(before);
		const map = await file("twice.json", { "one.html": "b/one.html" });
		const told = await hopscope("benchmark", "attach", "twice", "--documents-map", map, "--json");
		expect(told).toMatchObject({ code: 0 });
		expect(told.json()).toMatchObject({ cited: 1, evidence: 0, waiting: { tasks: 1 }, reasons: [] });
		expect((await benchmark("twice")).tasks.flatMap((task) => task.chain?.hops[0]?.evidence).sort()).toEqual([
			"b/one.html#page=1",
			"two.html#page=1",
		]);
		expect((await readBenchmark(join(root, "ws/benchmarks/twice"))).problems).toEqual([]);
	});

	test("two names that would be one document wait, and what has its document keeps it", async () => {
		const two = await file("both.json", [
			documentRow("one.pdf", "How many then?", "7"),
			documentRow("x/one.html", "How many?", "100"),
		]);
		await hopscope("import", "mmlongbench-doc", two, "--name", "both");
		await page("both/one.html", "One.");
		const both = await hopscope("benchmark", "attach", "both", "--documents", join(root, "both"), "--json");
		expect(both.json()).toMatchObject({ cited: 0, waiting: { tasks: 2 } });
		expect(both.json().reasons).toEqual([
			expect.stringContaining('"one.pdf" and "x/one.html" would both be "one.html"'),
		]);
		const map = await file("both-map.csv", "row,document\nx/one.html,one.html\n");
		const one = await hopscope("benchmark", "attach", "both", "--documents-map", map, "--json");
		expect(one).toMatchObject({ code: 3 });
		expect(one.json()).toMatchObject({ cited: 1, waiting: { tasks: 1 }, missing: ["one.pdf#page=1"] });
		const again = await hopscope("benchmark", "attach", "both", "--documents", join(root, "both"), "--json");
		expect(again.json()).toMatchObject({ cited: 0, waiting: { tasks: 1 } });
	});
});

describe("images that come later", () => {
	const row = (question_id: number, image_url: string) => ({
		...{ image_url, question: `How many inhabitants has Town ${question_id}?`, question_id },
		...{ answer: [`${question_id}00`], golden_query: "x" },
	});

	test("a question without its image is not asked; once it is there the run goes on", async () => {
		const rows = [row(1, "https://example.org/x/crane.png"), row(2, "https://example.org/x/tower.png")];
		const path = await file("DynVQA_en.202412.jsonl", lines(rows));
		const made = await hopscope("import", "dyn-vqa", path);
		expect(made.out).toContain("2 of 2 tasks wait for 2 images: hopscope benchmark attach dyn-vqa --images DIR");
		const alone = await hopscope("run", "-b", "dyn-vqa", "-a", "extractive");
		expect(alone).toMatchObject({
			...{ code: 2, err: expect.stringContaining("(hopscope benchmark attach dyn-vqa --images DIR)") },
		});
		const asked = await hopscope("run", "-b", "dyn-vqa", "-a", "extractive", "-n", "towns", "--name", "asked");
		expect(asked.code).toBe(1);
		expect(asked.err).toContain("2 of 2 tasks wait for 2 images");
		const why = "a question image is not attached yet: hopscope benchmark attach NAME --images DIR";
		expect(Object.values(await scoresOf("asked", "accuracy"))).toEqual([why, why]);
		expect((await hopscope("benchmark", "check", "dyn-vqa", "--json")).json().findings).toContainEqual(
			expect.objectContaining({ code: "image-waits", severity: "warning" }),
		);
		await file("pictures/crane.png", await picture("#426"));
		const attached = await hopscope("benchmark", "attach", "dyn-vqa", "--images", join(root, "pictures"), "--json");
		expect(attached.json()).toMatchObject({ images: 1, waiting: { tasks: 1, images: 1 } });
		expect(attached.json().missing).toEqual(["https://example.org/x/tower.png"]);
		expect((await hopscope("run", "--resume", "asked")).code).toBe(3);
		expect(
			Object.values(await scoresOf("asked", "accuracy")).filter((score) => typeof score === "number"),
		).toHaveLength(1);
		await file("pictures/tower.png", await picture("#624"));
		await hopscope("benchmark", "attach", "dyn-vqa", "--images", join(root, "pictures"));
		expect((await hopscope("run", "--resume", "asked")).code).toBe(0);
		expect(Object.values(await scoresOf("asked", "accuracy")).map((score) => typeof score)).toEqual([
			"number",
			"number",
		]);
		const before = await tasksOf("dyn-vqa");
		await hopscope("import", "dyn-vqa", path, "--images", join(root, "pictures"), "--name", "with", "--json");
		expect(await tasksOf("with")).toBe(before);
	});

	test("one file for two names is refused with both, and leaves the benchmark as it was", async () => {
		const path = await file(
			"DynVQA_en.202501.jsonl",
			lines([row(1, "https://a.org/x/crane.png"), row(2, "https://b.org/y/crane.png")]),
		);
		await hopscope("import", "dyn-vqa", path, "--name", "same");
		const before = await tasksOf("same");
		const refused = await hopscope("benchmark", "attach", "same", "--images", join(root, "pictures"), "--json");
		expect(refused).toMatchObject({ code: 2 });
		expect(refused.json().error.message).toMatch(
			/"https:\/\/a.org\/x\/crane.png" and "https:\/\/b.org\/y\/crane.png" would both be/,
		);
		expect(await tasksOf("same")).toBe(before);
	});

	test("gold images come into the knowledge base, and the hops that rest on them are scored", async () => {
		const fact = (image_id: number) => ({ image_id, title: "Tower", caption: "A tower", url: "" });
		const asked = (Guid: string, positive: number, negative: number) => ({
			...{ Q: `What colour is ${Guid}?`, A: ["Green."], Guid, txt_posFacts: [], txt_negFacts: [] },
			...{ img_posFacts: [fact(positive)], img_negFacts: [fact(negative)] },
		});
		const path = await file("webqa.json", { g1: asked("g1", 1, 2), g2: asked("g2", 2, 3) });
		const made = await hopscope("import", "webqa", path, "--json");
		expect(made.json()).toMatchObject({ tasks: 2, refused: 0, waiting: { tasks: 2, images: 3, pages: 0 } });
		const answers = ["g1", "g2"].map((id) => ({
			...{ id, prediction: "Green." },
			steps: [{ tool: "image_search_by_text", query: "tower", results: ["webqa#1"] }],
		}));
		const scored = await hopscope("score", await file("webqa-answers.jsonl", lines(answers)), "-b", "webqa", "--json");
		const { run } = scored.json();
		expect(Object.values(await scoresOf(run, "hps"))[0]).toContain("attach NAME --images DIR");
		for (const id of [1, 2, 3]) await file(`web/${id}.png`, await picture(`#${id}${id}${id}`));
		const attached = await hopscope("benchmark", "attach", "webqa", "--images", join(root, "web"), "--json");
		expect(attached.json()).toMatchObject({ images: 3, evidence: 3, waiting: { tasks: 0 } });
		expect((await hopscope("score", run)).code).toBe(0);
		expect(await scoresOf(run, "hps")).toEqual({ g1: 1, g2: 0 });
		await hopscope("import", "webqa", path, "--images", join(root, "web"), "--name", "web-at-once");
		expect(await tasksOf("web-at-once")).toBe(await tasksOf("webqa"));
		expect((await hopscope("benchmark", "check", "webqa", "--json")).json().counts.error).toBe(0);
	});
});
