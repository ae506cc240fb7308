import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBenchmark } from "#benchmarks";
import { commandsOn, makeTowns } from "../../../test/support/commands.ts";

let root: string;
const hopscope = commandsOn(() => join(root, "ws"));
beforeAll(async () => {
	root = await mkdtemp(join(tmpdir(), "hopscope-import-"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

async function file(name: string, content: unknown): Promise<string> {
	const path = join(root, name);
	await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
	return path;
}

const paragraph = (idx: number, title: string, paragraph_text: string) => ({
	...{ idx, title, paragraph_text, is_supporting: true },
});
const item = (id: string) => ({
	...{ id, question: "How many people live where Ana was born?", answer: "100", answer_aliases: [] },
	paragraphs: [paragraph(0, "Ana", "Ana was born in Town 1."), paragraph(1, "Town 1", "Town 1 has 100 inhabitants.")],
	question_decomposition: [
		{ id: 1, question: "Ana >> born in", answer: "Town 1", paragraph_support_idx: 0 },
		{ id: 2, question: "How many inhabitants has #1?", answer: "100", paragraph_support_idx: 1 },
	],
});

describe("hopscope import", () => {
	test("imports what is understood and tells every refused row by file and line", async () => {
		const path = await file(
			"m.jsonl",
			`${JSON.stringify(item("a"))}\n{"id": "b"}\nnot json\n${JSON.stringify(item("a"))}`,
		);
		const { code, err, json } = await hopscope("import", "musique", path, "--json");
		expect(code).toBe(0);
		expect(json()).toMatchObject({
			benchmark: "musique",
			verified: "files",
			rows: 4,
			tasks: 1,
			evidence: 2,
			refused: 3,
		});
		expect(err.split("\n").slice(0, 3)).toEqual([
			expect.stringMatching(/m\.jsonl:2 \(b\): at question: /),
			expect.stringMatching(/m\.jsonl:3: not JSON/),
			expect.stringMatching(/m\.jsonl:4 \(a\): another row has the same id/),
		]);
		const { manifest } = await openBenchmark(join(root, "ws/benchmarks/musique"));
		expect(manifest.losses?.some((loss) => loss.includes("m.jsonl:3"))).toBe(true);
		expect((await hopscope("run", "-b", "musique", "-a", "extractive", "--json")).code).toBe(0);
	});

	test("says of a form that no real file was read of that it is unverified", async () => {
		const path = await file("n.json", [
			{
				question: "Where?",
				answer: "Town 1",
				hop_1: { question: "Where?", answer: "Town 1", doc: '"Ana"\nAna lives in Town 1.' },
			},
		]);
		const { err } = await hopscope("import", "tracer", path);
		expect(err).toContain("unverified: no real file of AgenticRAGTracer");
		const { manifest } = await openBenchmark(join(root, "ws/benchmarks/tracer"));
		expect(manifest.description).toContain("Unverified");
	});

	test("rows refused for one and the same reason are told in one line that counts them", async () => {
		const row = (_id: string) => ({ _id, question: "Where?", answer: "Town 1", supporting_facts: [["Ana", 0]] });
		const whole = { ...row("a"), context: [["Ana", ["Ana was born in Town 1."]]] };
		const path = await file("w.json", [row("b"), whole, row("c"), { ...row("d"), context: [] }, 7]);
		const { code, err, json } = await hopscope("import", "two-wiki", path, "--json");
		expect(code).toBe(0);
		expect(json()).toMatchObject({ rows: 5, tasks: 1, refused: 4 });
		expect(err.split("\n").slice(0, 2)).toEqual([
			expect.stringMatching(/w\.json:1 \(b\): has no context.* \(and 2 more rows\)$/),
			expect.stringMatching(/w\.json:5: /),
		]);
		const { manifest } = await openBenchmark(join(root, "ws/benchmarks/two-wiki"));
		expect(manifest.losses?.filter((loss) => loss.includes("has no context"))).toHaveLength(3);
	});

	test("nothing understood is a failure with the reasons, and leaves what has that name alone", async () => {
		const path = await file("none.jsonl", '{"id": "b"}\n{"id": "c"}');
		const { code, err } = await hopscope("import", "musique", path);
		expect(code).toBe(1);
		expect(err).toContain("none of 2 rows was understood as a task of MuSiQue: at question");
		expect((await openBenchmark(join(root, "ws/benchmarks/musique"))).tasks).toHaveLength(1);
	});

	test("over a knowledge base that is there: evidence is found by its words, tasks without theirs are refused", async () => {
		await makeTowns(join(root, "ws"), { towns: 3 });
		const town = {
			...item("in"),
			paragraphs: [
				paragraph(0, "Town 2", " Town 2  has 200 inhabitants."),
				paragraph(1, "Town 1", "Town 1 has 100 inhabitants."),
			],
		};
		const path = await file("over.jsonl", `${JSON.stringify(town)}\n${JSON.stringify(item("out"))}`);
		const { code, err, json } = await hopscope(
			"import",
			"musique",
			path,
			"--knowledge",
			"towns",
			"--name",
			"over",
			"--json",
		);
		expect(code).toBe(0);
		expect(json()).toMatchObject({ tasks: 1, refused: 1 });
		expect(err).toContain('(out): its evidence "musique:ana-');
		const { tasks, manifest } = await openBenchmark(join(root, "ws/benchmarks/over"));
		expect(manifest.knowledge).toBe("towns");
		expect(tasks[0]?.chain?.hops.map((hop) => hop.evidence)).toEqual([["town#2"], ["town#1"]]);
		expect(tasks[0]?.context).toEqual(["town#2", "town#1"]);
	});

	test("documents that were read in before are not replaced, nor taken for others of the same number", async () => {
		const elsewhere = commandsOn(() => join(root, "ws-documents"));
		await makeTowns(join(root, "ws-documents"), { towns: 3 });
		await rm(join(root, "ws-documents/benchmarks/towns"), { recursive: true, force: true });
		const path = await file("again.jsonl", JSON.stringify(item("a")));
		const { code, json } = await elsewhere("import", "musique", path, "--name", "towns", "--json");
		expect({ code, error: json().error?.code }).toEqual({ code: 2, error: "corpus-exists" });
		const files = await Promise.all([
			file("corpus.jsonl", { _id: "town#1", title: "Elsewhere", text: "Words that stand nowhere." }),
			file("queries.jsonl", { _id: "q", text: "How many?", metadata: { answer: "100" } }),
			file("test.tsv", "query-id\tcorpus-id\tscore\nq\ttown#1\t1\n"),
		]);
		const other = await elsewhere("import", "beir", ...files, "--knowledge", "towns", "--json");
		expect(other.code).toBe(1);
		expect(other.err).toContain('its evidence "town#1" is not in the knowledge base');
	});

	test("questions without documents are imported, and it is told what they need", async () => {
		const path = await file("q.csv", "Question,Answer\nWho?,Ana\n");
		const { code, out, err } = await hopscope("import", "bamboogle", path);
		expect(code).toBe(0);
		expect(out).toContain("bamboogle: 1 task of 1 row, 0 documents; 0 refused");
		expect(err).toContain("no documents came with the questions");
	});

	test("questions on documents that did not come along wait for these, or are refused where that is wished", async () => {
		const row = {
			...{ doc_id: "town-1", doc_type: "x", question: "How many?", answer: "100", answer_format: "Int" },
			...{ evidence_pages: "[1]", evidence_sources: "['Pure-text (Plain-text)']" },
		};
		const path = await file("pages.json", [row]);
		for (const over of [[], ["--knowledge", "towns"]]) {
			const made = await hopscope("import", "mmlongbench-doc", path, ...over, "--force");
			expect(made.code).toBe(0);
			expect(made.out).toMatch(
				/1 of 1 task wait for 1 page in 1 document: hopscope benchmark attach mmlongbench-doc --documents DIR/,
			);
			const strict = await hopscope("import", "mmlongbench-doc", path, ...over, "--strict", "--json");
			expect({ code: strict.code, error: strict.json().error.code }).toEqual({ code: 1, error: "no-tasks" });
			expect(strict.err).toContain("--documents");
		}
	});

	test("lists the formats; names what it does not know", async () => {
		const { json } = await hopscope("import", "--list", "--json");
		expect(json().formats).toContainEqual(
			expect.objectContaining({ name: "morehopqa", verified: "files", writes: true }),
		);
		const listed = await hopscope("import", "--list");
		expect(listed.out).toMatch(/^multihop-rag .*\[unverified\]$/m);
		expect((await hopscope("import", "nothing", "x")).code).toBe(2);
		expect((await hopscope("import", "musique")).err).toContain("Name the files");
		expect((await hopscope("import", "musique", "x", "--mapping", join(root, "none.yaml"))).code).toBe(2);
	});
});

describe("hopscope export", () => {
	test("writes the form, says what is lost, and replaces only what it wrote", async () => {
		const to = join(root, "out-beir");
		const made = await hopscope("export", "musique", "--format", "beir", "--to", to, "--json");
		expect(made.code).toBe(0);
		expect(made.json()).toMatchObject({ format: "beir", rows: 3, losses: 0 });
		expect(await readFile(join(to, "qrels/items.tsv"), "utf8")).toMatch(/^query-id\tcorpus-id\tscore\na\tmusique:ana-/);
		expect((await hopscope("export", "musique", "-f", "musique", "-t", to)).code).toBe(0);
		expect(existsSync(join(to, "qrels"))).toBe(false);
		const [row] = (await readFile(join(to, "musique.jsonl"), "utf8"))
			.trim()
			.split("\n")
			.map((line) => JSON.parse(line));
		expect(row).toMatchObject(item("a"));
		await writeFile(join(root, "mine.txt"), "mine");
		expect(await hopscope("export", "musique", "-f", "beir", "-t", root)).toMatchObject({ code: 2 });
	});

	test("every form that is written writes a benchmark from elsewhere, or says why not", async () => {
		const { json } = await hopscope("import", "--list", "--json");
		const written = json().formats.filter((one: { writes: boolean }) => one.writes);
		for (const { name } of [...written, { name: "label-studio" }] as { name: string }[]) {
			const to = join(root, `musique-${name}`);
			const ended = await hopscope("export", "musique", "-f", name, "-t", to, "--json");
			const { rows, losses } = ended.json();
			expect({ name, ended: ended.code === (rows > 0 ? 0 : 1), told: rows > 0 || losses > 0 }).toEqual({
				...{ name, ended: true, told: true },
			});
			expect(existsSync(join(to, "export.json"))).toBe(true);
		}
	});

	test("an unknown form is a usage error", async () => {
		expect((await hopscope("export", "towns", "-f", "nothing", "-t", join(root, "x"))).code).toBe(2);
		expect((await hopscope("export", "nowhere", "-f", "beir", "-t", join(root, "x"))).code).toBe(2);
	});
});
