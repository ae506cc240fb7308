import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { formats } from "#benchmarks";
import { ScoreRow } from "#domain";
import type { View } from "#reports";
import { commandsOn, makeTowns } from "../../../test/support/commands.ts";
import { exported } from "../../../test/support/studio-export.ts";

/*
 * How answers are scored, through the commands: the benchmark's mode, what overrides it, and who says which it was. Town n
 * was founded on 1 January 198n; one answer in two gives the bare year, which only mode `mmhops` takes for right.
 */

const towns = 4;
let root: string;
const workspace = () => join(root, "ws");
const hopscope = commandsOn(workspace);

const founded = (n: number) => ({
	question: `When was Town ${n} founded?`,
	answer: {
		...{ type: "time", value: `1 January 198${n}`, accepted: [`1 January 198${n}`] },
		time: { iso: `198${n}-01-01`, precision: "day" },
	},
	// the paper counts questions with an image
	images: [{ id: "town", file: "town.png", width: 1, height: 1, sha256: "0".repeat(64) }],
	tags: { language: "en", questionType: "bridge" },
});
const said = (n: number) => (n % 2 === 0 ? `1 January 198${n}` : `198${n}`);

beforeAll(async () => {
	root = await mkdtemp(join(tmpdir(), "hopscope-scoring-"));
	await mkdir(join(workspace(), "benchmarks/towns"), { recursive: true });
	await writeFile(join(workspace(), "benchmarks/towns/town.png"), "");
	await makeTowns(workspace(), { towns, more: founded });
});
afterAll(() => rm(root, { recursive: true, force: true }));

async function answers(name: string, agent = name): Promise<string> {
	const file = join(root, `${name}.jsonl`);
	const rows = Array.from({ length: towns }, (_, n) => JSON.stringify({ task: `t${n}`, prediction: said(n), agent }));
	await writeFile(file, rows.join("\n"));
	return file;
}
const jsonOf = async (...path: string[]) => JSON.parse(await readFile(join(workspace(), ...path), "utf8"));
const rowsOf = async (run: string) =>
	(await readFile(join(workspace(), "runs", run, "scores.jsonl"), "utf8"))
		.trim()
		.split("\n")
		.map((line) => ScoreRow.parse(JSON.parse(line)));
const own = (view: View | undefined) => view?.rows.filter(({ kind }) => kind !== "published") ?? [];

let run: string;

describe("a run", () => {
	test("is scored as its benchmark says, by hopscope where that says nothing, and every score names it", async () => {
		const made = await hopscope("score", await answers("first"), "-b", "towns");
		expect(made.out).toMatch(/^towns {2}4 tasks, 1 run, answers scored by hopscope$/m);
		run = /^run (\S+)$/m.exec(made.out)?.[1] ?? "";
		expect(await jsonOf("runs", run, "run.json")).toMatchObject({ scoring: "hopscope" });
		for (const { scoring, scores } of await rowsOf(run)) {
			expect(scoring).toBe("hopscope");
			for (const name of ["em", "f1", "accuracy"])
				expect(scores[name]).toMatchObject({ details: { mode: "hopscope" } });
		}
		const { runs, benchmarks } = (await hopscope("report", run, "--json")).json();
		expect([runs[0].scoring, benchmarks[0].scoring]).toEqual(["hopscope", "hopscope"]);
		expect(runs[0].metrics.accuracy.value).toBe(0.5);
	});

	test("can be read by another mode for once, which changes nothing in it", async () => {
		const { runs } = (await hopscope("report", run, "--scoring", "mmhops", "--json")).json();
		expect(runs[0]).toMatchObject({ scoring: "mmhops", metrics: { accuracy: { value: 1 } } });
		expect(await jsonOf("runs", run, "run.json")).toMatchObject({ scoring: "hopscope" });
		const csv = await hopscope("report", run, "--views", "by-topology", "--format", "md", "--scoring", "mmhops");
		expect(csv.out).toContain("- Answers scored by mmhops.");
	});

	test("is scored otherwise from now on where it is scored again so", async () => {
		const again = await hopscope("score", run, "--scoring", "mmhops", "--json");
		expect(again.err).toContain("its answers are scored by mmhops from now on, not by hopscope");
		expect(again.json().runs[0].metrics.accuracy.value).toBe(1);
		expect(await jsonOf("runs", run, "run.json")).toMatchObject({ scoring: "mmhops" });
		for (const { scoring, scores } of await rowsOf(run))
			expect([scoring, scores.accuracy]).toMatchObject(["mmhops", { value: 1, details: { mode: "mmhops" } }]);
		expect((await hopscope("report", run, "--json")).json().runs[0]).toMatchObject({ scoring: "mmhops" });
		expect((await hopscope("diagnose", run, "--json")).code).toBe(0);
		expect((await hopscope("score", run)).err).not.toContain("from now on");
		expect((await hopscope("score", run, "--scoring", "strict")).code).toBe(2);
	});
});

