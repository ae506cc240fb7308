import { createWriteStream, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import PDFDocument from "pdfkit";
import sharp from "sharp";
import { beforeAll, expect, test } from "vitest";
import { textPath } from "../bench/sample/glyphs.ts";
import { hopscope, temporaryFolder } from "./command-line.ts";
import { longDescribe } from "./long.ts";
import { commandsOn } from "./support/commands.ts";
import { zipOf } from "./support/corpus/sources.ts";

/** A folder of mixed documents becomes searchable with one command, as a person would do it. */

const folder = temporaryFolder();
const documents = join(folder, "office");
const workspace = join(folder, "workspace");
const onWorkspace = ["--workspace", workspace];
const inProcess = commandsOn(() => workspace);

interface Found {
	id: string;
	snippet: string;
	page?: number;
	regions?: { page: number; box: number[]; size: number[] }[];
}

function found({ code, out, err }: { code: number | null; out: string; err: string }): Found[] {
	expect(err).toBe("");
	expect(code).toBe(0);
	return (JSON.parse(out) as { results: Found[] }).results;
}
const search = async (...args: string[]) => found(await inProcess("search", ...args, "--json"));
/** The same in a process of its own. */
const searchApart = async (...args: string[]) => found(await hopscope(["search", ...args, "--json", ...onWorkspace]));

beforeAll(async () => {
	mkdirSync(documents);
	await writePdf(join(documents, "report.pdf"));
	await writeScan(join(documents, "letter.pdf"));
	writeFileSync(join(documents, "notice.png"), await scanOf(notice));
	writeFileSync(join(documents, "minutes.docx"), minutes());
	writeFileSync(
		join(documents, "site.html"),
		"<title>Harbour</title><main><h1>Harbour</h1><p>The harbour master of Sampleton is Ada Quill.</p></main>",
	);
	writeFileSync(join(documents, "notes.md"), "# Notes\n\nThe ferry to Testville leaves at nine.\n");
	writeFileSync(
		join(documents, "records.jsonl"),
		'{"title": "Quay", "text": "The quay was built of granite in 1871."}\n',
	);
	writeFileSync(join(documents, "torn.pdf"), readFileSync(join(documents, "report.pdf")).subarray(0, 200));
	const indexed = await hopscope(["index", documents, "--name", "office", "--scans", ...onWorkspace]);
	expect(indexed.code, indexed.err).toBe(0);
	expect(indexed.err).toMatch(/torn\.pdf: /);
	expect(indexed.err).toMatch(/reading, read: \d+\/\d+, 100 %/);
	expect(indexed.out).toMatch(/^office: \d+ passages, 6 pages, 1 image/);
	expect(indexed.out).toMatch(/Of 8 files 0 were read partly and 1 not/);
});

longDescribe("hopscope index, then search", () => {
	test("finds a fact of a PDF with its page, box and snippet", async () => {
		const [first] = await search("which lake froze in 1902");
		expect(first?.id).toMatch(/^office\/report\.pdf#page=2\.\d+$/);
		expect(first?.snippet).toContain("Lake Mirror froze in 1902");
		const [region] = first?.regions ?? [];
		expect(region).toMatchObject({ page: 1, size: [400, 500] });
		const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = region?.box ?? [];
		// the sentence was put at (60, 80)
		expect(Math.abs(x0 - 60)).toBeLessThan(4);
		expect(y0).toBeGreaterThan(76);
		expect(y1).toBeLessThan(110);
		expect(x1).toBeLessThan(345);
		const { out } = await inProcess("search", "which lake froze in 1902");
		expect(out).toMatch(/page 2, box 6\d \d+ \d+ \d+: .*Lake Mirror/);
	});

	test("finds what stands in a scan, a table of a Word file, a web page, notes and records", async () => {
		const questions = {
			"who signed the letter about the lighthouse": /letter\.pdf#page=1\.\d+$/,
			"what is forbidden on the breakwater": /notice\.png#page=1\.\d+$/,
			"budget for the pier": /minutes\.docx#page=1\.\d+$/,
			"harbour master of Sampleton": /site\.html#page=1\.\d+$/,
			"when does the ferry leave": /notes\.md#/,
			"granite quay": /records\.jsonl#1$/,
		};
		for (const [question, id] of Object.entries(questions)) expect((await search(question))[0]?.id).toMatch(id);
		expect((await search("budget for the pier"))[0]?.snippet).toContain("12,000");
	});

	test("finds pages, and only in the document that is named", async () => {
		const pages = await search("lake", "--target", "page", "--document", "office/report.pdf");
		expect(pages[0]).toMatchObject({ id: "office/report.pdf#page=2", page: 1 });
		expect(pages.every(({ id }) => id.startsWith("office/report.pdf#"))).toBe(true);
		const through = await search("lake froze", "--target", "page", "--through-passages");
		expect(through[0]?.id).toBe("office/report.pdf#page=2");
	});

	test("gives the same list twice, in two processes, in every mode", async () => {
		for (const mode of ["lexical", "dense", "hybrid"]) {
			const [one, two] = [
				await search("the harbour of the lake", "--mode", mode),
				await searchApart("the harbour of the lake", "--mode", mode),
			];
			expect(one.length).toBeGreaterThan(2);
			expect(two).toEqual(one);
		}
	});

	test("again after a change reads and indexes only the change", async () => {
		const before = await search("ferry");
		writeFileSync(join(documents, "notes.md"), "# Notes\n\nThe ferry to Testville leaves at ten.\n");
		const { code, out } = await inProcess("index", documents, "--name", "office", "--scans", "--json");
		expect(code).toBe(0);
		expect(JSON.parse(out)).toMatchObject({ documents: { ok: 7, partly: 0, failed: 1 } });
		const after = await search("ferry");
		expect(after[0]?.id).toBe(before[0]?.id);
		expect(after[0]?.snippet).toContain("at ten");
	});

	test("says in documents.jsonl how each file was read", () => {
		const lines = readFileSync(join(workspace, "corpora", "office", "documents.jsonl"), "utf8")
			.trim()
			.split("\n");
		const reports = lines.map((line) => JSON.parse(line) as { source: string; status: { is: string }; pages?: object });
		expect(reports).toHaveLength(8);
		const of = (name: string) => reports.find(({ source }) => source === `office/${name}`);
		expect(of("report.pdf")).toMatchObject({ status: { is: "ok" }, pages: { count: 2, ok: 2 } });
		expect(of("torn.pdf")).toMatchObject({ status: { is: "failed" } });
		expect(existsSync(join(workspace, "corpora", ".office.reading", "sheaves"))).toBe(true);
	});
});

async function writePdf(file: string): Promise<void> {
	const document = new PDFDocument({ size: [400, 500], margin: 60 });
	const out = document.pipe(createWriteStream(file));
	document.fontSize(18).text("Waters of the region", 60, 60);
	document.fontSize(10).text("This report lists the waters of the region and what is known of them.", 60, 100);
	document.addPage();
	document.fontSize(10).text("In a hard winter Lake Mirror froze in 1902 for three months.", 60, 80);
	document.end();
	await finished(out);
}

const letter = [
	"Dear council,",
	"the lighthouse needs a new lamp.",
	"The old one failed in the storm.",
	"Signed: Gregor Pine",
];
const notice = [
	"Notice to all visitors of the harbour",
	"Walking on the breakwater is forbidden in high wind.",
	"Boats are to be moored at the western quay.",
	"The harbour office is open from eight to four.",
	"Lost property is kept there for thirty days.",
	"Fires and fireworks are not allowed anywhere.",
];

/** A picture of a page with these lines. */
async function scanOf(lines: string[]): Promise<Buffer> {
	// drawn as outlines: a machine without fonts draws no text
	const drawn = lines.map((line, at) => textPath(line, { x: 120, y: 200 + at * 60, size: 36 })).join("");
	const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1240" height="1754"><rect width="1240" height="1754" fill="#fff"/>${drawn}</svg>`;
	return sharp(Buffer.from(svg)).png().toBuffer();
}

/** A page without a text layer: a picture of a letter. */
async function writeScan(file: string): Promise<void> {
	const picture = await scanOf(letter);
	const document = new PDFDocument({ size: "A4", margin: 0 });
	const out = document.pipe(createWriteStream(file));
	document.image(picture, 0, 0, { width: 595 });
	document.end();
	await finished(out);
}

function minutes(): Buffer {
	const text = (words: string) => `<w:p><w:r><w:t>${words}</w:t></w:r></w:p>`;
	const row = (...cells: string[]) => `<w:tr>${cells.map((cell) => `<w:tc>${text(cell)}</w:tc>`).join("")}</w:tr>`;
	const table = `<w:tbl>${row("Item", "Budget")}${row("Pier", "12,000")}${row("Benches", "800")}</w:tbl>`;
	const body = `<w:body>${text("Minutes of the council")}${table}</w:body>`;
	const main = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
	const relations = "http://schemas.openxmlformats.org/package/2006/relationships";
	const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument";
	const type = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml";
	const types = "http://schemas.openxmlformats.org/package/2006/content-types";
	return zipOf({
		"[Content_Types].xml": `<Types xmlns="${types}"><Override PartName="/word/document.xml" ContentType="${type}"/></Types>`,
		"_rels/.rels": `<Relationships xmlns="${relations}"><Relationship Id="r1" Type="${office}" Target="word/document.xml"/></Relationships>`,
		"word/document.xml": `<w:document xmlns:w="${main}">${body}</w:document>`,
	});
}
