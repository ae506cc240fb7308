import { truncate } from "node:fs/promises";
import { expect, test } from "vitest";
import { longTest } from "../../../test/long.ts";
import { drawn, line, objects, pagesOf, readFile, stream, written } from "../../../test/support/corpus/pdf-pages.ts";

const sentence = "The keeper of the lighthouse wrote down every ship that passed.";

test("a file that is no PDF, one without pages and one that needs a password say so", async () => {
	await expect(readFile(await written("Dear reader, this is a letter."))).rejects.toThrow(/is not a PDF/);
	await expect(readFile(await written(""))).rejects.toThrow(/is not a PDF/);
	await expect(readFile(await written("%PDF-1.4\n%%EOF"))).rejects.toThrow(/is damaged or cut short/);
	const none = objects(["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [] /Count 0 >>"]);
	await expect(readFile(await written(none))).rejects.toThrow(/has no pages|is damaged/);
	const locked = await drawn((document) => document.text(sentence), { userPassword: "secret", ownerPassword: "owner" });
	await expect(readFile(locked)).rejects.toThrow(/is encrypted: it opens only with a password/);
});

test("a PDF that only its owner may change is read", async () => {
	const path = await drawn((document) => document.fontSize(11).text(sentence, 72, 72), { ownerPassword: "owner" });
	expect((await readFile(path)).pages[0]?.text).toContain("lighthouse");
});

test("a file cut short keeps the pages that are there and says that its end is missing", async () => {
	const text = pagesOf([line(sentence, 72, 700), line("Second page.", 72, 700), line("Third page.", 72, 700)]);
	const path = await written(text);
	await truncate(path, text.indexOf("(Third page.)"));
	const { pages, problems, plan } = await readFile(path);
	expect(pages).toHaveLength(plan.pages ?? -1);
	expect(pages[0]?.text).toContain("lighthouse");
	expect(problems).toEqual([expect.stringMatching(/cut short/)]);
});

test("an empty page is a page without text; one whose content is damaged failed", async () => {
	const empty = await readFile(await written(pagesOf([line(sentence, 72, 700), "", line("Last.", 72, 700)])));
	expect(empty.pages.map(({ status, text }) => [status?.is, text === ""])).toEqual([
		["ok", false],
		["ok", true],
		["ok", false],
	]);
	const broken = objects([
		"<< /Type /Catalog /Pages 2 0 R >>",
		"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R >>",
		stream("this is not deflated at all, and so cannot be inflated by anyone", "/Filter /FlateDecode"),
	]);
	const { pages } = await readFile(await written(broken));
	expect(pages[0]?.status).toEqual({ is: "failed", reason: expect.stringMatching(/content is damaged/) });
});

test("page trees in circles and pages that are not there end, and every page is accounted for", async () => {
	const circle = objects([
		"<< /Type /Catalog /Pages 2 0 R >>",
		"<< /Type /Pages /Kids [3 0 R 2 0 R] /Count 5 >>",
		"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>",
	]);
	const missing = objects([
		"<< /Type /Catalog /Pages 2 0 R >>",
		"<< /Type /Pages /Kids [3 0 R 9 0 R] /Count 2 >>",
		"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>",
	]);
	for (const file of [circle, missing]) {
		const { plan, pages } = await readFile(await written(file));
		expect(pages.map(({ page }) => page)).toEqual(Array.from({ length: plan.pages ?? -1 }, (_, index) => index));
	}
	expect((await readFile(await written(missing))).pages.map(({ status }) => status?.is)).toContain("failed");
});

test("a form that draws itself ends", async () => {
	const file = objects([
		"<< /Type /Catalog /Pages 2 0 R >>",
		"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /XObject << /X 5 0 R >> >> >>",
		stream("/X Do"),
		stream(
			"10 10 300 300 re f /X Do",
			"/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << /XObject << /X 5 0 R >> >>",
		),
	]);
	expect((await readFile(await written(file))).pages).toHaveLength(1);
});

test("boxes stay inside turned pages and crop boxes; what is cropped away is not read", async () => {
	const content = line(sentence, 100, 700) + line("Outside the crop.", 100, 40);
	for (const turn of [0, 90, 180, 270]) {
		const file = pagesOf([content], `/MediaBox [0 0 595 842] /CropBox [50 100 595 800] /Rotate ${turn}`);
		const { pages } = await readFile(await written(file));
		const [page] = pages;
		expect(page?.size).toEqual(turn % 180 === 0 ? [545, 700] : [700, 545]);
		expect(page?.text).toBe(sentence);
		const [x0 = -1, y0 = -1, x1 = -1, y1 = -1] = page?.blocks?.[0]?.box ?? [];
		// the words stand 50 points from the left and 100 from the top of the unturned page
		const near: Record<number, number> = { 0: x0, 90: y0, 180: 545 - x1, 270: 545 - y1 };
		expect(near[turn]).toBeCloseTo(50, -1);
		expect(Math.min(x0, y0)).toBeGreaterThanOrEqual(0);
	}
});

longTest("pages of absurd size are read and drawn in bounds", async () => {
	const file = pagesOf([line(sentence, 72, 700)], "/MediaBox [0 0 2000000 2000000]");
	const { pages } = await readFile(await written(file), { dpi: 600 });
	expect(pages[0]?.text).toContain("lighthouse");
	expect(["ok", "partly"]).toContain(pages[0]?.status?.is);
	const wrong = await readFile(await written(pagesOf([line(sentence, 72, 700)], "/MediaBox [0 0 0 -5]")));
	expect(wrong.pages).toHaveLength(1);
});

longTest("100,000 words on one page are read in seconds, row by row", async () => {
	const rows = Array.from({ length: 250 }, (_, y) =>
		Array.from({ length: 400 }, (__, x) => line(`w${x}`, x * 30, 8000 - y * 12, 8)).join(""),
	);
	const { pages, characters } = await readFile(await written(pagesOf([rows.join("")], "/MediaBox [0 0 12000 9000]")));
	expect(pages[0]?.text.split(/\s+/)).toHaveLength(100_000);
	expect(pages[0]?.status).toEqual({ is: "partly", reason: expect.stringMatching(/layout was not sought/) });
	expect(characters.read).toBe(characters.source);
});

test("2,000 pages are planned into parts, and a late part is read by itself", async () => {
	const contents = Array.from({ length: 2000 }, (_, index) =>
		line(`Page ${index} of the register. ${sentence}`, 72, 700),
	);
	const path = await written(pagesOf(contents));
	const { plan, pages } = await readFile(path, {}, { parts: [20] });
	expect(plan.pages).toBe(2000);
	expect(plan.parts.map(({ to, from }) => to - from).reduce((sum, size) => sum + size, 0)).toBe(2000);
	expect(plan.parts.length).toBeGreaterThan(15);
	expect(pages[0]?.page).toBe(plan.parts[20]?.from);
	expect(pages[0]?.text).toContain(`Page ${plan.parts[20]?.from} of the register`);
});
