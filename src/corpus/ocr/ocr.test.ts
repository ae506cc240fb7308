import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, expect, test } from "vitest";
import { longTest } from "../../../test/long.ts";
import { drawn, emptyContext, readFile } from "../../../test/support/corpus/pdf-pages.ts";
import { addScannedPages, endRecognition, LanguageMissing, recognise } from "./index.ts";

const lines = [
	"The Log of Gull Rock",
	"On the ninth of March the wind turned to the north,",
	"and by noon no boat could leave the harbour. The",
	"keeper lit the lamp at three, an hour before dusk.",
	"Two ships were seen running before the storm; one",
	"of them carried no sail and did not answer signals.",
	"She was gone when the snow lifted, and no wreck was",
	"found that spring on either side of the headland.",
];

/** A page of text as a picture of 100 dots per inch. */
const page = async () => {
	const path = await drawn((document) => {
		for (const [row, text] of lines.entries())
			document
				.font("Times-Roman")
				.fontSize(row === 0 ? 26 : 15)
				.text(text, 70, 80 + row * 40, { lineBreak: false });
	});
	const reading = await readFile(path, { dpi: 100 });
	return join(reading.dir, reading.pages[0]?.image ?? "");
};

const grey = await sharp({ create: { width: 300, height: 300, channels: 3, background: "grey" } })
	.png()
	.toBuffer();

afterAll(endRecognition);

longTest("lines are recognised with their words, places and confidence", async () => {
	const { paragraphs, confidence, characters } = await recognise(
		await sharp(await page())
			.png()
			.toBuffer(),
		["eng"],
		100,
	);
	const found = paragraphs.flatMap((paragraph) => paragraph.lines);
	expect(found.map(({ words }) => words.map(({ text }) => text).join(" "))).toEqual(lines);
	expect(confidence).toBeGreaterThan(0.85);
	expect(characters).toBe(lines.join("").replace(/\s/g, "").length);
	const [first] = found[0]?.words ?? [];
	expect(first?.box.map((value) => Math.round(value / 30) * 30)).toEqual([90, 120, 150, 150]);
});

longTest("a page that lies askew is turned upright and recognised as if it were", async () => {
	const askew = await sharp(await page())
		.rotate(2, { background: "white" })
		.png()
		.toBuffer();
	const { paragraphs } = await recognise(askew, ["eng"], 100);
	const found = paragraphs.flatMap((paragraph) => paragraph.lines);
	expect(found.map(({ words }) => words.map(({ text }) => text).join(" "))).toEqual(lines);
});

test("a picture without text gives none, bytes that are no picture say so, and the next one is recognised", async () => {
	expect(await recognise(grey, ["eng"])).toMatchObject({ characters: 0, confidence: 0 });
	await expect(recognise(Buffer.from("not a picture"), ["eng"])).rejects.toThrow(/could not be recognised/);
	expect((await recognise(grey, ["eng"])).paragraphs).toEqual([]);
});

test("a language that is not installed names its package, and one that is no name is refused", async () => {
	await expect(recognise(grey, ["eng", "kat"])).rejects.toThrow("npm i @tesseract.js-data/kat");
	await expect(recognise(grey, ["../../etc"])).rejects.toThrow(LanguageMissing);
});

longTest("an image that is a scanned page becomes a page with passages; photographs and signs do not", async () => {
	const path = await page();
	const { context, evidence } = emptyContext({ ocr: ["eng"] });
	const kept = { file: "images/log.jpg", width: 827, height: 1170 };
	const file = { path, label: "scans/log-1861.jpg", size: 1 };
	expect(await addScannedPages(file, kept, context)).toBe(1);
	const [read, ...passages] = evidence;
	expect(read).toMatchObject({
		kind: "page",
		id: "scans/log-1861.jpg#page=1",
		image: "images/log.jpg",
		title: "log 1861",
	});
	expect(read?.kind === "page" && read.blocks?.[0]).toMatchObject({ kind: "heading", text: lines[0] });
	expect(passages.map((passage) => passage.kind === "passage" && passage.text).join(" ")).toContain(
		"one of them carried no sail",
	);

	const sign = join(path, "../sign.png");
	const text = `<svg width="800" height="1100"><rect width="800" height="1100" fill="white"/><text x="90" y="500" font-size="90">HARBOUR</text></svg>`;
	await writeFile(sign, await sharp(Buffer.from(text)).png().toBuffer());
	const none = emptyContext({ ocr: ["eng"] });
	expect(await addScannedPages({ ...file, path: sign }, kept, none.context)).toBe(0);
	expect(await addScannedPages(file, kept, emptyContext({ ocr: [] }).context)).toBe(0);
	expect(none.evidence).toEqual([]);
});

longTest("the pages of a TIFF are pages", async () => {
	const one = await sharp(await page())
		.png()
		.toBuffer();
	const path = join(await page(), "../log.tiff");
	await sharp([one, one], { join: { animated: true } })
		.tiff({ compression: "lzw" })
		.toFile(path);
	const { context, evidence } = emptyContext({ ocr: ["eng"] });
	const kept = { file: "images/log.tiff", width: 827, height: 1170 };
	expect(await addScannedPages({ path, label: "log.tiff", size: 1 }, kept, context)).toBe(2);
	expect(evidence.filter(({ kind }) => kind === "page").map(({ id }) => id)).toEqual([
		"log.tiff#page=1",
		"log.tiff#page=2",
	]);
});
