import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import sharp, { type Sharp } from "sharp";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openCorpus, readSources } from "#corpus";
import type { CorpusManifest, DocumentReport, Evidence, Page } from "#domain";
import { longTest } from "../../../test/long.ts";
import { findFiles } from "../find-files.ts";
import { findPageFolders } from "./find-page-folders.ts";
import { numberedPages } from "./numbered-pages.ts";
import { pagePictures } from "./page-pictures.ts";

let dir: string;
beforeEach(async () => {
	dir = await mkdtemp(join(tmpdir(), "hopscope-pages-"));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const put = (name: string, bytes: Uint8Array | string) => {
	mkdirSync(dirname(join(dir, "docs", name)), { recursive: true });
	writeFileSync(join(dir, "docs", name), bytes);
};

/** A small page: lines of strokes on white, no two alike. */
const page = (n: number, [width, height] = [170, 220]) =>
	sharp(
		Buffer.from(
			`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="white"/>${[1, 2, 3].map((line) => `<rect x="20" y="${line * 40}" width="${90 + ((n * line * 7) % 40)}" height="5"/>`).join("")}</svg>`,
		),
	);
/** Colours that run into one another, as in a photograph: no tone covers much. */
const photograph = (n: number) =>
	sharp(
		Buffer.from(
			`<svg xmlns="http://www.w3.org/2000/svg" width="240" height="160"><defs><linearGradient id="g" x2="1" y2="${(n % 3) / 2}"><stop offset="0"/><stop offset="1" stop-color="white"/></linearGradient></defs><rect width="240" height="160" fill="url(#g)"/></svg>`,
		),
	);
const png = (image: Sharp) => image.png().toBuffer();
const jpeg = (image: Sharp) => image.jpeg().toBuffer();

async function read(options: { pageFolders?: string[] | false; ocr?: string[]; paths?: string[] } = {}) {
	const [problems, notes]: [string[], string[]] = [[], []];
	const manifest: CorpusManifest = await readSources(
		options.paths ?? [join(dir, "docs")],
		{ dir: join(dir, "corpus"), name: "test" },
		{
			ocr: [],
			...options,
			onProblem: ({ source, message }) => void problems.push(`${source}: ${message}`),
			onNote: (note) => void notes.push(note),
		},
	);
	const corpus = await openCorpus(join(dir, "corpus"));
	const evidence: Evidence[] = [];
	for await (const one of corpus.evidence()) evidence.push(one);
	const reports: DocumentReport[] = [];
	for await (const one of corpus.documents()) reports.push(one);
	const pages = evidence.filter((one): one is Page => one.kind === "page").sort((a, b) => a.page - b.page);
	return { manifest, problems, notes, evidence, reports, pages, ids: evidence.map(({ id }) => id) };
}

const folder = (name: string) => join(dir, "docs", name);
const pagesFrom = async (name: string, files: readonly string[]) => {
	for (const [n, file] of files.entries()) {
		const image = page(n);
		put(
			`${name}/${file}`,
			await (/png$/i.test(file) ? png(image) : /webp$/i.test(file) ? image.webp().toBuffer() : jpeg(image)),
		);
	}
};

describe("a folder of numbered page pictures", () => {
	longTest(
		"is one document, its pages in the order of their numbers, from 0 or from 1, whatever the case of the ending",
		async () => {
			await pagesFrom("French/0010", [
				"0.jpg",
				"1.JPG",
				"2.jpeg",
				"10.png",
				"3.webp",
				"4.jpg",
				"5.jpg",
				"6.jpg",
				"7.jpg",
				"8.jpg",
				"9.jpg",
			]);
			await pagesFrom("report", ["page-01.png", "page-02.PNG", "page-03.png"]);
			await pagesFrom("deck", ["deck_1.png", "deck_2.png"]);
			const { pages, notes, manifest, evidence, reports } = await read();
			const of = (document: string) => pages.filter((one) => one.document === document);
			expect(of("docs/French/0010").map(({ id, page, label }) => [id, page, label])).toEqual(
				Array.from({ length: 11 }, (_, n) => [`docs/French/0010#page=${n + 1}`, n, `${n}`]),
			);
			expect(of("docs/report").map(({ id, page, label }) => [id, page, label])).toEqual([
				["docs/report#page=1", 0, "1"],
				["docs/report#page=2", 1, "2"],
				["docs/report#page=3", 2, "3"],
			]);
			expect(notes).toEqual([
				"docs/French/0010: one document of 11 pages, its pictures 0 to 10",
				"docs/deck: one document of 2 pages, its pictures 1 to 2",
				"docs/report: one document of 3 pages, its pictures 1 to 3",
			]);
			// each page is there with its picture, none is an image by itself, and the corpus says by what rule
			expect(evidence.every((one) => one.kind === "page" && one.image !== undefined)).toBe(true);
			expect(manifest).toMatchObject({
				counts: { page: 16, image: 0 },
				pagePictures: 16,
				paging: [{ kind: "page-folder", rule: "numbered-run-1", documents: 3 }],
			});
			expect(reports.map(({ source, pages: read }) => [source, read?.count])).toEqual([
				["docs/French/0010", 11],
				["docs/deck", 2],
				["docs/report", 3],
			]);
		},
	);

	longTest("keeps its ids when it is read again, and when a page is added only that is new", async () => {
		await pagesFrom("a", ["0.png", "1.png", "2.png"]);
		const first = await read();
		expect((await read()).evidence).toEqual(first.evidence);
		put("a/3.png", await png(page(9)));
		const more = await read();
		expect(more.evidence.slice(0, 3)).toEqual(first.evidence);
		expect(more.ids).toEqual([...first.ids, "docs/a#page=4"]);
	});

	longTest("whose pictures were single ones in the corpus that is replaced stay so until it is named", async () => {
		await pagesFrom("a", ["0.png", "1.png"]);
		const apart = await read({ pageFolders: false });
		const again = await read();
		expect(again.evidence).toEqual(apart.evidence);
		expect(again.notes).toEqual([
			expect.stringMatching(/^docs\/a: 2 numbered pictures, .*: as they were before; --page/),
		]);
		expect((await read({ pageFolders: [folder("a")] })).ids).toEqual(["docs/a#page=1", "docs/a#page=2"]);
		expect((await read()).ids).toEqual(["docs/a#page=1", "docs/a#page=2"]);
	});

	longTest("is none where only some of its pictures were named", async () => {
		await pagesFrom("a", ["0.png", "1.png", "2.png"]);
		await pagesFrom("b", ["0.png", "1.png"]);
		const paths = ["a/0.png", "a/1.png", "b/0.png", "b/1.png"].map(folder);
		const { pages, evidence } = await read({ paths });
		expect(evidence).toHaveLength(4);
		expect(pages.map(({ document }) => document)).toEqual(["b", "b"]);
	});

	longTest("is told once of what befalls all its pages", async () => {
		await pagesFrom("a", ["0.png", "1.png", "2.png", "3.png", "4.png"]);
		expect((await read()).problems).toEqual(["docs/a, page 1 and 4 more: it is a picture, and recognition is off"]);
	});

	longTest("is not made of what other folders of pictures hold", async () => {
		await pagesFrom("gap", ["0.jpg", "1.jpg", "3.jpg"]);
		await pagesFrom("late", ["5.jpg", "6.jpg", "7.jpg"]);
		await pagesFrom("camera", ["IMG_2034.jpg", "IMG_2035.jpg"]);
		await pagesFrom("mixed", ["1.jpg", "2.jpg", "cover.jpg"]);
		await pagesFrom("twice", ["1.jpg", "01.jpg", "2.jpg"]);
		await pagesFrom("noted", ["1.jpg", "2.jpg"]);
		put("noted/1.txt", "The first of two pictures.");
		await pagesFrom("nested", ["0.jpg", "1.jpg", "deeper/x.jpg"]);
		await pagesFrom("alone", ["0.jpg"]);
		for (const n of [0, 1, 2]) put(`photographs/${n}.jpg`, await jpeg(photograph(n)));
		for (const n of [0, 1, 2]) put(`icons/${n}.png`, await png(page(n, [40, 40])));
		for (const n of [0, 1, 2]) put(`shapes/${n}.png`, await png(page(n, n === 1 ? [220, 170] : [170, 200 + 60 * n])));
		const { pages, notes, manifest } = await read();
		expect(pages).toEqual([]);
		expect(manifest.counts.image).toBe(29);
		expect(manifest.paging).toBeUndefined();
		const why = notes.map((note) => note.replace(/; --page-folders.*/, ""));
		expect(why).toEqual([
			"docs/gap: 3 numbered pictures, read one by one: no picture has number 2",
			"docs/icons: 3 numbered pictures, read one by one: their shape is no page's",
			"docs/nested: 2 numbered pictures, read one by one: other files lie there too (1)",
			"docs/noted: 2 numbered pictures, read one by one: other files lie there too (1)",
			"docs/photographs: 3 numbered pictures, read one by one: they look like photographs",
			"docs/shapes: 3 numbered pictures, read one by one: their shapes differ",
		]);
	});

	longTest(
		"that is named, or lies in one that is, is a document too where it is not a clear one; a missing page is a failed one",
		async () => {
			await pagesFrom("French/gap", ["0.jpg", "1.jpg", "3.jpg"]);
			await pagesFrom("French/camera", ["IMG_1.jpg", "IMG_2.jpg"]);
			await pagesFrom("French/mixed", ["1.jpg", "2.jpg", "cover.jpg"]);
			await pagesFrom("French/huge", ["1.jpg", "99999999999.jpg"]);
			await pagesFrom("French/sparse", ["1.jpg", "40.jpg"]);
			await pagesFrom("English/gap", ["0.jpg", "2.jpg"]);
			const { pages, problems, evidence } = await read({ pageFolders: [folder("French")] });
			expect(pages.map(({ id, status }) => [id, status?.is])).toEqual(
				expect.arrayContaining([
					["docs/French/gap#page=3", "failed"],
					["docs/French/gap#page=4", "partly"],
					["docs/French/camera#page=1", "partly"],
				]),
			);
			expect(pages).toHaveLength(6);
			expect(evidence.filter(({ kind }) => kind === "image")).toHaveLength(9);
			expect(problems.join("\n")).toMatch(/French\/gap, page 3: no picture has its number/);
			expect(problems).toEqual(
				expect.arrayContaining([
					'docs/French/mixed: "cover.jpg" is not named by a page\'s number; read as single pictures',
					'docs/French/huge: "99999999999.jpg" has a number beyond 100000; read as single pictures',
					"docs/French/sparse: 38 of the numbers 1 to 40 have no picture; read as single pictures",
				]),
			);
			const none = await read({ pageFolders: [folder("English")] });
			expect(none.pages.map(({ document }) => document)).toEqual(Array(3).fill("docs/English/gap"));
		},
	);

	longTest("is none where nobody wants one, and a named folder that is not there is an error", async () => {
		await pagesFrom("a", ["0.png", "1.png"]);
		expect((await read({ pageFolders: false })).ids).toEqual(["docs/a/0.png", "docs/a/1.png"]);
		await expect(read({ pageFolders: [folder("nowhere")] })).rejects.toMatchObject({
			code: "missing-path",
			exitCode: 2,
		});
	});

	longTest("a picture that cannot be decoded is a failed page, and a link is none", async () => {
		await pagesFrom("a", ["0.png", "1.png", "3.png"]);
		put("a/2.png", "not a picture");
		symlinkSync(folder("a/0.png"), folder("a/4.png"));
		const { pages, problems } = await read();
		expect(pages.map(({ page, status }) => [page, status?.is])).toEqual([
			[0, "partly"],
			[1, "partly"],
			[2, "failed"],
			[3, "partly"],
		]);
		expect(problems.join("\n")).toMatch(/docs\/a\/4\.png: is a link.*docs\/a, page 3: its picture is not an image/s);
	});

	longTest("has its text by recognition, in passages with boxes", async () => {
		const lines = [
			"The Log of Gull Rock",
			"On the ninth of March the wind turned to the north,",
			"and by noon no boat could leave the harbour.",
		];
		const printed = (n: number) =>
			sharp(
				Buffer.from(
					`<svg xmlns="http://www.w3.org/2000/svg" width="850" height="1100"><rect width="100%" height="100%" fill="white"/>${[...lines, `Sheet ${n} of the log.`].map((text, row) => `<text x="90" y="${120 + row * 60}" font-family="DejaVu Serif, serif" font-size="26">${text}</text>`).join("")}</svg>`,
				),
			);
		for (const n of [0, 1]) put(`log/${n}.png`, await png(printed(n)));
		const { pages, evidence } = await read({ ocr: ["eng"] });
		expect(pages.map(({ status, tool }) => [status?.is, tool])).toEqual(
			Array(2).fill(["ok", "page-pictures-1 (tesseract.js 7.0.0, turned upright)"]),
		);
		expect(pages[1]?.text).toContain("Sheet 1 of the log");
		const passages = evidence.filter(({ kind }) => kind === "passage");
		expect(passages[0]).toMatchObject({
			id: "docs/log#page=1.1",
			regions: expect.arrayContaining([expect.objectContaining({ page: 0 })]),
		});
	});

	longTest("of 100,000 pictures is not taken for a document, and is one where it is named", async () => {
		for (let n = 0; n < 100_000; n += 1) put(`many/${n}.jpg`, "");
		const files = await findFiles([join(dir, "docs")], () => {});
		const alone = await findPageFolders(files, { named: [] });
		expect(alone).toMatchObject({ documents: 0, notes: [expect.stringContaining("read one by one: more than 2000;")] });
		const { files: found } = await findPageFolders(files, { named: [folder("many")] });
		expect(found).toMatchObject([{ label: "docs/many", folder: true }]);
		const [many] = found;
		const plan = many && (await pagePictures.plan?.(many, { dpi: 0, ocr: [], scans: false }));
		expect(plan?.pages).toBe(100_000);
		expect(plan?.parts.at(-1)?.to).toBe(100_000);
	});
});

describe("numbered names", () => {
	test("of a run from 0 or 1 in any order, with any zeros, give its pages in order", () => {
		fc.assert(
			fc.property(
				fc.nat(1),
				fc.integer({ min: 1, max: 300 }),
				fc.nat(6),
				fc.constantFrom("", "page-", "x "),
				(base, count, zeros, prefix) => {
					const names = Array.from({ length: count }, (_, n) => `${prefix}${`${n + base}`.padStart(zeros, "0")}.jpg`);
					const numbered = numberedPages([...names].reverse());
					if ("problem" in numbered) throw new Error(numbered.problem);
					expect([...numbered.files]).toEqual(names.map((name, n) => [n, name]));
					expect(numbered).toMatchObject({ base, count, missing: [] });
				},
			),
		);
	});

	test("that no page has are told", () => {
		const problem = (...names: string[]) => numberedPages(names);
		expect(problem("1.jpg", "01.png")).toEqual({ problem: '"1.jpg" and "01.png" are both number 1' });
		expect(problem("1.jpg", "b2.jpg")).toEqual({ problem: '"1.jpg" and "b2.jpg" are numbered apart' });
		expect(problem(`${"9".repeat(400)}.jpg`)).toMatchObject({ problem: expect.stringContaining("beyond 100000") });
		expect(problem("-1.jpg", "1.5.jpg")).toMatchObject({ problem: expect.stringContaining("numbered apart") });
		expect(problem()).toMatchObject({ problem: "it holds no pictures" });
	});
});
