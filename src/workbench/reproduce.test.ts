import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { settingFor } from "#agents";
import { writeBenchmark } from "#benchmarks";
import { createCorpus } from "#corpus";
import { Task } from "#domain";
import { buildKnowledge } from "#knowledge";
import { publishedNames, readPublished, type View } from "#reports";
import { sha256 } from "#store";
import { commandsOn } from "../../test/support/commands.ts";
import { agentCalled } from "./agent-called.ts";
import { reproduceSuite } from "./reproduce-suite.ts";
import { withoutAbsent } from "./run-options.ts";

const towns = 4;
let workspace: string;
beforeAll(async () => {
	workspace = await mkdtemp(join(tmpdir(), "hopscope-reproduce-"));
	const corpus = await createCorpus(join(workspace, "corpora/towns"), {
		...{ name: "towns", licence: "CC0-1.0", sources: [] },
	});
	for (let n = 0; n < towns; n += 1)
		for (const [what, text] of Object.entries({
			mayor: `The mayor of Town ${n} is Person ${n}.`,
			person: `Person ${n} was born in the year 19${n}0.`,
		}))
			corpus.add({
				...{ kind: "passage", id: `${what}#${n}`, document: `${what}-${n}`, title: `${what} ${n}`, language: "en" },
				...{ form: "prose", text, sha256: sha256(text), provenance: { source: "test" } },
			});
	await corpus.finish();
	await buildKnowledge(join(workspace, "corpora/towns"), join(workspace, "knowledge/towns"));
	const answer = (value: string) => ({ type: "string" as const, value, accepted: [value] });
	await writeBenchmark(join(workspace, "benchmarks/towns"), {
		manifest: {
			...{ name: "towns", title: "Towns", description: "Mayors.", licence: "CC0-1.0", sources: [], knowledge: "towns" },
		},
		tasks: Array.from({ length: towns }, (_, n) =>
			Task.parse({
				id: `t${n}`,
				question: `When was the mayor of Town ${n} born?`,
				answer: answer(`19${n}0`),
				chain: {
					hops: [
						{
							...{ id: "h1", question: `Who is the mayor of Town ${n}?`, modality: "text", needs: [] },
							...{ evidence: [`mayor#${n}`], answer: answer(`Person ${n}`) },
						},
						{
							...{ id: "h2", question: `When was Person ${n} born?`, modality: "text", evidence: [`person#${n}`] },
							...{ needs: [{ hop: "h1", role: "bridge" }], answer: answer(`19${n}0`) },
						},
					],
					sink: "h2",
				},
				tags: { language: "en", questionType: n < 2 ? "comparison" : "bridge" },
			}),
		),
		card: "# Towns",
	});
});
afterAll(() => rm(workspace, { recursive: true, force: true }));

const hopscope = commandsOn(() => workspace);
const runsThere = () => readdir(join(workspace, "runs")).catch(() => []);
const own = (view: View | undefined) => view?.rows.filter(({ kind }) => kind !== "published") ?? [];

