import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import PDFDocument from "pdfkit";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { openBenchmark } from "#benchmarks";
import { tally } from "#domain";
import { temporaryFolder } from "./command-line.ts";
import { longTest } from "./long.ts";
import { type ReleasedRow, releasedDocuments, releasedRows } from "./support/benchmarks/double-bench-release.ts";
import { commandsOn } from "./support/commands.ts";

/** Rows of Double-Bench over its documents in either form: folders of page pictures as released, or PDF and HTML files. */

const folder = temporaryFolder();
const sample = join("..", "shared/data/forms/double-bench.single.sample.json");

/** Six pictures of pages, of which all documents are made. */
const pictures = await Promise.all(
	Array.from({ length: 6 }, (_, n) =>
		sharp({ create: { width: 120, height: 160, channels: 3, background: "white" } })
			.composite([
				{
					input: Buffer.from(
						`<svg width="120" height="160"><rect x="10" y="${20 + n * 9}" width="90" height="4"/></svg>`,
					),
				},
			])
			.jpeg()
			.toBuffer(),
	),
);

type Rows = Pick<ReleasedRow, "uid" | "doc_path" | "doc_type" | "reference_page">[];

function asPictures(root: string, rows: Rows): void {
	for (const [path, { pages }] of releasedDocuments(rows)) {
		mkdirSync(join(root, path), { recursive: true });
		for (let page = 0; page < pages; page += 1)
			writeFileSync(join(root, path, `${page}.jpg`), pictures[page % pictures.length] ?? "");
	}
}

/** HTML for rows on HTML, which are about as many pages long as wanted or longer; PDF for all others. */
async function asFiles(root: string, rows: Rows): Promise<void> {
	for (const [path, { type, pages }] of releasedDocuments(rows)) {
		mkdirSync(dirname(join(root, path)), { recursive: true });
		if (type === "HTML Pages") writeFileSync(join(root, `${path}.html`), htmlOf(pages));
		else writeFileSync(join(root, `${path}.pdf`), await pdfOf(pages));
	}
}

const paragraph = "The harbour of the town was built of granite and has been mended many times since. ".repeat(12);
const htmlOf = (pages: number) =>
	`<title>The harbour</title><main>${Array.from({ length: pages }, (_, n) => `<h2>Part ${n}</h2><p>${paragraph}</p><p>${paragraph}</p><p>Part ${n} ends.</p>`).join("")}</main>`;

async function pdfOf(pages: number): Promise<Buffer> {
	const document = new PDFDocument({ size: [200, 280], margin: 20 });
	for (let page = 0; page < pages; page += 1) {
		if (page > 0) document.addPage();
		document.fontSize(9).text(`Page ${page} tells of the harbour and its lights.`);
	}
	document.end();
	const chunks: Buffer[] = [];
	for await (const chunk of document as unknown as AsyncIterable<Buffer>) chunks.push(chunk);
	return Buffer.concat(chunks);
}

/** Indexes documents of one form and imports rows over them. */
async function imported(form: "pictures" | "files", name: string, rows: Rows, file: string) {
	const root = join(folder, name);
	if (form === "pictures") asPictures(root, rows);
	else await asFiles(root, rows);
	const hopscope = commandsOn(() => join(folder, `${name}-ws`));
	const index = await hopscope(
		"index",
		join(root, "docs"),
		"--name",
		"docs",
		"--ocr",
		"none",
		"--text-encoder",
		"none",
		"--json",
	);
	expect(index.code, index.err).toBe(0);
	const made = await hopscope("import", "double-bench", file, "-n", "docs", "--json");
	expect(made.code, made.err).toBe(0);
	return { index, made, hopscope, benchmark: await openBenchmark(join(folder, `${name}-ws/benchmarks/double-bench`)) };
}

