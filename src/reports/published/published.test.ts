import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HopscopeError, noUsage, type Verdict } from "#domain";
import {
	fileName,
	type PublishedTable,
	publishedNames,
	publishedPapers,
	type ReportRun,
	readPublished,
	renderCsvAll,
	renderMarkdown,
	renderTerminalAll,
	reproduced,
	tablesLeftOut,
} from "#reports";
import { rubrics, slices, summarise } from "#scoring";
import { longTest } from "../../../test/long.ts";
import { makeWorld, playRun, type World } from "../../../test/report-runs.ts";
import { expectedItems } from "../summaries.ts";
import { viewNamed } from "../views/registry.ts";
import { renderLatex } from "../views/render/render-latex.ts";
import type { View, ViewRow } from "../views/view.ts";

const papers = "../shared/papers";
const texts: Record<string, string> = {
	"mc-search": "mc-search.txt",
	"agentic-rag-tracer": "agentic-rag-tracer.txt",
	vistahop: "vistahop.txt",
	"double-bench": "double-bench.txt",
	mmhops: "mmhops-r1.txt",
};

let dir: string;
let world: World;
let tables: PublishedTable[];
beforeAll(async () => {
	dir = await mkdtemp(join(tmpdir(), "hopscope-published-"));
	world = await makeWorld(dir, { count: 60 });
	tables = await Promise.all((await publishedNames()).map((name) => readPublished(name)));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const called = (name: string): PublishedTable => {
	const table = tables.find((one) => one.name === name);
	if (!table) throw new Error(name);
	return table;
};

describe("the published tables", () => {
	test("are one file each, all read, by names that tell the paper and the table", async () => {
		const files = await readdir("suites");
		expect(tables).toHaveLength(files.length);
		expect(files.every((file) => file.endsWith(".yaml"))).toBe(true);
		expect(tables.map(({ name }) => name)).toEqual(
			expect.arrayContaining(["mc-search:3", "mc-search:figure-5", "agentic-rag-tracer:2", "vistahop:9"]),
		);
		expect(tables.slice(0, 2).map(({ name }) => name)).toEqual(["mc-search:2", "mc-search:3"]);
	});

	test("ask for views and rubrics that there are", () => {
		for (const { view, rubric } of tables) {
			if (view !== undefined) expect(viewNamed(view)?.name).toBe(view);
			if (rubric !== undefined) expect(Object.keys(rubrics)).toContain(rubric);
		}
		for (const { values, rubric } of tables)
			if (values.some(({ measure }) => ["judged", "right", "wrong"].includes(measure ?? "")))
				expect(rubric).toBeDefined();
	});

	test("are scored as their paper scores, wherever answers are scored at all", () => {
		const modes: Record<string, string> = { mmhops: "mmhops", "agentic-rag-tracer": "tracer-official" };
		for (const [paper, mode] of Object.entries(modes)) {
			const own = tables.filter(({ name }) => name.startsWith(`${paper}:`));
			// statistics are counted of a benchmark: no answer is scored
			const said = own.filter(({ statistics }) => statistics === undefined).map(({ name, scoring }) => [name, scoring]);
			expect(said.length).toBeGreaterThan(1);
			expect(said).toEqual(said.map(([name]) => [name, mode]));
			for (const { statistics, scoring } of own) if (statistics !== undefined) expect(scoring).toBeUndefined();
		}
	});

	test("keep the digits as they were printed", () => {
		expect(called("mc-search:3").rows).toContainEqual(
			"Image-Initiated Chain|Close|Gemini-2.5-Flash|44.10|37.38|3.01|31.46|2.91|72.39".split("|"),
		);
		expect(called("mc-search:9").rows[1]).toEqual([
			"Gemini / Qwen",
			"0.9147 (0.00116)",
			"0.8145 (0.00360)",
			"-0.0083 (0.00082)",
			"0.9295 (0.08834)",
		]);
	});
});

describe.skipIf(!existsSync(papers))("against the papers' text (skipped where ../shared is not there)", () => {
	test("every row stands in its paper, number after number, behind its label", async () => {
		const missing: string[] = [];
		for (const table of tables) {
			const text = await textOf(table);
			missing.push(
				...linesOf(table).flatMap((line) => (holds(text, line) ? [] : [`${table.name}: ${line.join(" … ")}`])),
			);
		}
		expect(missing).toEqual([]);
	});

	test("every table and figure has a suite or a reason, one of the two", async () => {
		const said = [...tables.map(({ name }) => name), ...tablesLeftOut.flatMap(({ names }) => names)];
		for (const { name: paper } of publishedPapers) {
			const text = await readFile(join(papers, texts[paper] ?? ""), "utf8");
			const captions = [...text.matchAll(/^(Table|Figure) (\d+):/gm)].map(
				([, kind, number]) => `${paper}:${kind === "Figure" ? "figure-" : ""}${number}`,
			);
			expect(captions.length).toBeGreaterThan(7);
			const own = said.filter((name) => name.startsWith(`${paper}:`));
			// MMhops prints captions behind its tables, each on a line of its own too
			expect(own.sort(), paper).toEqual(captions.sort());
		}
		for (const { why, title } of tablesLeftOut) expect(`${title} ${why}`.length).toBeGreaterThan(30);
	});

	test("a row with one digit changed is not found", async () => {
		for (const table of tables) {
			const text = await textOf(table);
			for (const line of linesOf(table)) {
				const numbers = line.at(-1) ?? "";
				const digit = numbers.search(/\d(?=\D*$)/);
				const typo = `${numbers.slice(0, digit)}${(Number(numbers[digit]) + 5) % 10}${numbers.slice(digit + 1)}`;
				expect(holds(text, [...line.slice(0, -1), typo]), `${table.name}: ${typo}`).toBe(false);
			}
		}
	});
});

/** A paper's text with its spaces, citations and doubled formulas made plain. */
async function textOf({ name }: PublishedTable): Promise<string> {
	const file = join(papers, texts[name.split(":")[0] ?? ""] ?? "");
	return (await readFile(file, "utf8"))
		.replace(/\u2009/g, "")
		.replace(/\s+/g, " ")
		.replace(/ \([A-Za-z][^()]*\d{4}[^()]*\)| \(Ours\)/g, "")
		.replace(/(N=\d+)\1/g, "$1")
		.replace(/R([a-z]+)R_\{\\text\{\1\}\}/g, "R_$1")
		.replace(/(\d+\.\d+)-\1/g, "-$1");
}

/** For each row what must stand in the text: the label's last word and the numbers, or both somewhere near one another. */
function linesOf({ labels, rows, transposed, scattered }: PublishedTable): string[][] {
	const numbers = (row: readonly string[]) => row.slice(labels.length).filter((text) => text !== "~");
	const names = (row: readonly string[]) =>
		labels.flatMap(({ key }, place) => (key === transposed || row[place] === "~" ? [] : (row[place] ?? [])));
	if (scattered) return rows.flatMap((row) => numbers(row).map((number) => [row[0] ?? "", number]));
	const lines = new Map<string, { tail: string; numbers: string[] }>();
	for (const [at, row] of rows.entries()) {
		const key = transposed === undefined ? String(at) : JSON.stringify(names(row));
		const line = lines.get(key) ?? { tail: names(row).at(-1)?.split(" ").at(-1) ?? "", numbers: [] };
		line.numbers.push(...numbers(row));
		lines.set(key, line);
	}
	return [...lines.values()].map((line) => [[line.tail, ...line.numbers].filter(Boolean).join(" ")]);
}

function holds(text: string, line: readonly string[]): boolean {
	const escaped = line.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
	return new RegExp(`${escaped.join(".{0,80}?")}(?![\\d.]*\\d)`).test(text);
}

describe("a name", () => {
	test("that has no suite is refused with the reason", async () => {
		await expect(readPublished("mc-search:12")).rejects.toMatchObject({
			...{ code: "no-suite", exitCode: 2, remedy: expect.stringContaining("--list") },
			message: expect.stringContaining("settings of a training run"),
		});
	});

	test.each([
		"../package",
		"mc-search:3/../mc-search:4",
		"mc-search-3",
		"mc-search:3.yaml",
		"__proto__",
		"constructor",
		"",
		"mc-search:\u202e3",
		"x".repeat(100_000),
	])("that is no table is refused with those there are: %j", async (name) => {
		const error = await readPublished(name).catch((thrown: unknown) => thrown);
		expect(error).toBeInstanceOf(HopscopeError);
		expect(error).toMatchObject({ code: "unknown-table", exitCode: 2, remedy: expect.stringContaining("mc-search:3") });
		expect((error as Error).message.length).toBeLessThan(800);
	});

	test("property: any text is a table or refused", async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.oneof(fc.string(), fc.webPath(), fc.constantFrom(...tables.map(({ name }) => name))),
				async (name) => {
					const known = tables.some((table) => table.name === name);
					await expect(
						readPublished(name).then(
							({ name: read }) => read === name,
							() => false,
						),
					).resolves.toBe(known);
				},
			),
			{ numRuns: 40 },
		);
	});
});

