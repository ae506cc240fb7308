import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeBenchmark } from "#benchmarks";
import { createCorpus } from "#corpus";
import { Judgement, LabelledItem, Task } from "#domain";
import { buildKnowledge } from "#knowledge";
import { replyServer } from "#models";
import { calibrate, type Rubric, rubrics } from "#scoring";
import { csvRows, csvText, sha256 } from "#store";
import { commandsOn } from "../../../test/support/commands.ts";
import { calibrationText } from "./judge-calibrate-words.ts";

const tasks = 12;
let workspace: string;
let run: string;
let server: Awaited<ReturnType<typeof replyServer>>;

/** Right for two of three towns; the judge of the tests is wrong about town 0. */
const answered = (town: number) => (town % 3 === 2 ? "nobody" : `${town}00`);

beforeAll(async () => {
	workspace = await mkdtemp(join(tmpdir(), "hopscope-calibrate-"));
	const about = { name: "towns", licence: "CC0-1.0", sources: [] };
	const corpus = await createCorpus(join(workspace, "corpora/towns"), about);
	corpus.add({
		...{ kind: "passage", id: "town#0", document: "towns", title: "Towns", language: "en", form: "prose" },
		...{ text: "Towns have inhabitants.", sha256: sha256("towns"), provenance: { source: "test" } },
	});
	await corpus.finish();
	await buildKnowledge(join(workspace, "corpora/towns"), join(workspace, "knowledge/towns"));
	await writeBenchmark(join(workspace, "benchmarks/towns"), {
		manifest: { ...about, title: "Towns", description: "Sizes.", knowledge: "towns" },
		tasks: Array.from({ length: tasks }, (_, town) =>
			Task.parse({
				...{ id: `t${town}`, question: `How many inhabitants has Town ${town}?`, tags: { language: "en" } },
				answer: { type: "string", value: `${town}00`, accepted: [`${town}00`] },
			}),
		),
		card: "# Towns",
	});
	server = await replyServer(({ body }) => {
		const town = Number(/Town (\d+)\?/.exec(JSON.stringify(body.messages))?.[1]);
		if (body.model === "solver") return `<answer>${answered(town)}</answer>`;
		if (JSON.stringify(body.messages).includes("first failure"))
			return JSON.stringify({ reason: "Step 1.", label: town === 2 ? "fusion-calculation" : "retrieval-drift" });
		return JSON.stringify({ answer_reason: "Compared.", answer_score: town % 3 === 2 || town === 0 ? 0 : 2 });
	});
	run = (await hopscope("run", "-b", "towns", "-a", "tagged", "-m", `openai:solver@${server.url}`, "--json")).json()
		.run;
	await hopscope("judge", run, "--model", "rule", "--rubric", "tracer");
	await hopscope("judge", run, "--model", `openai:referee@${server.url}`, "--rubric", "tracer", "--times", "2");
});
afterAll(async () => {
	await server.close();
	await rm(workspace, { recursive: true, force: true });
});

const hopscope = commandsOn(() => workspace);

/** Draws answers and fills their grades in, as a person with a spreadsheet would. */
async function labelled(name: string, rater: string) {
	const file = join(workspace, name);
	const sample = await hopscope(
		"judge",
		"sample",
		run,
		"--stratify",
		"outcome",
		"--size",
		"9",
		"--rubric",
		"tracer",
		"--force",
		"-o",
		file,
	);
	const rows = [...csvRows(await readFile(file, "utf8"), ",")];
	const head = rows[1] ?? [];
	const at = (column: string) => head.indexOf(column);
	const filled = rows.map((row, index) =>
		index < 2
			? row
			: row.map((cell, column) => {
					if (column === at("rater")) return rater;
					if (column === at("grade")) return row[at("submitted")] === row[at("reference")] ? "right" : "wrong";
					return cell;
				}),
	);
	await writeFile(file, csvText(filled));
	return { file, sample, rows, head };
}