/** Imports rows without documents, and attaches those of one form; what each row cites then is there, and what it named. */
async function attachedLater(form: "pictures" | "files", name: string, rows: Rows, file: string) {
	const root = join(folder, name);
	if (form === "pictures") asPictures(root, rows);
	else await asFiles(root, rows);
	const hopscope = commandsOn(() => join(folder, `${name}-ws`));
	const made = await hopscope("import", "double-bench", file, "--json");
	expect(made.code, made.err).toBe(0);
	const pages = new Set(rows.flatMap(({ doc_path, reference_page }) => reference_page.map((n) => `${doc_path}#${n}`)));
	expect(made.json()).toMatchObject({
		...{ rows: rows.length, tasks: rows.length, refused: 0, losses: 0 },
		waiting: { tasks: rows.length, pages: pages.size, documents: releasedDocuments(rows).size },
	});
	const documents = ["--documents", join(root, "docs"), "--ocr", "none"];
	const attached = await hopscope("benchmark", "attach", "double-bench", ...documents, "--json");
	expect(attached.code, attached.err).toBe(0);
	expect(attached.json()).toMatchObject({ cited: pages.size, waiting: { tasks: 0 }, missing: [], reasons: [] });
	const { tasks } = await openBenchmark(join(folder, `${name}-ws/benchmarks/double-bench`));
	const held = new Set(
		readFileSync(join(folder, `${name}-ws/corpora/double-bench/evidence.jsonl`), "utf8")
			.trimEnd()
			.split("\n")
			.map((line) => JSON.parse(line).id),
	);
	const cited = new Map(tasks.map(({ id, chain }) => [id, chain?.hops.flatMap(({ evidence }) => evidence) ?? []]));
	for (const { uid, doc_path, reference_page } of rows) {
		expect(cited.get(uid)?.filter((id) => !held.has(id))).toEqual([]);
		// folders of DIR, as attached, without the ending of a file
		expect(cited.get(uid)?.map((id) => id.replace(/\.(?:pdf|html)#/, "#"))).toEqual(
			reference_page.map((page) => `${doc_path.slice("docs/".length)}#page=${page + 1}`),
		);
	}
	const { json } = await hopscope("benchmark", "check", "double-bench", "--only", "graph", "evidence-ids", "--json");
	expect(json()).toMatchObject({ counts: { error: 0, warning: 0 }, findings: [] });
}

const write = (name: string, content: unknown): string => {
	const path = join(folder, name);
	writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
	return path;
};

const rows = releasedRows();

test("the made-up file has the released one's counts", () => {
	expect(rows).toHaveLength(2500);
	expect(tally(rows.map(({ doc_type }) => doc_type))).toEqual({
		...{ PDF: 1109, "HTML Pages": 956, Slides: 299, "Scanned Doc": 136 },
	});
	expect(rows.filter((row) => row.modality !== undefined && row.source_type === undefined)).toHaveLength(500);
	expect(rows.filter(({ reference_page }) => reference_page.length > 5)).toHaveLength(320);
	expect(rows.filter(({ reference_page }) => reference_page.length === 1)).toHaveLength(1211);
	expect(Math.max(...rows.map(({ reference_page }) => reference_page.length))).toBe(23);
	expect(new Set(rows.map(({ doc_path }) => doc_path)).size).toBe(1239);
	expect(rows.every(({ reference_page }) => new Set(reference_page).size === reference_page.length)).toBe(true);
	expect(rows.some(({ reference_page }) => reference_page.includes(0))).toBe(true);
	expect(Math.max(...rows.flatMap(({ reference_page }) => reference_page))).toBe(56);
});

describe("rows of every type of document, with either field, over documents", () => {
	// of each type one row with `modality` and the longest of those with `source_type`
	const few = [...new Set(rows.map(({ doc_type }) => doc_type))].flatMap((type) => {
		const ofType = rows.filter(({ doc_type }) => doc_type === type);
		const named = ofType.find(({ modality }) => modality);
		const long = ofType.find(({ modality, reference_page }) => !modality && reference_page.length > 5);
		return named && long ? [named, long] : [];
	});

	longTest("as folders of page pictures are all imported, their pages those of the pictures", async () => {
		const { made, benchmark } = await imported("pictures", "few-pictures", few, write("few.json", few));
		expect(made.json()).toMatchObject({ rows: 8, tasks: 8, refused: 0, losses: 0 });
		const [row] = few;
		expect(benchmark.tasks.find(({ id }) => id === row?.uid)?.chain?.hops[0]?.evidence).toEqual(
			row?.reference_page.map((page) => `${row.doc_path}#page=${page + 1}`),
		);
	});

	longTest("in folders that do not look like documents are attached where --page-folders names them", async () => {
		const [row] = few.filter(({ doc_type }) => doc_type === "PDF");
		const root = join(folder, "told-pictures");
		asPictures(root, row ? [row] : []);
		// a file beside them: no folder of pictures alone
		writeFileSync(join(root, row?.doc_path ?? "", "about.txt"), "Scanned in spring.");
		const hopscope = commandsOn(() => join(folder, "told-pictures-ws"));
		await hopscope("import", "double-bench", write("told.json", [row]), "--json");
		const attach = ["benchmark", "attach", "double-bench", "--documents", join(root, "docs"), "--ocr", "none"];
		const undetected = await hopscope(...attach);
		expect(undetected).toMatchObject({ code: 1, err: expect.stringContaining("--page-folders") });
		const told = await hopscope(...attach, "--page-folders", join(root, "docs"), "--json");
		expect(told.code, told.err).toBe(0);
		expect(told.json()).toMatchObject({ waiting: { tasks: 0 }, missing: [], reasons: [] });
	});

	longTest(
		"as PDF and HTML files are all imported, by the names of the files; that HTML is cut by length is told",
		async () => {
			const { made, benchmark, hopscope } = await imported("files", "few-files", few, join(folder, "few.json"));
			expect(made.json()).toMatchObject({ rows: 8, tasks: 8, refused: 0, losses: 1 });
			expect(made.err).toMatch(/8 of 8 documents stand in the knowledge base under other names/);
			expect(made.err).toMatch(/2 cited documents have no pages of their own and were cut by length/);
			for (const { doc_path, doc_type, uid, reference_page } of few) {
				const file = `${doc_path}${doc_type === "HTML Pages" ? ".html" : ".pdf"}`;
				expect(benchmark.tasks.find(({ id }) => id === uid)?.chain?.hops[0]?.evidence).toEqual(
					reference_page.map((page) => `${file}#page=${page + 1}`),
				);
			}
			// what is written in the released form has the released names again
			const exported = await hopscope(
				"export",
				"double-bench",
				"--format",
				"double-bench",
				"--to",
				join(folder, "out"),
			);
			expect(exported.code, exported.err).toBe(0);
			expect(JSON.parse(readFileSync(join(folder, "out/single_bench.json"), "utf8"))).toEqual(
				expect.arrayContaining(few),
			);
		},
	);

	longTest.each(["pictures", "files"] as const)("as %s that come later are all found", async (form) => {
		await attachedLater(form, `few-${form}-later`, few, write("few.json", few));
	});

	longTest("one document that comes later, named by its own folder of page pictures", async () => {
		const one = [{ ...few[0], uid: "one", doc_path: "docs/French/0042", reference_page: [0, 3] }] as Rows;
		asPictures(join(folder, "one"), one);
		const hopscope = commandsOn(() => join(folder, "one-ws"));
		await hopscope("import", "double-bench", write("one.json", one));
		const documents = ["--documents", join(folder, "one/docs/French/0042"), "--ocr", "none"];
		const attached = await hopscope("benchmark", "attach", "double-bench", ...documents, "--json");
		expect(attached.json()).toMatchObject({ cited: 2, evidence: 4, waiting: { tasks: 0 } });
		const corpus = JSON.parse(readFileSync(join(folder, "one-ws/corpora/double-bench/corpus.json"), "utf8"));
		expect(corpus.paging).toMatchObject([{ kind: "page-folder", documents: 1 }]);
	});

	longTest("under names that only a map knows", async () => {
		const root = join(folder, "mapped");
		for (const [name, pages] of Object.entries({ "harbour.pdf": 3, "light.pdf": 3, "light.html": 3, "quay.pdf": 3 })) {
			mkdirSync(join(root, "scans"), { recursive: true });
			writeFileSync(join(root, "scans", name), name.endsWith("pdf") ? await pdfOf(pages) : htmlOf(pages));
		}
		const hopscope = commandsOn(() => join(folder, "mapped-ws"));
		await hopscope("index", join(root, "scans"), "--name", "docs", "--text-encoder", "none");
		const row = (uid: string, doc_path: string, page = 1) => ({ ...few[0], uid, doc_path, reference_page: [page] });
		const cited = [
			row("a", "docs/0001"),
			row("b", "docs/0002"),
			row("c", "docs/0003"),
			row("d", "docs/0004"),
			row("e", "docs/0001", 7),
		];
		const file = write("mapped.json", cited);
		const names = { "docs/0001": "scans/harbour", "docs/0002": "scans/light", "docs/0003": "scans/nowhere.pdf" };
		for (const [map, content] of [
			["documents.map", names],
			[
				"documents.yaml",
				Object.entries(names)
					.map((pair) => pair.join(": "))
					.join("\n"),
			],
			[
				"documents.csv",
				`row,document\n${Object.entries(names)
					.map((pair) => pair.join(","))
					.join("\n")}\n`,
			],
			[
				"documents.jsonl",
				Object.entries(names)
					.map(([from, to]) => JSON.stringify({ from, to }))
					.join("\n"),
			],
		] as const) {
			const made = await hopscope(
				"import",
				"double-bench",
				file,
				"-n",
				"docs",
				"--force",
				"--documents-map",
				write(map, content),
				"--strict",
				"--json",
			);
			expect(made.code, made.err).toBe(0);
			expect(made.json()).toMatchObject({ rows: 5, tasks: 1, refused: 4 });
			const reasons = made.json().refusals.map(({ id, reason }: { id: string; reason: string }) => [id, reason]);
			expect(reasons).toEqual([
				[
					"b",
					'its document "docs/0002" could be "scans/light.html" or "scans/light.pdf": say which with --documents-map',
				],
				["c", 'its document "docs/0003" is "scans/nowhere.pdf" by the map, which is not in the knowledge base'],
				["d", 'its evidence "docs/0004#page=2" is not there: name it with --documents or --knowledge'],
				["e", '"scans/harbour.pdf" has no page 8'],
			]);
		}
		const waits = await hopscope("import", "double-bench", file, "-n", "docs", "--force", "--json");
		expect(waits.json()).toMatchObject({ rows: 5, tasks: 5, refused: 0, waiting: { tasks: 5 } });
		const attach = ["benchmark", "attach", "double-bench", "-n", "docs"] as const;
		const later = await hopscope(...attach, "--documents-map", join(folder, "documents.map"), "--json");
		expect(later).toMatchObject({ code: 3, err: expect.stringContaining('"docs/0002" could be "scans/light.') });
		expect(later.json()).toMatchObject({ cited: 1, waiting: { tasks: 4, pages: 4 } });
		expect(later.json().reasons).toHaveLength(3);
		const twice = write("twice.csv", "row,document\ndocs/0001,a\ndocs/0001,b\n");
		const refused = await hopscope("import", "double-bench", file, "-n", "docs", "--documents-map", twice);
		expect([refused.code, refused.err]).toEqual([2, expect.stringMatching(/"docs\/0001" is both "a" and "b"/)]);
		const same = write("same.json", [row("a", "scans/quay"), row("b", "scans/quay.html"), row("c", "scans/quay.pdf")]);
		const { json } = await hopscope("import", "double-bench", same, "-n", "docs", "--force", "--strict", "--json");
		expect(json()).toMatchObject({ tasks: 1, refused: 2 });
		expect(json().refusals[0].reason).toMatch(
			/"scans\/quay" and "scans\/quay.html" and "scans\/quay.pdf" would .*be "scans\/quay.pdf"/,
		);
	});
});

describe.each(["pictures", "files"] as const)("in the form of %s", (form) => {
	longTest.skipIf(!existsSync(sample))(
		"the released sample is imported whole",
		async () => {
			const released = JSON.parse(readFileSync(sample, "utf8")) as Rows;
			const { made } = await imported(form, `sample-${form}`, released, sample);
			expect(made.json()).toMatchObject({ rows: released.length, tasks: released.length, refused: 0 });
		},
		300_000,
	);

	longTest.skipIf(!existsSync(sample))(
		"the released sample's documents are attached later",
		async () => {
			await attachedLater(form, `sample-${form}-later`, JSON.parse(readFileSync(sample, "utf8")) as Rows, sample);
		},
		300_000,
	);

	longTest(
		"2,500 rows are imported whole",
		async () => {
			const { made } = await imported(form, `all-${form}`, rows, write(`all-${form}.json`, rows));
			expect(made.json()).toMatchObject({ rows: 2500, tasks: 2500, refused: 0 });
		},
		900_000,
	);

	longTest(
		"documents of 2,500 rows are attached later",
		async () => {
			await attachedLater(form, `all-${form}-later`, rows, write(`all-${form}.json`, rows));
		},
		900_000,
	);
});