describe("a file", () => {
	const good = `name: "a-paper:1"
source: A paper, Table 1
title: T
measures: M
labels: [{ key: model, title: Model, is: run }]
values: [{ key: f1, title: F1, unit: percent, measure: f1 }]
rows: [[A, 44.10]]
needs: { benchmark: tasks, model: none }
runs: [{ agent: extractive }]
differs: []
`;
	const read = async (text: string) => {
		const folder = await mkdtemp(join(dir, "suites-"));
		await writeFile(join(folder, "a-paper-1.yaml"), text);
		return readPublished("a-paper:1", { folder });
	};

	test("is read as it stands", async () => {
		await expect(read(good)).resolves.toMatchObject({ rows: [["A", "44.10"]], references: {}, remarks: [] });
	});

	test.each([
		["a row too short", good.replace("[A, 44.10]", "[A]"), /2 columns/],
		["a cell that is no number", good.replace("44.10", "44.1x"), /no number/],
		["a field unknown", `${good}more: 1\n`, /more/],
		["a measure unknown", good.replace("measure: f1", "measure: f2"), /measure/],
		["another name", good.replace("a-paper:1", "a-paper:2"), /calls itself/],
		["two columns of a key", good.replace("key: f1", "key: model"), /one key/],
		["no measure and no view", good.replace(", measure: f1", ""), /no measure/],
		["aliases", good.replace("differs: []", "differs: &a [x]\nremarks: *a"), /alias/i],
		["no YAML", "rows: [", /yaml|flow|sequence|\]/i],
		["too much of it", `${good}# ${"x".repeat(300_000)}`, /longer/],
		["no row that was printed", good.replace("[[A, 44.10]]", "[]"), /drawn/],
		["no column", good.replace(/values: .*\n/, "values: []\n"), /there are none/],
		["nothing to run and nothing to count", good.replace(/runs: .*\n/, ""), /one of the two/],
		[
			"a type of document that no task has",
			good.replace("measure: f1", "measure: f1, where: { documentType: scan }"),
			/scan/,
		],
		[
			"a modality that no task has",
			good.replace("measure: f1", "measure: f1, where: { evidenceModality: chart }"),
			/chart/,
		],
		["a prototype", `${good}__proto__: { polluted: true }\n`, /proto/],
	])("is refused with %s", async (_, text, message) => {
		await expect(read(text)).rejects.toThrow(message);
		expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
	});
});

