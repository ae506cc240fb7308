import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { longTest } from "../../../test/long.ts";
import { picture, putFiles, readAlone, zipOf } from "../../../test/support/corpus/sources.ts";
import { epub } from "./epub.ts";
import { xlsx } from "./xlsx.ts";

let root: string;
beforeEach(async () => {
	root = await mkdtemp(join(tmpdir(), "hopscope-office-"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const relation = (id: string, type: string, target: string) =>
	`<Relationship Id="${id}" Type="http://x/relationships/${type}" Target="${target}"/>`;
const book = (sheets: Record<string, string>) => ({
	"_rels/.rels": `<Relationships>${relation("rId1", "officeDocument", "xl/workbook.xml")}</Relationships>`,
	"xl/workbook.xml": `<workbook><sheets>${Object.keys(sheets)
		.map((name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="s${index}"/>`)
		.join("")}</sheets></workbook>`,
	"xl/_rels/workbook.xml.rels": `<Relationships>${Object.keys(sheets)
		.map((_, index) => relation(`s${index}`, "worksheet", `worksheets/sheet${index}.xml`))
		.join(
			"",
		)}${relation("t", "sharedStrings", "sharedStrings.xml")}${relation("y", "styles", "styles.xml")}</Relationships>`,
	"xl/sharedStrings.xml":
		"<sst><si><t>name</t></si><si><r><t>X</t></r><r><t>200</t></r><rPh><t>eks</t></rPh></si><si><t>made</t></si></sst>",
	"xl/styles.xml":
		'<styleSheet><numFmts><numFmt numFmtId="164" formatCode="dd\\.mm\\.yyyy"/><numFmt numFmtId="165" formatCode="0.00&quot;days&quot;"/></numFmts>' +
		'<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="20"/></cellXfs></styleSheet>',
	...Object.fromEntries(
		Object.values(sheets).map((rows, index) => [
			`xl/worksheets/sheet${index}.xml`,
			`<worksheet><sheetData>${rows}</sheetData></worksheet>`,
		]),
	),
});

describe("a spreadsheet", () => {
	const parts =
		'<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>2</v></c><c r="D1" t="inlineStr"><is><t>price</t></is></c></row>' +
		'<row r="2"><c r="A2" t="s"><v>1</v></c><c r="B2" s="1"><v>45352</v></c><c r="D2"><v>0.30000000000000004</v></c></row>' +
		'<row r="3"/><row r="4"><c r="A4" t="str"><f>A2</f><v>X300</v></c><c r="B4" s="2"><v>60</v></c><c r="C4" t="b"><v>1</v></c><c r="D4" s="3"><v>2</v></c></row>' +
		'<row r="5"><c r="A5" t="inlineStr"><is><t>open</t></is></c><c r="B5" s="4"><v>0.375</v></c><c r="D5" s="1"><v>45352.5</v></c></row>';

	test("is a table a sheet; dates and texts are as they are shown", async () => {
		const other =
			'<row><c t="inlineStr"><is><t>city</t></is></c></row><row><c t="inlineStr"><is><t>Oldhaven</t></is></c></row>';
		await putFiles(root, { "drills.xlsx": zipOf(book({ Parts: parts, Places: other })) });
		const { passages, problems } = await readAlone(xlsx, root, "drills.xlsx");
		const label = `${root.split("/").at(-1)}/drills.xlsx`;
		expect(passages.map(({ id, title, text, form }) => [id.slice(label.length), title, text, form])).toEqual([
			["#Parts/1", "drills: Parts", "name: X200\nmade: 2024-03-01\nprice: 0.3", "table"],
			["#Parts/2", "drills: Parts", "name: X300\nmade: 1900-02-28\ncolumn 3: TRUE\nprice: 2", "table"],
			["#Parts/3", "drills: Parts", "name: open\nmade: 09:00:00\nprice: 2024-03-01 12:00:00", "table"],
			["#Places/1", "drills: Places", "city: Oldhaven", "table"],
		]);
		expect(problems).toEqual([]);
	});

	longTest("that unpacks to far more than it is, or is none, is refused", async () => {
		await putFiles(root, {
			"bomb.xlsx": zipOf({ "xl/workbook.xml": Buffer.alloc(64 * 1024 * 1024) }),
			"old.xlsx": Buffer.from("d0cf11e0a1b11ae1", "hex"),
			"word.xlsx": zipOf({
				"_rels/.rels": `<Relationships>${relation("a", "officeDocument", "d.xml")}</Relationships>`,
				"d.xml": "<document/>",
			}),
		});
		await expect(readAlone(xlsx, root, "bomb.xlsx")).rejects.toThrow("unpacks to more than 200 times its size");
		await expect(readAlone(xlsx, root, "old.xlsx")).rejects.toThrow("save it as .xlsx");
		await expect(readAlone(xlsx, root, "word.xlsx")).rejects.toThrow("holds no workbook");
	});
});

describe("a book", () => {
	const files = async () => ({
		mimetype: "application/epub+zip",
		"META-INF/container.xml": '<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>',
		"OEBPS/book.opf":
			"<package><metadata><dc:title>The Lake</dc:title></metadata><manifest>" +
			'<item id="n" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>' +
			'<item id="b" href="text/two%20b.xhtml" media-type="application/xhtml+xml"/>' +
			'<item id="a" href="text/one.xhtml" media-type="application/xhtml+xml"/></manifest>' +
			'<spine><itemref idref="n"/><itemref idref="a"/><itemref idref="b"/></spine></package>',
		"OEBPS/nav.xhtml": "<html><body><nav>One Two</nav></body></html>",
		"OEBPS/text/one.xhtml":
			'<?xml version="1.0"?><html><head><title>t</title></head><body><h1>One</h1><p>The lake lies.</p><img src="../pic.png" alt="A lake"/></body></html>',
		"OEBPS/text/two b.xhtml": "<html><body><h1>Two</h1><p>It is deep.</p></body></html>",
		"OEBPS/pic.png": await picture("blue"),
	});

	test("is read in the order of its spine, a chapter a page, with its pictures", async () => {
		await putFiles(root, { "lake.epub": zipOf(await files()) });
		const { pages, passages, images } = await readAlone(epub, root, "lake.epub");
		expect(pages.map(({ title, page }) => [title, page])).toEqual([
			["The Lake", 0],
			["The Lake", 1],
		]);
		expect(passages.map(({ section, text }) => [section, text])).toEqual([
			["One", "The lake lies."],
			["Two", "It is deep."],
		]);
		expect(images.map(({ caption }) => caption)).toEqual(["A lake"]);
	});

	test("that is locked is refused, and what is none", async () => {
		const locked = '<encryption><CipherReference URI="OEBPS/text/one.xhtml"/></encryption>';
		await putFiles(root, {
			"locked.epub": zipOf({ ...(await files()), "META-INF/encryption.xml": locked }),
			"none.epub": zipOf({ mimetype: "application/epub+zip" }),
		});
		await expect(readAlone(epub, root, "locked.epub")).rejects.toThrow("digital rights management");
		await expect(readAlone(epub, root, "none.epub")).rejects.toThrow("names no book");
	});
});
