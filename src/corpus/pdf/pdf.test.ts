import { existsSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { longTest } from "../../../test/long.ts";
import {
	drawn,
	line,
	objects,
	pagesOf,
	type Reading,
	readFile,
	written,
} from "../../../test/support/corpus/pdf-pages.ts";
import { endRecognition } from "../ocr/index.ts";
import { layoutPages, type Word } from "./layout/index.ts";

const columns = [
	[
		"Lighthouses were built on headlands where",
		"ships had been lost, and their keepers kept",
		"a log of every vessel that went by. Most of",
		"these logs were thrown away when the lamps",
		"became automatic, but some of them were un-",
		"covered in attics and are now being read by",
		"historians who look for storms in them.",
	],
	[
		"A storm is noted with its hour and its wind,",
		"and so the logs of neighbouring lights can",
		"be compared with each other. Where they do",
		"not agree, the log that was written at the",
		"time is trusted more than the fair copy that",
		"was uncovered later with it, as keepers were",
		"paid by the page and not by the storm.",
	],
] as const;

/** Three pages as journals have them: head, two columns, a list, a ruled table, a figure, captions, page numbers. */
const paper = () =>
	drawn(
		(document) => {
			for (const page of [1, 2, 3]) {
				if (page > 1) document.addPage();
				const put = (text: string, x: number, y: number, size = 10, font = "Times-Roman") =>
					document.font(font).fontSize(size).text(text, x, y, { lineBreak: false });
				put("Annals of Coastal History", 240, 30, 8, "Times-Italic");
				put(String(40 + page), 292, 800, 9);
				if (page === 1) {
					put("What Lighthouse Logs Tell of Storms", 150, 70, 18, "Times-Bold");
					put("1   Introduction", 60, 110, 12, "Times-Bold");
				} else put(`${page}.1   Logs and copies`, 60, 110, 11, "Times-Bold");
				for (const [column, lines] of columns.entries())
					for (const [row, text] of lines.entries()) put(text, column === 0 ? 60 : 310, 135 + row * 13);
				if (page !== 1) continue;
				put("• Each light has one keeper.", 70, 240);
				put("• Each keeper has one log.", 70, 253);
				const rows = [
					["Light", "Storms", "Wrecks"],
					["Skerry Point", "17", "2"],
					["Gull Rock", "23", "5"],
					["North Head", "9", "0"],
				];
				for (const y of [290, 308, 362]) document.moveTo(60, y).lineTo(285, y).lineWidth(1).stroke();
				for (const [row, cells] of rows.entries())
					for (const [column, text] of cells.entries()) put(text, [65, 160, 230][column] ?? 0, 295 + row * 16, 9);
				put("Table 1: Storms and wrecks by light.", 60, 372, 9);
				for (let bar = 0; bar < 8; bar += 1)
					document.rect(320 + bar * 22, 380 - bar * 10, 14, bar * 10 + 12).fill("#3366aa");
				document.moveTo(312, 392).lineTo(510, 392).lineTo(510, 300).stroke();
				document.fillColor("black");
				put("1861", 320, 397, 8);
				put("1868", 474, 397, 8);
				put("Figure 1: Storms a year at Gull Rock.", 310, 416, 9);
			}
		},
		{ info: { Title: "untitled" } },
	);

let read: Reading;
beforeAll(async () => {
	read = await readFile(await paper(), { dpi: 72 });
});
afterAll(endRecognition);

const blocks = (page: number) => read.pages[page]?.blocks ?? [];

test("a paper is read column by column: heads, headings, text, list, table, figure, captions", () => {
	expect(blocks(0).map(({ kind }) => kind)).toEqual([
		"header",
		"heading",
		"heading",
		"text",
		"list",
		"table",
		"caption",
		"text",
		"figure",
		"caption",
		"footer",
	]);
	const [, title, section, left, list, , , right] = blocks(0);
	expect(title).toMatchObject({ text: "What Lighthouse Logs Tell of Storms", level: 1 });
	expect(section).toMatchObject({ text: "1 Introduction", level: 2 });
	expect(left?.text).toMatch(/^Lighthouses were built.*storms in them\.$/s);
	expect(right?.text).toMatch(/^A storm is noted.*by the storm\.$/s);
	expect(list?.text).toBe("• Each light has one keeper.\n• Each keeper has one log.");
	expect(blocks(1).find(({ kind }) => kind === "heading")).toMatchObject({ text: "2.1 Logs and copies", level: 3 });
});

test("words broken at line ends are joined where the document knows the word", () => {
	expect(blocks(0)[3]?.text).toContain("some of them were uncovered in attics");
});

test("a table has its cells, its head and its caption", () => {
	const table = blocks(0).find(({ kind }) => kind === "table");
	expect(table?.text).toBe("Light | Storms | Wrecks\nSkerry Point | 17 | 2\nGull Rock | 23 | 5\nNorth Head | 9 | 0");
	expect(table?.cells?.filter(({ header }) => header).map(({ text }) => text)).toEqual(["Light", "Storms", "Wrecks"]);
	expect(table?.cells?.find(({ text }) => text === "23")).toMatchObject({ row: 2, column: 1, rows: 1, columns: 1 });
	expect(blocks(0)[table?.caption ?? -1]?.text).toBe("Table 1: Storms and wrecks by light.");
});

test("a figure is cut out with its labels, its caption and its place", async () => {
	const figure = blocks(0).find(({ kind }) => kind === "figure");
	const [image] = read.images;
	expect(read.images).toHaveLength(1);
	expect(image).toMatchObject({ id: "made.pdf#page=1.f1", caption: "Figure 1: Storms a year at Gull Rock." });
	expect(figure).toMatchObject({ image: image?.id, text: "1861 1868" });
	expect(image?.region).toEqual({ page: 0, box: figure?.box, size: [595, 842] });
	const { width, height } = await sharp(join(read.dir, image?.file ?? "")).metadata();
	expect([width, height]).toEqual([image?.width, image?.height]);
	const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = figure?.box ?? [];
	expect((width ?? 0) / (height ?? 1)).toBeCloseTo((x1 - x0) / (y1 - y0), 1);
});

test("pages have their pictures, sizes and states, boxes lie on them, and all characters come out", async () => {
	expect(read.plan).toEqual({ parts: [{ from: 0, to: 3 }], pages: 3 });
	for (const page of read.pages) {
		expect(page).toMatchObject({ size: [595, 842], status: { is: "ok" }, tool: expect.stringContaining("pdfium") });
		expect(await sharp(join(read.dir, page.image ?? "")).metadata()).toMatchObject({ width: 595, height: 842 });
		for (const { box } of page.blocks ?? []) {
			const [x0 = -1, y0 = -1, x1 = 0, y1 = 0] = box ?? [];
			expect(x0 >= 0 && y0 >= 0 && x0 <= x1 && y0 <= y1 && x1 <= 595 && y1 <= 842).toBe(true);
		}
	}
	expect(read.characters.read).toBe(read.characters.source);
	expect(read.characters.source).toBeGreaterThan(1500);
	expect(read.problems).toEqual([]);
});

test("passages carry sections and regions, and no running heads", () => {
	expect(read.passages.length).toBeGreaterThan(4);
	for (const { text } of read.passages) expect(text).not.toMatch(/Annals of Coastal|^4\d$/m);
	const first = read.passages.find(({ text }) => text.startsWith("Lighthouses"));
	expect(first).toMatchObject({ section: "1 Introduction", regions: [{ page: 0 }, { page: 0 }] });
	expect(new Set(read.passages.map(({ title }) => title))).toEqual(new Set(["What Lighthouse Logs Tell of Storms"]));
});

test("labels and titles are the document's own where it has them", async () => {
	const file = objects(
		[
			"<< /Type /Catalog /Pages 2 0 R /PageLabels << /Nums [0 << /S /r >> 1 << /S /D /St 12 >>] >> >>",
			"<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>",
			"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>",
			"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>",
			"<< /Title (The Log of Gull Rock) >>",
		],
		"/Info 5 0 R",
	);
	const { pages } = await readFile(await written(file));
	expect(pages.map(({ label, title }) => [label, title])).toEqual([
		["i", "The Log of Gull Rock"],
		["12", "The Log of Gull Rock"],
	]);
});

test("ligatures and accents drawn apart come out as letters", async () => {
	// in Helvetica's own encoding 256 is the ligature fi and 302 an acute, here drawn before and over its letter
	const fish = line("\\256sh", 72, 700);
	const lion = "BT /F1 12 Tf 72 650 Td [(le) -100 (\\302) 433 (on)] TJ ET\n";
	const { pages, characters } = await readFile(await written(pagesOf([fish + lion])));
	expect(pages[0]?.blocks?.map(({ text }) => text)).toEqual(["fish", "león"]);
	expect(characters).toEqual({ source: 8, read: 8 });
});

test("text that runs up a landscape page is read along its lines", async () => {
	const turned = columns[0].map((text, row) => `BT /F1 10 Tf 0 1 -1 0 ${100 + row * 13} 100 Tm (${text}) Tj ET\n`);
	const { pages } = await readFile(await written(pagesOf([turned.join("")])));
	expect(pages[0]?.text).toMatch(/^Lighthouses were built on headlands where ships had been lost/);
	const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = pages[0]?.blocks?.[0]?.box ?? [];
	expect(y1 - y0).toBeGreaterThan(x1 - x0);
});

test("what stands in a form is text of the page", async () => {
	const path = await drawn((document) => {
		document.font("Helvetica").fontSize(11).text("Name of the light:", 72, 72);
		document.initForm();
		document.formText("light", 180, 68, 200, 18, { value: "Skerry Point", defaultValue: "Skerry Point" });
	});
	expect((await readFile(path)).pages[0]?.text).toMatch(/Name of the light:.*Skerry Point/s);
});

test("every word of a page comes out once, whatever stands where", () => {
	const font = { name: "F", bold: false, italic: false, mono: false };
	const number = (most: number) => fc.double({ min: 0, max: most, noNaN: true });
	const word = fc
		.record({
			text: fc.stringMatching(/^[a-z0-9|•:-]{1,9}$/),
			x: number(550),
			y: number(800),
			size: fc.constantFrom(6, 10, 10, 10, 18),
			turn: fc.constantFrom(0, 0, 0, 0, 90),
		})
		.map(
			({ text, x, y, size, turn }): Word => ({
				text,
				size,
				turn,
				font,
				baseline: y + size,
				box: [x, y, x + size * 0.5 * text.length, y + size * 1.2],
			}),
		);
	const box = fc
		.tuple(number(500), number(800), number(200), number(200))
		.map(([x, y, w, h]): [number, number, number, number] => [x, y, x + w, y + h]);
	const rule = fc
		.tuple(number(300), number(800), number(300))
		.map(([x, y, w]): [number, number, number, number] => [x, y, x + w, y + 0.5]);
	const page = fc.record({
		size: fc.constant<[number, number]>([595, 842]),
		words: fc.array(word, { maxLength: 120 }),
		rules: fc.array(rule, { maxLength: 12 }),
		shapes: fc.array(box, { maxLength: 20 }),
		pictures: fc.array(box, { maxLength: 3 }),
	});
	const characters = (text: string) => [...text.replace(/\s+/g, "")].sort().join("");
	fc.assert(
		fc.property(fc.array(page, { minLength: 1, maxLength: 3 }), (pages) => {
			for (const [index, { blocks: found, characters: count }] of layoutPages(pages).entries()) {
				const given = pages[index]?.words.map(({ text }) => text).join("") ?? "";
				expect(count).toBe(given.length);
				// bars part cells and hyphens end lines: they may be put in or taken out
				const bare = (text: string) => characters(text.replace(/[|-]/g, ""));
				expect(bare(found.map(({ text }) => text).join(""))).toBe(bare(given));
			}
		}),
		{ numRuns: 150 },
	);
});

const scan = async () => {
	const reading = await readFile(await paper(), { dpi: 200 });
	const image = join(reading.dir, reading.pages[0]?.image ?? "");
	return { image, path: await drawn((document) => document.image(image, 0, 0, { width: 595, height: 842 })) };
};

longTest(
	"a scanned page is recognised, column by column, with confidence; without recognition it says so",
	async () => {
		const { path } = await scan();
		const off = await readFile(path);
		expect(off.pages[0]?.status).toEqual({ is: "partly", reason: "it has no text layer, and recognition is off" });
		const unknown = await readFile(path, { ocr: ["xyz"] });
		expect(unknown.pages[0]?.status).toMatchObject({
			is: "partly",
			reason: expect.stringContaining("npm i @tesseract.js-data/xyz"),
		});
		const { pages, characters } = await readFile(path, { ocr: ["eng"] });
		const [page] = pages;
		expect(page).toMatchObject({ status: { is: "ok" }, tool: expect.stringContaining("tesseract.js") });
		expect(page?.text).toMatch(
			/uncovered in attics and are now being read by historians.*A storm is noted with its hour/s,
		);
		expect(page?.blocks?.find(({ text }) => text.includes("headlands"))?.confidence).toBeGreaterThan(0.8);
		const [x0 = 0, y0 = 0] = page?.blocks?.find(({ text }) => text.startsWith("Lighthouses"))?.box ?? [];
		expect([x0, y0]).toEqual([expect.closeTo(60, -1), expect.closeTo(136, -1)]);
		expect(characters).toEqual({ source: 0, read: 0 });
	},
);

longTest("documents that have to be recognised are cut into smaller parts", async () => {
	const { image } = await scan();
	const path = await drawn((document) => {
		for (let page = 0; page < 20; page += 1) {
			if (page > 0) document.addPage();
			document.image(image, 0, 0, { width: 595, height: 842 });
		}
	});
	expect((await readFile(path, { ocr: ["eng"] }, { parts: [] })).plan.parts).toHaveLength(3);
	expect((await readFile(path, {}, { parts: [] })).plan.parts).toHaveLength(1);
});

const papers = join(import.meta.dirname, "../../../../shared/data/documents");

longTest.skipIf(!existsSync(papers))(
	"real papers: sections, tables, figures and captions stand where they are printed",
	async () => {
		const { pages, images, characters } = await readFile(join(papers, "2023.findings-emnlp.248.pdf"));
		expect(characters.read).toBe(characters.source);
		expect(pages.map(({ status }) => status?.is)).toEqual(pages.map(() => "ok"));
		expect(pages[4]?.label).toBe("3810");
		const headings = pages.flatMap(({ blocks: all = [] }) =>
			all.filter(({ kind }) => kind === "heading").map(({ text }) => text),
		);
		for (const heading of [
			"Abstract",
			"1 Introduction",
			"2 Related Work",
			"3.2 Symbolic Reasoner",
			"4 Experiments",
			"Limitations",
			"References",
		])
			expect(headings).toContain(heading);
		const table = pages[6]?.blocks?.find(({ kind }) => kind === "table");
		expect(table?.text.split("\n")[4]).toBe(
			"FOLIO | 45.09 | 57.35 | 62.74 | 54.60 | 57.84 | 61.27 | 69.11 | 70.58 | 78.92",
		);
		expect(pages[6]?.blocks?.[table?.caption ?? -1]?.text).toMatch(/^Table 2: Accuracy of standard/);
		expect(images.map(({ caption }) => caption.slice(0, 8))).toEqual(
			[1, 2, 3, 4, 5, 6].map((number) => `Figure ${number}`),
		);
	},
);

test("a caption's word and number decide, not its look", async () => {
	const content =
		line("Abbildung 3: Leuchtfeuer im Norden.", 72, 400) +
		"0 0 1 rg 80 420 200 150 re f 0 1 0 rg 100 440 60 60 re f 1 0 0 rg 180 440 60 60 re f 0 g\n".repeat(5);
	const { pages } = await readFile(await written(pagesOf([content])));
	const found = pages[0]?.blocks ?? [];
	expect(found.map(({ kind }) => kind)).toEqual(["figure", "caption"]);
	expect(found[0]?.caption).toBe(1);
});