describe("published rows and ours", () => {
	const extractive = () => playRun(world, { agent: "extractive", find: 0.6, read: 0.8, wander: 0.3, faults: true });
	const reference = (agent: string) =>
		playRun(world, { agent, reference: "to compare with", find: 0, read: 0.3, wander: 0 });
	const built = async (name: string, runs: ReportRun[], options = {}): Promise<View> => {
		const [view] = await reproduced(called(name), runs, options);
		if (!view) throw new Error("no view");
		return view;
	};
	const own = ({ rows }: View): ViewRow[] => rows.filter(({ kind }) => kind !== "published");

	longTest("without runs every table is what was printed, in every format, and nothing is measured", async () => {
		for (const table of tables) {
			const views = await reproduced(table, []);
			const [view] = views;
			expect(views).toHaveLength(1);
			expect(view?.rows).toHaveLength(table.rows.length);
			const cells = view?.rows.flatMap(({ kind, cells }) => {
				expect(kind).toBe("published");
				return Object.values(cells);
			});
			expect(cells?.some(({ is }) => is === "measured")).toBe(false);
			const shown = renderMarkdown(view as View).replaceAll(",", "");
			for (const row of table.rows)
				for (const text of row.slice(table.labels.length))
					if (text !== "~") expect(shown).toContain(text.replace(/[%,+]|^-| \(.*/g, ""));
			expect(renderLatex(view as View)).toContain(table.rows.length > 0 ? "\\begin{" : "a drawing");
			expect(renderCsvAll(views).split("\r\n").length).toBeGreaterThan(table.rows.length);
			if (cells?.some(({ is }) => is === "published")) expect(renderTerminalAll(views)).toContain("Published figures");
		}
	});

	test("ours are the metrics of the tasks that the row is of, with the runs they are read against in no row", async () => {
		const run = extractive();
		const view = await built("mc-search:3", [run, reference("closed-book"), reference("oracle")]);
		expect(own(view).map(({ run: id }) => id)).toEqual(Array(5).fill(run.manifest.id));
		const [slice] = slices(expectedItems(run), "topology").filter(({ name }) => name === "image-initiated-chain");
		const { value, low, high, expected } = summarise(slice?.items ?? [], { metric: "f1" });
		expect(own(view)[0]?.cells).toMatchObject({
			topology: { text: "Image-Initiated Chain" },
			kind: { text: "run here" },
			f1: { is: "measured", measured: { value, low, high, expected } },
			"delta-f1": { is: "measured", measured: { expected } },
			"golden-f1": { is: "measured" },
			lj: { is: "unscored", reason: expect.stringContaining("no verdicts by the rubric mc-search") },
		});
		expect(view.rows.filter(({ kind }) => kind === "published")).toHaveLength(40);
		expect(view.notes[0]).toContain("not over the paper's data");
	});

	test("over data that is called like the paper's the caution is another one", async () => {
		const run = extractive();
		const over = (name: string) => ({
			...run,
			manifest: { ...run.manifest, benchmark: { ...run.manifest.benchmark, name } },
		});
		expect((await built("mc-search:3", [over("mc-search-2026")])).notes[0]).toContain("was not checked");
		expect((await built("mmhops:4", [over("infoseek")])).notes[0]).toContain("was not checked");
		expect((await built("mc-search:3", [over("atlas")])).notes[0]).toContain("not over the paper's data");
	});

	test("tasks that fit no group are counted", async () => {
		const run = extractive();
		const shapes = slices(expectedItems(run), "topology");
		const outside = shapes.filter(({ name }) => name === "text-only-chain" || name === "text-fork");
		const count = outside.reduce((sum, { items }) => sum + items.length, 0);
		const view = await built("mc-search:14", [run]);
		expect(view.notes.join(" ")).toContain(`stand in no row: ${count}.`);
	});

	test("a reference that is asked for by name, or that stands alone, has rows", async () => {
		const runs = [extractive(), reference("oracle")];
		expect(own(await built("mc-search:3", runs))).toHaveLength(5);
		expect(own(await built("mc-search:3", runs, { agents: ["oracle"] }))).toHaveLength(10);
		expect(own(await built("mc-search:3", [reference("oracle")]))).toHaveLength(5);
	});

	test("runs that differ in k stand in one row, each in its columns", async () => {
		const at = (k: number): ReportRun => {
			const run = extractive();
			const setting = { ...run.manifest.setting, k, name: k === 3 ? "default" : `default k=${k}` };
			return { ...run, manifest: { ...run.manifest, id: `k-${k}`, setting } };
		};
		const view = await built("mc-search:14", [at(3), at(1)]);
		const [first] = own(view);
		expect(own(view)).toHaveLength(4);
		expect(first?.cells).toMatchObject({ "f1-1": { is: "measured" }, "f1-3": { is: "measured" } });
		expect(first?.cells["f1-5"]).toEqual({ is: "unscored", reason: "no run with k = 5" });
	});

	test("interventions are labelled as such", async () => {
		const run = extractive();
		const what = { is: "oracle-retrieval" } as never;
		const changed = { ...run, manifest: { ...run.manifest, intervention: { of: "x", what } } };
		expect(own(await built("mmhops:7", [changed]))).toMatchObject([{ kind: "intervention" }]);
	});

	test("what is read off the diagnosis says so where there is none", async () => {
		const [row] = own(await built("mc-search:figure-5", [extractive()]));
		expect(row?.cells.share).toMatchObject({ is: "measured", measured: { value: null, reason: "not diagnosed" } });
	});

	test("a judge's grades are shares that add up to one, abstentions among the wrong", async () => {
		const rubric = rubrics["double-bench"];
		if (!rubric) throw new Error("no rubric");
		const run = playRun(world, { agent: "closed-book", find: 0, read: 0.5, wander: 0, abstains: true });
		const grades = ["right", "partly-right", "wrong"] as const;
		const verdicts = run.records.map(({ task, repeat, attempt }, at): Verdict => {
			const grade = grades[at % 3] ?? "wrong";
			const judgement = { is: "judged", by: "model", value: grade === "right" ? 1 : 0, grade } as const;
			return {
				...{ version: 2, task, repeat, attempt, run: 0, usage: noUsage, ms: 1, at: "2026-05-01T10:00:00.000Z" },
				judge: { model: "openai:judge", rubric: rubric.name, prompt: rubric.prompt, seed: 0 },
				shown: { first: "reference", evidence: [], withoutText: 0 },
				judgement: { ...judgement, scores: {}, labels: [], reason: "" },
			};
		});
		const view = await built("double-bench:5", [{ ...run, verdicts }]);
		expect(view.notes.join(" ")).toContain("judged by openai:judge");
		const other = verdicts.map((verdict) => ({ ...verdict, judge: { ...verdict.judge, model: "openai:other" } }));
		const chosen = await built("double-bench:5", [{ ...run, verdicts: [...verdicts, ...other] }], {
			judge: "openai:other",
		});
		expect(chosen.notes.join(" ")).toContain("judged by openai:other,");
		const [row] = own(view);
		const shares = ["n-right", "n-partly", "n-wrong"].map((key) => {
			const cell = row?.cells[key];
			return cell?.is === "measured" ? (cell.measured.value ?? Number.NaN) : Number.NaN;
		});
		expect(shares).toEqual(shares.map(() => expect.closeTo(1 / 3, 1)));
		expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 10);
	});

	test("every table takes any run, and drops none", async () => {
		const run = extractive();
		for (const table of tables) {
			if (table.statistics !== undefined) continue;
			const [view, beside] = await reproduced(table, [run]);
			if (table.rows.length === 0) expect(view).toMatchObject({ name: fileName(table), source: table.source });
			else if (table.view === undefined) expect(own(view as View).length, table.name).toBeGreaterThan(0);
			else expect(beside?.name).toBe(table.view);
			for (const { cells } of own(view as View))
				for (const column of view?.columns ?? []) expect(cells[column.key], table.name).toBeDefined();
		}
	});
});
