import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { longTest } from "../../../test/long.ts";
import { picture, putFiles, readAlone, zipOf } from "../../../test/support/corpus/sources.ts";
import { docx } from "./docx.ts";
import { pptx } from "./pptx.ts";

let root: string;
beforeEach(async () => {
	root = await mkdtemp(join(tmpdir(), "hopscope-office-"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const relations = (...entries: [id: string, type: string, target: string][]) =>
	`<Relationships>${entries.map(([id, type, target]) => `<Relationship Id="${id}" Type="http://x/relationships/${type}" Target="${target}"/>`).join("")}</Relationships>`;

type Parts = Record<string, string | Uint8Array>;

const wordFile = (body: string, parts: Parts = {}, related: Parameters<typeof relations> = []): Parts => ({
	"[Content_Types].xml": "<Types/>",
	"_rels/.rels": relations(["rId1", "officeDocument", "word/document.xml"]),
	"word/document.xml": `<?xml version="1.0"?><w:document><w:body>${body}</w:body></w:document>`,
	"word/_rels/document.xml.rels": relations(...related),
	...parts,
});
const paragraph = (text: string, style?: string) =>
	`<w:p><w:pPr>${style ? `<w:pStyle w:val="${style}"/>` : ""}</w:pPr><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
const readWord = async (body: string, parts?: Parts, related?: Parameters<typeof relations>) => {
	await putFiles(root, { "a.docx": zipOf(wordFile(body, parts, related)) });
	return readAlone(docx, root, "a.docx");
};

describe("a word-processor file", () => {
	test("gives headings, lists, tables, figures with captions, notes and margins", async () => {
		const styles = `<w:styles><w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>
<w:style w:styleId="Own"><w:name w:val="My chapter"/><w:basedOn w:val="berschrift1"/></w:style>
<w:style w:styleId="Deep"><w:name w:val="Deep"/><w:pPr><w:outlineLvl w:val="2"/></w:pPr></w:style>
<w:style w:styleId="Loop"><w:name w:val="Loop"/><w:basedOn w:val="Loop"/></w:style></w:styles>`;
		const item = (text: string, level: number) =>
			`<w:p><w:pPr><w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;
		const cell = (text: string, properties = "") => `<w:tc><w:tcPr>${properties}</w:tcPr>${paragraph(text)}</w:tc>`;
		const body = `${paragraph("The river", "Own")}${paragraph("Sources", "Deep")}
<w:p><w:r><w:t>It fl</w:t></w:r><w:ins><w:r><w:t>ows</w:t></w:r></w:ins><w:del><w:r><w:delText>stands</w:delText></w:r></w:del><w:r><w:tab/><w:t>west</w:t><w:footnoteReference w:id="4"/></w:r></w:p>
${paragraph("turning", "Loop")}${item("Toledo", 0)}${item("Old town", 1)}
<w:tbl><w:tr><w:trPr><w:tblHeader/></w:trPr>${cell("place")}${cell("reach", '<w:gridSpan w:val="2"/>')}</w:tr>
<w:tr>${cell("Spain", '<w:vMerge w:val="restart"/>')}${cell("1")}${cell("716 km")}</w:tr>
<w:tr>${cell("", "<w:vMerge/>")}${cell("2")}${cell("90 km")}</w:tr></w:tbl>${paragraph("Table 1: lengths", "Caption")}
<w:p><w:r><mc:AlternateContent><mc:Choice><w:drawing><wp:docPr descr="A red box"/><a:blip r:embed="rId7"/></w:drawing></mc:Choice><mc:Fallback><w:pict><v:imagedata r:id="rId7"/></w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>
<w:p><w:r><w:drawing><wps:txbx><w:txbxContent>${paragraph("In a box")}</w:txbxContent></wps:txbx></w:drawing></w:r></w:p>
<w:sectPr><w:headerReference r:id="rId8"/></w:sectPr>`;
		const related: Parameters<typeof relations> = [
			["rId5", "styles", "styles.xml"],
			["rId6", "footnotes", "footnotes.xml"],
			["rId7", "image", "media/red.png"],
			["rId8", "header", "header1.xml"],
			["rId9", "image", "../../../../etc/passwd.png"],
		];
		const parts = {
			"word/styles.xml": styles,
			"word/footnotes.xml": `<w:footnotes><w:footnote w:id="4">${paragraph("As of 1995.")}</w:footnote></w:footnotes>`,
			"word/media/red.png": await picture("#f00"),
			"word/header1.xml": `<w:hdr>${paragraph("Draft &amp; secret")}</w:hdr>`,
		};
		const { pages, images, characters, problems } = await readWord(body, parts, related);
		expect(problems).toEqual([]);
		const blocks = pages[0]?.blocks ?? [];
		expect(blocks.map(({ kind, level, text }) => [kind, level, text])).toEqual([
			["header", undefined, "Draft & secret"],
			["heading", 1, "The river"],
			["heading", 3, "Sources"],
			["text", undefined, "It flows\twest[1]"],
			["text", undefined, "turning"],
			["list", undefined, "Toledo\n  Old town"],
			["table", undefined, "place | reach\nSpain | 1 | 716 km\n2 | 90 km"],
			["caption", undefined, "Table 1: lengths"],
			["figure", undefined, ""],
			["text", undefined, "In a box"],
			["text", undefined, "[1] As of 1995."],
		]);
		expect(blocks[6]).toMatchObject({ caption: 7 });
		expect(blocks[6]?.cells?.map(({ rows, columns, header }) => [rows, columns, header]).slice(0, 3)).toEqual([
			[1, 1, true],
			[1, 2, true],
			[2, 1, false],
		]);
		expect(images).toMatchObject([{ caption: "A red box", width: 60, title: "The river" }]);
		expect(blocks[8]?.image).toBe(images[0]?.id);
		expect(characters).toEqual({ source: characters?.read, read: characters?.read });
	});

	test("keeps pictures that stand in a table after it", async () => {
		const cell = (inner: string) => `<w:tc><w:p><w:r>${inner}</w:r></w:p></w:tc>`;
		const image = `<w:drawing><wp:docPr descr="Seal"/><a:blip r:embed="r"/></w:drawing>`;
		const { pages, images } = await readWord(
			`<w:tbl><w:tr>${cell("<w:t>left</w:t>")}${cell(image)}</w:tr></w:tbl>`,
			{ "word/m.png": await picture("#0f0") },
			[["r", "image", "m.png"]],
		);
		expect(pages[0]?.blocks?.map(({ kind }) => kind)).toEqual(["table", "figure"]);
		expect(images).toMatchObject([{ caption: "Seal" }]);
	});

	test("keeps charts and diagrams as tables and lists", async () => {
		const series = (name: string, values: number[]) =>
			`<c:ser><c:tx><c:strRef><c:strCache><c:pt idx="0"><c:v>${name}</c:v></c:pt></c:strCache></c:strRef></c:tx><c:cat><c:strRef><c:strCache><c:pt idx="0"><c:v>East</c:v></c:pt><c:pt idx="1"><c:v>West</c:v></c:pt></c:strCache></c:strRef></c:cat><c:val><c:numRef><c:numCache>${values.map((value, at) => `<c:pt idx="${at}"><c:v>${value}</c:v></c:pt>`).join("")}</c:numCache></c:numRef></c:val></c:ser>`;
		const title = "<c:title><c:tx><c:rich><a:p><a:r><a:t>Rain</a:t></a:r></a:p></c:rich></c:tx></c:title>";
		const { pages } = await readWord(
			`<w:p><w:r><w:drawing><c:chart r:id="rId1"/></w:drawing></w:r></w:p><w:p><w:r><w:drawing><dgm:relIds r:dm="rId2"/></w:drawing></w:r></w:p>`,
			{
				"word/charts/c.xml": `<c:chartSpace><c:chart>${title}<c:plotArea>${series("2020", [1, 2])}${series("2021", [3])}</c:plotArea></c:chart></c:chartSpace>`,
				"word/diagrams/d.xml": `<dgm:dataModel><dgm:pt><a:t>Plan</a:t></dgm:pt><dgm:pt/><dgm:pt><a:t>Do</a:t></dgm:pt></dgm:dataModel>`,
			},
			[
				["rId1", "chart", "charts/c.xml"],
				["rId2", "diagramData", "diagrams/d.xml"],
			],
		);
		expect(pages[0]?.blocks?.map(({ kind, text }) => [kind, text])).toEqual([
			["table", " | 2020 | 2021\nEast | 1 | 3\nWest | 2 | "],
			["caption", "Rain"],
			["list", "Plan\nDo"],
		]);
	});

	longTest("never loses a written character, whatever stands in what", async () => {
		const text = fc.stringMatching(/^[a-z0-9 é]{1,10}$/);
		const { node } = fc.letrec<{ node: string }>((tie) => ({
			node: fc.oneof(
				{ depthSize: "small" },
				text.map((words) => paragraph(words)),
				text.map((words) => paragraph(words, "Heading2")),
				text.map((words) => paragraph(words, "Caption")),
				fc
					.array(tie("node"), { maxLength: 3 })
					.map((inner) => `<w:sdt><w:sdtContent>${inner.join("")}</w:sdtContent></w:sdt>`),
				fc
					.array(fc.array(tie("node"), { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 })
					.map(
						(rows) =>
							`<w:tbl>${rows.map((row) => `<w:tr>${row.map((inner) => `<w:tc><w:tcPr><w:vMerge/></w:tcPr>${inner}</w:tc>`).join("")}</w:tr>`).join("")}</w:tbl>`,
					),
				tie("node").map(
					(inner) => `<w:p><w:r><w:drawing><w:txbxContent>${inner}</w:txbxContent></w:drawing></w:r></w:p>`,
				),
			),
		}));
		await fc.assert(
			fc.asyncProperty(fc.array(node, { minLength: 1, maxLength: 4 }), async (nodes) => {
				const { characters } = await readWord(paragraph("x") + nodes.join(""));
				expect(characters?.read).toBe(characters?.source);
			}),
			{ numRuns: 40 },
		);
	});
});

const slideFile = (
	slides: string[],
	parts: Parts = {},
	related: Record<number, Parameters<typeof relations>> = {},
): Parts => ({
	"_rels/.rels": relations(
		["rId1", "officeDocument", "ppt/presentation.xml"],
		["rId2", "core-properties", "docProps/core.xml"],
	),
	"docProps/core.xml": "<cp:coreProperties><dc:title>PowerPoint Presentation</dc:title></cp:coreProperties>",
	"ppt/presentation.xml": `<p:presentation><p:sldIdLst>${slides.map((_, at) => `<p:sldId id="${256 + at}" r:id="s${at}"/>`).join("")}</p:sldIdLst><p:sldSz cx="9144000" cy="6858000"/></p:presentation>`,
	"ppt/_rels/presentation.xml.rels": relations(
		...slides.map((_, at): [string, string, string] => [`s${at}`, "slide", `slides/slide${at}.xml`]),
	),
	...Object.fromEntries(
		slides.map((slide, at) => [
			`ppt/slides/slide${at}.xml`,
			`<p:sld><p:cSld><p:spTree>${slide}</p:spTree></p:cSld></p:sld>`,
		]),
	),
	...Object.fromEntries(
		slides.map((_, at) => [
			`ppt/slides/_rels/slide${at}.xml.rels`,
			relations(["l", "slideLayout", "../slideLayouts/l.xml"], ...(related[at] ?? [])),
		]),
	),
	...parts,
});
const frame = (x: number, y: number, width: number, height: number) =>
	`<a:xfrm><a:off x="${x * 12700}" y="${y * 12700}"/><a:ext cx="${width * 12700}" cy="${height * 12700}"/></a:xfrm>`;
const lines = (...texts: string[]) => texts.map((text) => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`).join("");
const shape = (text: string, place = "", placeholder = "") =>
	`<p:sp><p:nvSpPr><p:nvPr>${placeholder}</p:nvPr></p:nvSpPr><p:spPr>${place}</p:spPr><p:txBody>${text}</p:txBody></p:sp>`;

describe("slides", () => {
	const layout = `<p:sldLayout>${shape("", frame(36, 20, 648, 60), '<p:ph type="title"/>')}</p:sldLayout>`;

	test("are pages with boxes in points, in reading order, with tables, pictures and notes", async () => {
		const table = `<p:graphicFrame><p:xfrm><a:off x="0" y="${400 * 12700}"/><a:ext cx="1270000" cy="635000"/></p:xfrm><a:graphic><a:graphicData><a:tbl><a:tblPr firstRow="1"/><a:tr><a:tc gridSpan="2"><a:txBody>${lines("head")}</a:txBody></a:tc><a:tc hMerge="1"/></a:tr><a:tr><a:tc><a:txBody>${lines("a")}</a:txBody></a:tc><a:tc><a:txBody>${lines("b")}</a:txBody></a:tc></a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>`;
		const group = `<p:grpSp><p:grpSpPr><a:xfrm><a:off x="${100 * 12700}" y="${200 * 12700}"/><a:ext cx="2540000" cy="2540000"/><a:chOff x="0" y="0"/><a:chExt cx="1270000" cy="1270000"/></a:xfrm></p:grpSpPr>${shape(lines("grouped"), frame(10, 10, 20, 20))}</p:grpSp>`;
		const image = `<p:pic><p:nvPicPr><p:cNvPr descr="A blue box"/></p:nvPicPr><p:blipFill><a:blip r:embed="i"/></p:blipFill><p:spPr>${frame(300, 300, 100, 50)}</p:spPr></p:pic>`;
		const first = [
			shape(lines("7"), frame(600, 500, 50, 20), '<p:ph type="sldNum"/>'),
			table,
			group,
			image,
			shape(lines("right"), frame(400, 101, 100, 20)),
			shape(lines("left"), frame(10, 100, 100, 20)),
			shape(lines("Toledo", "Lisbon"), frame(10, 150, 100, 40), '<p:ph idx="1"/>'),
			shape(lines("The", "title"), "", '<p:ph type="title"/>'),
		].join("");
		const parts = {
			"ppt/slideLayouts/l.xml": layout,
			"ppt/media/blue.png": await picture("#00f"),
			"ppt/notes/n.xml": `<p:notes><p:cSld><p:spTree>${shape(lines("Speak slowly."), "", '<p:ph type="body"/>')}${shape(lines("1"), "", '<p:ph type="sldNum"/>')}</p:spTree></p:cSld></p:notes>`,
		};
		const related: Parameters<typeof relations> = [
			["i", "image", "../media/blue.png"],
			["n", "notesSlide", "../notes/n.xml"],
		];
		await putFiles(root, { "a.pptx": zipOf(slideFile([first, ""], parts, { 0: related })) });
		const { pages, images, passages, characters } = await readAlone(pptx, root, "a.pptx");
		expect(pages.map(({ page, label, size, status }) => [page, label, size, status?.is])).toEqual([
			[0, "1", [720, 540], "ok"],
			[1, "2", [720, 540], "ok"],
		]);
		expect(pages[0]?.title).toBe("The title");
		expect(pages[0]?.blocks?.map(({ kind, text, box }) => [kind, text, box])).toEqual([
			["heading", "The title", [36, 20, 684, 80]],
			["text", "left", [10, 100, 110, 120]],
			["text", "right", [400, 101, 500, 121]],
			["list", "Toledo\nLisbon", [10, 150, 110, 190]],
			["text", "grouped", [120, 220, 160, 260]],
			["figure", "", [300, 300, 400, 350]],
			["table", "head\na | b", [0, 400, 100, 450]],
			["text", "Speaker notes: Speak slowly.", undefined],
			["footer", "7", [600, 500, 650, 520]],
		]);
		expect(images).toMatchObject([
			{ caption: "A blue box", region: { page: 0, box: [300, 300, 400, 350], size: [720, 540] } },
		]);
		expect(passages.find(({ form }) => form === "table")).toMatchObject({ section: "The title" });
		expect(characters).toEqual({ source: characters?.read, read: characters?.read });
	});

	test("one that is missing is a failed page, the others are read, by parts too", async () => {
		const slides = Array.from({ length: 5 }, (_, at) => shape(lines(`Slide ${at}`), "", '<p:ph type="title"/>'));
		const parts = slideFile(slides, { "ppt/slideLayouts/l.xml": layout });
		delete parts["ppt/slides/slide1.xml"];
		await putFiles(root, { "a.pptx": zipOf(parts) });
		const file = { path: join(root, "a.pptx"), label: "a.pptx", size: 1 };
		expect(await pptx.plan?.(file, { dpi: 0, ocr: [], scans: false })).toEqual({
			parts: [{ from: 0, to: 5 }],
			pages: 5,
		});
		const whole = await readAlone(pptx, root, "a.pptx");
		expect(whole.pages.map(({ status }) => status?.is)).toEqual(["ok", "failed", "ok", "ok", "ok"]);
		expect(whole.problems).toEqual([" slide 2 the slide is missing in the file"]);
		const some = await readAlone(pptx, root, "a.pptx", { from: 3, to: 5 });
		expect(some.pages).toEqual(whole.pages.slice(3));
	});
});

describe("bad archives", () => {
	const deep = (count: number) => `${"<w:tbl><w:tr><w:tc>".repeat(count)}${paragraph("The end.")}`;
	const bomb = Buffer.alloc(80 * 1024 * 1024, " ");

	test.each<[string, () => Buffer, RegExp]>([
		["an empty file", () => Buffer.alloc(0), /^is empty$/],
		["another kind of file", () => Buffer.from("<html>no"), /no zip archive/],
		[
			"an encrypted one",
			() => Buffer.from("d0cf11e0a1b11ae1000000", "hex"),
			/encrypted or in the old binary format; save it as \.docx/,
		],
		["a truncated one", () => zipOf(wordFile(paragraph("x"))).subarray(0, 400), /damaged archive/],
		["one without a document", () => zipOf({ "a.txt": "x" }), /holds no document/],
		["one whose document is empty", () => zipOf(wordFile("")), /holds no text/],
		[
			"one that says where its document is, and lies",
			() => zipOf({ "_rels/.rels": relations(["r", "officeDocument", "../../x"]) }),
			/holds no document/,
		],
		[
			"one that unpacks to a thousand times its size",
			() => zipOf(wordFile(paragraph("x"), { "word/a.bin": bomb })),
			/times its size/,
		],
		[
			"one that says it is small and is not",
			() => zipOf(wordFile(paragraph("x".repeat(100_000))), { "word/document.xml": 90 }),
			/damaged archive/,
		],
		[
			"one with names that lead out",
			() => zipOf({ ...wordFile(paragraph("x")), "../../evil.txt": "x" }),
			/damaged archive/,
		],
	])("%s is refused in words", async (_name, bytes, reason) => {
		await putFiles(root, { "a.docx": bytes() });
		await expect(readAlone(docx, root, "a.docx")).rejects.toThrow(reason);
	});

	test.each([
		["deeply nested", deep(20_000)],
		[
			"with declared entities",
			`<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>${paragraph("&b; The end.")}`,
		],
		["cut off in a tag", `${paragraph("The end.")}<w:p><w:r`],
		[
			"with wild numbers",
			`<w:tbl><w:tr><w:trPr><w:gridBefore w:val="-7"/></w:trPr><w:tc><w:tcPr><w:gridSpan w:val="1e9"/></w:tcPr>${paragraph("The end.")}</w:tc><w:tc>${paragraph("b")}</w:tc></w:tr></w:tbl>`,
		],
	])("a document %s is read in no time", async (_name, body) => {
		const start = process.cpuUsage();
		const { pages } = await readWord(body);
		expect(process.cpuUsage(start).user / 1000).toBeLessThan(5000);
		expect(pages[0]?.text).toContain("The end.");
	});

	test("pictures that cannot be decoded are told, their page stays", async () => {
		const drawing = `<w:p><w:r><w:drawing><wp:docPr descr="A curve"/><a:blip r:embed="r"/></w:drawing></w:r></w:p>`;
		const { pages, problems, images } = await readWord(paragraph("x") + drawing, { "word/m.emf": "junk" }, [
			["r", "image", "m.emf"],
		]);
		expect(pages).toHaveLength(1);
		expect(images).toEqual([]);
		expect(problems[0]).toMatch(/^a picture is not an image that can be decoded/);
	});
});