test("runs that are scored differently are not compared, and are no ranking", async () => {
	const made = await hopscope("score", await answers("second"), "-b", "towns");
	const other = /^run (\S+)$/m.exec(made.out)?.[1] ?? "";
	const refused = await hopscope("compare", run, other, "--json");
	expect(refused.code).toBe(2);
	expect(refused.err + refused.out).toMatch(/are scored by mmhops, those of \S+ by hopscope/);
	const alike = await hopscope("compare", run, other, "--scoring", "mmhops");
	expect(alike.code).toBe(0);
	expect(alike.out).toContain("Answers scored by mmhops.");
	const { benchmarks } = (await hopscope("report", run, other, "--json")).json();
	expect(benchmarks.map((one: { scoring: string; ranking: string[] }) => [one.scoring, one.ranking])).toEqual([
		["mmhops", [run]],
		["hopscope", [other]],
	]);
	const { out } = await hopscope("report", run, other, "--views", "by-topology");
	expect(out.replace(/\s+/g, " ")).toMatch(/Answers scored differently, so that accuracies do not compare: by mmhops/);
	const folder = join(root, "both");
	await hopscope("report", run, other, "--format", "html", "--out", folder);
	for (const [id, value] of [
		[run, "mmhops"],
		[other, "hopscope"],
	])
		expect(exported(join(folder, "index.html"), `${id}.run`).page.facts).toContainEqual({ name: "Scoring", value });
});

describe("hopscope run", () => {
	const runsThere = async () => (await readdir(join(workspace(), "runs"))).length;

	test("--scoring overrides the benchmark's mode, and resuming keeps it", async () => {
		const begun = await hopscope("run", "-b", "towns", "-a", "extractive", "--scoring", "absolute-0.1", "--json");
		expect(begun.json().runs[0]).toMatchObject({ scoring: "absolute-0.1" });
		const { run: id } = begun.json();
		expect(await jsonOf("runs", id, "run.json")).toMatchObject({ scoring: "absolute-0.1" });
		expect((await hopscope("run", "--resume", id, "--json")).json().runs[0]).toMatchObject({ scoring: "absolute-0.1" });
		const both = await hopscope("run", "--resume", id, "--scoring", "mmhops");
		expect(both.code).toBe(2);
	});

	test("a suite says how; lists multiply, and given again it resumes the same runs", async () => {
		const suite = join(root, "suite.yaml");
		await writeFile(
			suite,
			"defaults: { benchmark: towns, agent: extractive }\nruns:\n  - scoring: [hopscope, mmhops]\n  - k: 2\n",
		);
		const scorings = (ended: { runs: { scoring: string }[] }) => ended.runs.map(({ scoring }) => scoring).sort();
		const first = (await hopscope("run", suite, "--json")).json();
		expect(scorings(first)).toEqual(["hopscope", "hopscope", "mmhops"]);
		const before = await runsThere();
		expect(scorings((await hopscope("run", suite, "--json")).json())).toEqual(scorings(first));
		expect(await runsThere()).toBe(before);
		await writeFile(suite, "runs:\n  - { benchmark: towns, agent: extractive, scoring: lenient }\n");
		const wrong = await hopscope("run", suite);
		expect([wrong.code, wrong.err]).toEqual([2, expect.stringMatching(/line 2: .*scoring/)]);
	});
});

test("importers of sets with a protocol of their own set it as the benchmark's", () => {
	const stated = Object.values(formats).flatMap(({ name, scoring }) => (scoring ? [[name, scoring]] : []));
	expect(Object.fromEntries(stated)).toEqual({
		...{ mmhops: "mmhops", "mmlongbench-doc": "mmlongbench", tracer: "tracer-official" },
	});
});

