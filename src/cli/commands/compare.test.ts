import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { commandsOn } from "../../../test/support/commands.ts";

let workspace: string;
const hopscope = commandsOn(() => workspace);

const towns = ["Lund", "Visby", "Ystad", "Kalmar", "Borgholm", "Umea"];
/** Every second answer is wrong; the file's judge takes the first wrong one for right. */
const transcript = (town: string, index: number) => ({
	question: `Which harbour serves ${town}?`,
	answer: `Port ${town}`,
	pred_ans: index % 2 === 0 ? `Port ${town}` : "Nowhere",
	stop_reason_final: "finished",
	gen_text_store: `Look. <|begin_of_query|> harbour of ${town}<|end_of_query|>\n<|begin_of_documents|>\n(1)${town}   ${town} is served by Port ${town}.\n(2)Sea   The sea is deep.\n<|end_of_documents|>\nSo.</think><answer>x</answer>`,
	gpt4o_output: index % 2 === 0 || index === 1 ? "True" : "False",
});

beforeAll(async () => {
	workspace = await mkdtemp(join(tmpdir(), "hopscope-compare-command-"));
	const lines = [...towns.map((town, index) => JSON.stringify(transcript(town, index))), "no JSON"];
	await writeFile(join(workspace, "made.jsonl"), lines.join("\n"));
});
afterAll(() => rm(workspace, { recursive: true, force: true }));

let run: string;

test("import makes a benchmark, a knowledge base and a scored run of transcripts, and names what it cannot read", async () => {
	const made = await hopscope("import", "r1-searcher", join(workspace, "made.jsonl"), "--name", "harbours", "--json");
	expect(made.err).toContain("line 7: not JSON");
	expect(made.json()).toMatchObject({
		benchmark: "harbours",
		tasks: 6,
		passages: 7,
		labels: 6,
		problems: [expect.any(String)],
	});
	run = made.json().run;
	const report = (await hopscope("report", run, "--json")).json();
	expect(report.runs[0]).toMatchObject({
		expected: 6,
		scored: 6,
		metrics: { accuracy: { value: 0.5 }, steps: { value: 1 } },
	});
	const again = await hopscope("import", "r1-searcher", join(workspace, "made.jsonl"), "--name", "harbours");
	expect([again.code, again.err]).toEqual([2, expect.stringContaining("--force")]);
	expect(
		(await hopscope("import", "r1-searcher", join(workspace, "made.jsonl"), "--name", "harbours", "--force")).code,
	).toBe(0);
});

test("the documents can be searched, and diagnosis says what needs a chain and what does not", async () => {
	const found = (await hopscope("search", "Port Kalmar", "--knowledge", "harbours", "--json")).json();
	expect(JSON.stringify(found)).toContain("Kalmar is served by Port Kalmar");
	const diagnosed = (await hopscope("diagnose", run, "--json")).json();
	expect(diagnosed).toBeDefined();
	const findings = await readFile(join(workspace, "runs", run, "findings.jsonl"), "utf8");
	const lines = findings
		.trim()
		.split("\n")
		.map((line) => JSON.parse(line));
	expect(lines.map(({ findings: all }) => all.map(({ is }: { is: string }) => is))).toEqual(
		towns.map((_, index) => (index % 2 === 0 ? [] : ["unsupported-answer"])),
	);
	for (const { notJudged } of lines)
		expect(notJudged[0]).toMatchObject({
			reason: "the task has no gold chain",
			what: expect.arrayContaining(["misread"]),
		});
});

test("judges of a run are compared with one another and with the labels that came with it", async () => {
	expect((await hopscope("compare", run, "--judges")).err).toContain("nobody judged");
	await hopscope("judge", run, "--model", "rule", "--rubric", "vistahop");
	const { agreements, labelled } = (await hopscope("compare", run, "--judges", "--json")).json();
	expect(labelled).toBe(6);
	// one of six grades differs: "Nowhere" for the second town
	expect(agreements).toMatchObject([
		{ dimension: "grade", a: "rule", b: "labels of gpt-4o", agreement: { items: 6, share: { value: 5 / 6 } } },
	]);
	const other = await hopscope("compare", run, "--judges", "openai:A");
	expect([other.code, other.err]).toEqual([2, expect.stringContaining("There is: rule")]);
	const table = await hopscope("compare", run, "--judges", "rule");
	expect(table.out).toContain("rule, labels of gpt-4o");
});

test("runs are compared in every format; what makes no sense exits with 2", async () => {
	const ran = await hopscope("run", "-b", "harbours", "-a", "extractive", "--json");
	const other = ran.json().run;
	const found = (await hopscope("compare", run, other, "--json", "--metric", "steps")).json();
	expect(found.pairs).toHaveLength(1);
	expect(found.pairs[0].metrics[0]).toMatchObject({ metric: "accuracy", expected: 6 });
	expect(found.views[0].name).toBe("compare-runs");
	const flips = [...found.pairs[0].flips.won, ...found.pairs[0].flips.lost];
	for (const { a } of flips) expect(a.reason).toBe("the task has no gold chain");
	expect((await hopscope("compare", run, other)).out).toContain("Differences in points");
	expect((await hopscope("compare", run, other, "--format", "latex")).out).toContain("\\toprule");
	expect((await hopscope("compare", run, other, "--format", "md")).out).toContain("| Accuracy");
	expect((await hopscope("compare", run, other, "--format", "csv")).out).toContain("Accuracy");
	const page = join(workspace, "page.html");
	await hopscope("compare", run, other, "--format", "html", "--out", page);
	expect(await readFile(page, "utf8")).toContain("<!doctype html>");
	for (const wrong of [
		[run],
		[run, run],
		[run, other, "--judges"],
		[run, other, "--labels", "x"],
		[run, other, "--by", "x"],
	])
		expect((await hopscope("compare", ...wrong)).code).toBe(2);
});