describe("hopscope reproduce", () => {
	test("lists the tables", async () => {
		const { code, out } = await hopscope("reproduce");
		expect(code).toBe(0);
		expect(out.split("\n").map((line) => line.split(" ")[0])).toEqual(await publishedNames());
		const listed = (await hopscope("reproduce", "--json")).json();
		expect(listed.tables[0]).toMatchObject({ name: "mc-search:2", source: expect.stringContaining("Table 2") });
	});

	test("--list tells of every table and figure, by paper, and why some have no suite", async () => {
		const { code, out } = await hopscope("reproduce", "--list");
		expect(code).toBe(0);
		expect(out).toMatch(/^MC-Search .*\n {2}mc-search:1 +no suite, other data sets: says by hand/);
		expect(out).toMatch(
			/mc-search:11 [\s\S]*mc-search:12 +no suite[\s\S]*mc-search:13 [\s\S]*mc-search:figure-1 to 2 /,
		);
		expect(out).toContain("vistahop:10 to 28");
		for (const name of await publishedNames()) expect(out).toMatch(new RegExp(`^ {2}${name} `, "m"));
		const { tables, without } = (await hopscope("reproduce", "--list", "--json")).json();
		expect(tables.length).toBe((await publishedNames()).length);
		expect(without).toContainEqual(expect.objectContaining({ names: ["mc-search:12"] }));
	});

	test("counts a benchmark beside a table of statistics, and runs nothing", async () => {
		const { out, code } = await hopscope("reproduce", "mc-search:7", "-b", "towns", "-f", "md");
		expect(code).toBe(0);
		expect(out).toContain("| Total Samples | MC-Search (published) | *3,333* |\n| Total Samples | towns | 4 |");
		expect(out).toContain("| Total Documents in the Knowledge Base | towns | 8 |");
		expect(out).toContain("| Avg. Hops in Text Chain | towns | 2 |");
		expect((await hopscope("reproduce", "mmhops:2", "-b", "towns", "-f", "md")).out).toContain("| towns | 4 | 100 |");
		const { missing, views } = (await hopscope("reproduce", "vistahop:3", "--json")).json();
		expect(missing).toMatchObject({ commands: ["reproduce vistahop:3 --benchmark towns"] });
		expect(views[0].rows.every(({ kind }: { kind?: string }) => kind === "published")).toBe(true);
		expect(await runsThere()).toEqual([]);
	});

	test("without data prints what was published, and says what ours takes", async () => {
		const { code, out, err } = await hopscope("reproduce", "vistahop:4");
		expect(code).toBe(0);
		expect(out).toContain("18.97");
		for (const said of ["in the workspace: towns", "--benchmark towns --model", "rubric vistahop", "the agent arena"])
			expect(err).toContain(said);
		const { missing, views, runs } = (await hopscope("reproduce", "vistahop:4", "--json")).json();
		expect(missing).toMatchObject({ benchmark: { there: ["towns"] }, judge: "vistahop" });
		expect(own(views[0])).toEqual([]);
		expect(runs).toEqual([]);
		expect(await runsThere()).toEqual([]);
	});

	test("plans every table with agents in settings that they have", async () => {
		for (const name of await publishedNames()) {
			const table = await readPublished(name);
			if (table.statistics !== undefined) continue;
			const { lines } = reproduceSuite(table, { benchmark: ["towns"], model: ["openai:m"] });
			expect(lines.length).toBeGreaterThan(0);
			for (const { agent, setting, k, limit, model } of lines) {
				expect(model).toBe("openai:m");
				expect(
					settingFor(agentCalled(agent), { name: setting, overrides: withoutAbsent({ k, limit }) }).name,
				).toBeDefined();
			}
		}
	});

	test("mmhops:3 gives text agents captions, vanilla-mrag both forms, and all the same k", async () => {
		const table = await readPublished("mmhops:3");
		const planned = (agent?: string[]) =>
			reproduceSuite(table, { benchmark: ["towns"], model: ["openai:m"], ...(agent ? { agent } : {}) }).lines.map(
				(line) => [line.agent, line.setting, line.k],
			);
		expect(planned()).toEqual([
			["tagged", undefined, 3],
			["echosight", undefined, 3],
			["omnisearch", undefined, 3],
			["self-ask", "captions", 3],
			["search-r1", "captions", 3],
			["vanilla-mrag", "text", 3],
			["vanilla-mrag", "image+text", 3],
			["closed-book", undefined, undefined],
		]);
		for (const [agent = "", setting, k] of planned().slice(3, 5) as [string, string, number][]) {
			const made = settingFor(agentCalled(agent), { name: setting, overrides: { k } });
			expect(made).toMatchObject({ images: "captions", k: 3 });
			expect(made.tools).toContain("image_search_by_image");
		}
		expect(planned(["self-ask"])).toEqual([["self-ask", "captions", 3]]);
		expect(planned(["vanilla-mrag"])).toHaveLength(2);
		expect(table.differs.join(" ")).toMatch(/images described/);
	});

	test.each(["vistahop:4", "vistahop:5", "vistahop:9"])("%s is run five times, unless told otherwise", async (name) => {
		const table = await readPublished(name);
		const repeatsOf = (more: object) =>
			new Set(
				reproduceSuite(table, { benchmark: ["towns"], model: ["openai:m"], ...more }).lines.map((line) => line.repeats),
			);
		expect([...repeatsOf({})]).toEqual([5]);
		expect([...repeatsOf({ repeats: 2 })]).toEqual([2]);
	});

	test.each([
		[["nothing:1"], /no published table is called "nothing:1"/, /mc-search:3/],
		[["../../package.json"], /no published table/, /Give one of/],
		[["__proto__"], /no published table/, /Give one of/],
		[["mc-search:3", "-b", "towns"], /stepwise.*none is named/, /--agent extractive/],
		[["mc-search:3", "-b", "towns", "-a", "tagged", "extractive"], /with tagged, which ask/, /--model/],
		[["mc-search:3", "-a", "extractive"], /over which tasks/, /--benchmark NAME/],
		[["mc-search:3", "--judge", "rule"], /over which tasks/, /--runs/],
		[["-b", "towns"], /no table is named/, /lists them/],
		[["mc-search:3", "--runs", "x", "-b", "towns"], /as they are/, /Leave out/],
		[["mc-search:3", "--runs", "x"], /no run "x"/, /hopscope/],
		[["mc-search:3", "-b", "nowhere", "-a", "extractive"], /no benchmark "nowhere"/, /nothing was begun/],
		[["mc-search:3", "-f", "docx"], /format/, /help/],
		[["mc-search:3", "--list"], /of all tables/, /Leave out/],
		[["mc-search:12"], /settings of a training run/, /--list/],
		[["mc-search:7", "-b", "towns", "-a", "extractive"], /nothing is run/, /--benchmark NAME/],
		[["mc-search:7", "-b", "nowhere"], /no benchmark "nowhere"|nowhere/, /hopscope/],
	])("refuses %j with what to do", async (args, what, remedy) => {
		const { code, err } = await hopscope("reproduce", ...args);
		expect(code).toBe(2);
		expect(err).toMatch(what);
		expect(err).toMatch(remedy);
		expect(await runsThere()).toEqual([]);
	});

	test("--dry-run says what would run", async () => {
		const { out, code } = await hopscope("reproduce", "mc-search:3", "-b", "towns", "-a", "extractive", "--dry-run");
		expect(code).toBe(0);
		expect(out).toMatch(/extractive.*0\/4[\s\S]*closed-book.*0\/4[\s\S]*oracle.*gold-sub-questions.*0\/4/);
		expect(await runsThere()).toEqual([]);
	});

	test("runs, judges, resumes without doing anything twice, and shares runs between tables", async () => {
		const args = ["agentic-rag-tracer:1", "-b", "towns", "-a", "extractive", "--judge", "rule", "--json"];
		const { code, json, err } = await hopscope("reproduce", ...args);
		expect(err).toContain("towns · extractive");
		expect(code).toBe(0);
		const { runs, views, missing } = json();
		expect(runs).toHaveLength(1);
		expect(missing).toEqual({ commands: [] });
		const [row, ...more] = own(views[0]);
		expect(more).toEqual([]);
		expect(row).toMatchObject({
			run: runs[0],
			cells: {
				"comparison-2-em": { is: "measured", measured: { expected: 2, scored: 2 } },
				"comparison-2-llm": { is: "measured", measured: { expected: 2, scored: 2 } },
				"inference-2-f1": { is: "measured", measured: { expected: 2 } },
				"inference-4-llm": { is: "unscored", reason: "the benchmark has no such task" },
			},
		});
		expect((await hopscope("reproduce", ...args)).json().runs).toEqual(runs);
		const other = await hopscope("reproduce", "agentic-rag-tracer:2", "-b", "towns", "-a", "extractive", "--json");
		expect(other.json().runs).toEqual(runs);
		expect(await runsThere()).toEqual(runs);
	});

	test("takes runs that are there, and writes them as LaTeX, CSV and Markdown", async () => {
		const [run = ""] = await runsThere();
		const file = join(workspace, "out/table.tex");
		const { code, err } = await hopscope("reproduce", "mc-search:3", "--runs", run, "-f", "latex", "-o", file);
		expect(code).toBe(0);
		expect(err).toContain(`--runs ${run} --judge`);
		const latex = await readFile(file, "utf8");
		expect(latex).toContain("\\textit{47.61}");
		expect(latex).toContain("run here");
		const { out } = await hopscope("reproduce", "mc-search:3", "--runs", run, "-f", "csv");
		expect(out.split("\n").filter((line) => line.startsWith("published,"))).toHaveLength(40);
		expect(out.split("\n").filter((line) => line.startsWith("plain,"))).toHaveLength(5);
		expect((await hopscope("reproduce", "mc-search:3", "--runs", run, "-f", "md")).out).toContain("| run here |");
	});

	test("mmhops:3 counts tasks with images only", async () => {
		const [run = ""] = (await hopscope("reproduce", "mmhops:3", "-b", "towns", "-a", "extractive", "--json")).json()
			.runs;
		const { views } = (await hopscope("reproduce", "mmhops:3", "--runs", run, "--json")).json();
		const [row] = own(views[0]);
		// the towns have bridge and comparison tasks, and none shows an image
		for (const key of ["overall", "comparison"])
			expect(row?.cells[key]).toMatchObject({ is: "unscored", reason: "the benchmark has no such task" });
	});
});