describe("a published table", () => {
	test("mmhops:3 is scored by mmhops whatever its runs are scored by, unless something else is asked for", async () => {
		const other = (
			await hopscope("score", await answers("third"), "-b", "towns", "--scoring", "hopscope", "--json")
		).json();
		const shown = await hopscope("reproduce", "mmhops:3", "--runs", other.run, "--json");
		const [view] = shown.json().views as View[];
		expect(own(view)[0]?.cells.overall).toMatchObject({ is: "measured", measured: { value: 1 } });
		expect(view?.notes.join(" ")).toContain("Answers scored by mmhops.");
		expect(await jsonOf("runs", other.run, "run.json")).toMatchObject({ scoring: "hopscope" });
		const asked = await hopscope("reproduce", "mmhops:3", "--runs", other.run, "--scoring", "hopscope", "--json");
		const [otherwise] = asked.json().views as View[];
		expect(own(otherwise)[0]?.cells.overall).toMatchObject({ is: "measured", measured: { value: 0.5 } });
		expect(otherwise?.notes.join(" ")).toContain("Answers scored by hopscope. The table's own is mmhops.");
	});

	test("its own runs are planned with its mode", async () => {
		const made = await hopscope("reproduce", "mmhops:3", "-b", "towns", "-a", "extractive", "--json");
		for (const id of made.json().runs)
			expect(await jsonOf("runs", id, "run.json")).toMatchObject({ scoring: "mmhops" });
	});

	/** Six tasks of three ladders; two replies are alternatives of the final answer, which the released script never sees. */
	test("agentic-rag-tracer:1 has the released script's EM and F1, and says where it differs", async () => {
		const level = (n: number, at: number) => ({
			question: `Question ${n}.${at}?`,
			answer: `Answer ${n}.${at}`,
			doc: `"Document ${n}.${at}"\nIt says Answer ${n}.${at}.`,
			final_question: `Final question ${n}.${at}?`,
			final_answer: `Harbour ${n} ${at}`,
			refined_answer: `Port ${n} ${at}`,
			optional_answers: [`Harbour ${n} ${at}`, `Haven number ${n} ${at}`],
			...(at > 1 ? { qa_type: "inference" } : {}),
		});
		const rows = [1, 2, 3].map((n) => JSON.stringify({ hop_1: level(n, 1), hop_2: level(n, 2) }));
		await writeFile(join(root, "ladders.jsonl"), rows.join("\n"));
		await hopscope("import", "tracer", join(root, "ladders.jsonl"), "--name", "ladders");
		expect(await jsonOf("benchmarks/ladders/benchmark.json")).toMatchObject({ scoring: "tracer-official" });
		const replies = [1, 2, 3].flatMap((n) =>
			[1, 2].map((at) => ({
				question: `Final question ${n}.${at}?`,
				prediction: n === 3 ? [`Port 3 1`, `Haven number 3 2`][at - 1] : `harbour ${n}, ${at}`,
			})),
		);
		await writeFile(join(root, "replies.jsonl"), replies.map((reply) => JSON.stringify(reply)).join("\n"));
		const scored = (await hopscope("score", join(root, "replies.jsonl"), "-b", "ladders", "--json")).json();
		const valuesBy = async (mode: string) => {
			const { runs } = (await hopscope("report", scored.run, "--scoring", mode, "--json")).json();
			return ["em", "f1", "accuracy"].map((name) => runs[0].metrics[name].value as number);
		};
		expect(await valuesBy("hopscope")).toEqual([1, 1, 1]);
		const [em, f1, accuracy] = await valuesBy("tracer-official");
		expect([em, accuracy]).toEqual([4 / 6, 4 / 6]);
		// "Port 3 1" and "Haven number 3 2" share two of three, and two of four tokens with the final answer's three
		expect(f1).toBeCloseTo((4 + 2 / 3 + 4 / 7) / 6, 12);
		const [view] = (await hopscope("reproduce", "agentic-rag-tracer:1", "--runs", scored.run, "--json")).json()
			.views as View[];
		expect(own(view)[0]?.cells["inference-2-em"]).toMatchObject({ measured: { value: 2 / 3 } });
		expect(view?.notes.join(" ")).toMatch(/Answers scored by tracer-official\..*final_answer alone/);
	});
});