test("draws answers blind, in proportion, and the same again", async () => {
	const { sample, rows, head, file } = await labelled("ann.csv", "ann");
	expect(sample.code).toBe(0);
	expect(sample.out).toBe(`9 answers of 12, from 2 strata, for labelling: ${file}`);
	expect(rows[0]?.[0]).toMatch(/^# For labellers\./);
	expect(rows).toHaveLength(2 + 9);
	expect(head).toEqual(
		expect.arrayContaining(["id", "question", "reference", "submitted", "grade", "rater", "weight"]),
	);
	const text = JSON.stringify(rows.slice(1));
	for (const secret of [run, "tagged", "solver", "outcome", "accuracy", "Compared"]) expect(text).not.toContain(secret);
	const weights = rows.slice(2).map((row) => Number(row[head.indexOf("weight")]));
	expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(12, 9);
	const again = join(workspace, "again.jsonl");
	await hopscope("judge", "sample", run, "--stratify", "outcome", "--size", "9", "-o", again);
	const ids = (await readFile(again, "utf8"))
		.trim()
		.split("\n")
		.slice(1)
		.map((line) => JSON.parse(line).id);
	expect(ids).toEqual(rows.slice(2).map(([id]) => id));
	const there = await hopscope("judge", "sample", run, "-o", again);
	expect(there).toMatchObject({ code: 2, err: expect.stringContaining("is there already") });
	const many = await hopscope(
		"judge",
		"sample",
		run,
		"--stratify",
		"outcome",
		"--size",
		"1",
		"-o",
		join(workspace, "x.csv"),
	);
	expect(many).toMatchObject({ code: 2, err: expect.stringContaining("1 places for 2 strata") });
	const misspelt = await hopscope("judge", "sample", run, "--stratify", "langauge", "-o", join(workspace, "y.csv"));
	expect(misspelt).toMatchObject({ code: 2, err: expect.stringContaining('no task has the tag "langauge"') });
	const chainless = ["--rubric", "mc-search-errors", "-o", join(workspace, "y.csv")];
	expect((await hopscope("judge", "sample", run, ...chainless)).err).toContain("holds no answer to label");
});

test("compares a run's verdicts with two people's labels, and corrects its accuracy", async () => {
	const { file: ann } = await labelled("ann.csv", "ann");
	const { file: ben } = await labelled("ben.csv", "ben");
	const { code, json } = await hopscope(
		"judge",
		"calibrate",
		run,
		"--judge",
		`openai:referee@${server.url}`,
		"--labels",
		ann,
		ben,
		"--json",
	);
	expect(code).toBe(0);
	const report = json();
	expect(report).toMatchObject({ items: 12, labelled: 9, judge: { rubric: "tracer", readings: 24, unparsed: 0 } });
	expect(report.raters).toEqual([
		{ rater: "ann", kind: "human", items: 9 },
		{ rater: "ben", kind: "human", items: 9 },
	]);
	const grade = report.dimensions.find(({ name }: { name: string }) => name === "grade");
	expect(grade).toMatchObject({ reference: "humans", ceiling: { share: { value: 1 } }, flips: { value: 0 } });
	// repeats that were shown in another order are no repeats
	expect(grade.flips.n).toBeLessThan(12);
	expect(grade.confusion.labels).toEqual(["wrong", "right"]);
	// judged right where it is wrong: never
	expect(grade.confusion.counts[0][1]).toBe(0);
	expect(report.corrected[0]).toMatchObject({ system: "A", judged: 12, labelled: 9 });
	expect(report.corrected[0].ppi.value).toBeGreaterThan(report.corrected[0].uncorrected.value - 0.01);
	const { out } = await hopscope("judge", "calibrate", run, "--judge", "rule", "--labels", ann);
	expect(out).toMatch(/^judge rule \(rules over words, no model\), rubric tracer/);
	expect(out).toMatch(/same label %\s+100\.0/);
	expect(out).toContain("PPI++");
});

test("compares the labels of a rubric without grades: from the run to people's table and back", async () => {
	const judge = ["--model", `openai:referee@${server.url}`, "--rubric", "vistahop-failures"];
	expect((await hopscope("judge", run, ...judge)).code).toBe(0);
	const file = join(workspace, "failures.csv");
	const sample = await hopscope("judge", "sample", run, "--rubric", "vistahop-failures", "-o", file);
	// the answers that are not right, and no others
	expect(sample.out).toContain("4 answers of 4");
	const rows = [...csvRows(await readFile(file, "utf8"), ",")];
	expect(rows[0]?.[0]).toMatch(/steps that led to each answer.*retrieval-drift: searches went astray/);
	const head = rows[1] ?? [];
	const at = (column: string) => head.indexOf(column);
	expect(JSON.parse(rows[2]?.[at("steps")] ?? "")).toEqual([]);
	const filled = rows.map((row, index) =>
		index < 2
			? row
			: row.map((cell, column) => {
					if (column === at("rater")) return "ann";
					if (column !== at("labels")) return cell;
					return /Town [25]\?/.test(row[at("question")] ?? "") ? "Fusion calculation" : "retrieval-drift";
				}),
	);
	await writeFile(file, csvText(filled));
	const about = ["judge", "calibrate", run, "--rubric", "vistahop-failures", "--labels", file];
	const { code, json } = await hopscope(...about, "--json");
	expect(code).toBe(0);
	const { labels, dimensions, labelled } = json();
	expect({ dimensions, labelled }).toEqual({ dimensions: [], labelled: 4 });
	// people 2 and 2, judge 3 and 1
	expect(labels.confusion).toEqual({
		labels: ["retrieval-drift", "fusion-calculation"],
		counts: [
			[2, 0],
			[1, 1],
		],
	});
	expect(labels.humans).toMatchObject({ items: 4, share: { value: 0.75 }, kappa: { value: 0.5 } });
	const { out } = await hopscope(...about);
	expect(out).toMatch(/people \(rows\), judge +1 +2\n1 retrieval-drift +2 +0\n2 fusion-calculation +1 +1\n/);
	expect(out).toMatch(/retrieval-drift +0\.500.* 100\.0 \[.*\] +2 +66\.7 \[.*\] +3\n/);
	expect(out).toMatch(/share % of answers with label +judged, labelled +judge +Rogan-Gladen +PPI\+\+/);
	expect(out).toContain("retrieval-drift: this judge cannot correct");
	expect(out).not.toMatch(/Pearson|bias/);
	const asked = ["judge", "calibrate", file, "--model", `openai:referee@${server.url}`, "--json"];
	const again = (await hopscope(...asked)).json();
	expect(again.judge).toMatchObject({ rubric: "vistahop-failures", readings: 8, failed: {} });
	expect(again.labels.confusion).toEqual(labels.confusion);
});

test("reads what spreadsheets make of a file: semicolons, UTF-16, empty rows, more columns", async () => {
	const { file } = await labelled("ann.csv", "ann");
	const rows = [...csvRows(await readFile(file, "utf8"), ",")];
	const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
	const mangled = rows.flatMap((row, index) => [
		[...row, index === 1 ? "mine" : "; x"].map(quoted).join(";"),
		";".repeat(row.length),
	]);
	const other = join(workspace, "excel.csv");
	await writeFile(other, Buffer.from(`\ufeff${mangled.join("\r\n")}\r\n`, "utf16le"));
	const calibrate = async (labels: string) =>
		(await hopscope("judge", "calibrate", run, "--judge", "rule", "--labels", labels, "--json")).json();
	const read = await calibrate(other);
	expect(read.labelled).toBe(9);
	expect(read).toEqual(await calibrate(file));
});

test("sets two judges of one run against each other, without any label", async () => {
	const { json } = await hopscope(
		"judge",
		"calibrate",
		run,
		"--judge",
		"rule",
		"--against",
		`openai:referee@${server.url}`,
		"--subset-share",
		"0.5",
		"--subsets",
		"2",
		"--json",
	);
	const report = json();
	expect(report).toMatchObject({
		labelled: 0,
		judge: { model: "rule" },
		against: { model: `openai:referee@${server.url}` },
	});
	const grade = report.dimensions.find(({ name }: { name: string }) => name === "grade");
	// they part over town 0 only
	expect(grade).toMatchObject({ reference: "against", against: { items: 12, share: { value: 11 / 12 } } });
	expect(grade.consistency.subsets).toHaveLength(2);
	const { out } = await hopscope("judge", "calibrate", run, "--judge", "rule");
	expect(out).toContain("no person labelled anything here");
	expect(out).toContain("judge, uncorrected");
});

test("says what the corrected accuracy counts, and what its intervals leave out", () => {
	const items = ["a", "b", "c", "d"].map((id, index) =>
		LabelledItem.parse({
			...{ version: 1, id, question: id, reference: ["r"], cluster: "ladder", submitted: index === 3 ? null : "r" },
			labels: index === 3 ? [] : [{ rater: "ann", kind: "human", label: { is: "grade", grade: "right" } }],
		}),
	);
	const readings = items.map(({ id, submitted }) => ({
		...{ item: id, run: 0, first: "reference" as const },
		judgement: Judgement.parse({
			...{ is: "judged", by: "rule", value: 1, scores: {}, labels: [], reason: "" },
			grade: submitted === null ? "wrong" : "right",
		}),
	}));
	const rubric = rubrics.tracer as Rubric;
	const textOf = (some: LabelledItem[]) =>
		calibrationText(calibrate(some, { rubric, judge: { model: "rule", prompt: "0", readings } }));
	expect(textOf(items)).toMatch(/\(unnamed\) +4, 3 +75\.0/);
	expect(textOf(items)).toContain("1 record without an answer counted in every column");
	expect(textOf(items)).toContain("both corrections take answers as independent");
	const apart = items.slice(0, 3).map(({ cluster, ...item }) => item);
	expect(textOf(apart)).not.toMatch(/without an answer|as independent/);
});

test("asks a judge about a file of labels, and pays for each reply once", async () => {
	const { file } = await labelled("cy.csv", "cy");
	const ask = () =>
		hopscope("judge", "calibrate", file, "--model", `openai:second@${server.url}`, "--rubric", "tracer", "--json");
	server.requests.length = 0;
	const first = await ask();
	expect(first.json()).toMatchObject({ items: 9, labelled: 9, judge: { readings: 18 } });
	expect(server.requests).toHaveLength(18);
	expect(JSON.stringify(server.requests[0]?.body)).not.toContain("cy");
	const again = await ask();
	expect(server.requests).toHaveLength(18);
	expect(again.out).toBe(first.out);
});

test("says what is missing or foreign", async () => {
	const { file } = await labelled("dee.csv", "dee");
	const many = await hopscope("judge", "calibrate", run, "--labels", file);
	expect(many).toMatchObject({
		code: 2,
		err: expect.stringMatching(/more than one judge.*--judge rule --rubric tracer --seed 0/),
	});
	const nobody = await hopscope("judge", "calibrate", run, "--judge", "openai:other");
	expect(nobody).toMatchObject({ code: 2, err: expect.stringContaining("openai:other did not judge") });
	const earlier = await hopscope("judge", "calibrate", run, "--rubric", "vistahop");
	expect(earlier.err).toMatch(/nobody judged \S+ so\. There is: --judge rule --rubric tracer/);
	for (const [args, message] of [
		[["nowhere.csv", "--model", "rule"], "there is no file nowhere.csv"],
		[["nowhere", "--format", "ragchecker", "--model", "rule"], "there is no file nowhere"],
		[[file, "--model", "rule", "--rubric", "mc-search"], "no rule can stand in"],
		[[file, "--model", "rule", "--rubric", "mc-search-errors"], "no rule can stand in"],
		[[file], "no judge is named"],
	] as const) {
		const { code, err } = await hopscope("judge", "calibrate", ...args);
		expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining(message) });
	}
	const foreign = join(workspace, "foreign.jsonl");
	await writeFile(foreign, '{"version":1,"id":"x","question":"q","reference":["r"],"submitted":"s"}\n{"version":1\n');
	const other = await hopscope("judge", "calibrate", run, "--judge", "rule", "--labels", foreign);
	expect(other.code).toBe(2);
	expect(other.err).toContain("line 2: not JSON");
	expect(other.err).toContain("none of the 1 labelled item is an answer of");
	for (const [format, text] of [
		["hopscope", "\u0000\u0001{]"],
		["ragchecker", "{"],
		["ragchecker", "[1]"],
		["r1-searcher", "[]\n"],
	] as const) {
		await writeFile(foreign, text);
		const { code, err } = await hopscope("judge", "calibrate", foreign, "--format", format, "--model", "rule");
		expect(code).toBe(2);
		expect(err).not.toContain("unexpected failure");
	}
	expect((await hopscope("judge", "calibrate", file, "--rubric", "none", "--model", "rule")).err).toContain(
		'no rubric is called "none"',
	);
});
