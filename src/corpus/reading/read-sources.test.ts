import { cp, mkdir, mkdtemp, readdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import sharp from "sharp";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { detectLanguage, openCorpus, readSources } from "#corpus";
import type { Evidence } from "#domain";
import { longTest } from "../../../test/long.ts";
import type { SourceProblem } from "./read-sources.ts";

let dir: string;
beforeEach(async () => {
	dir = await mkdtemp(join(tmpdir(), "hopscope-sources-"));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

async function put(files: Record<string, string | Buffer>): Promise<void> {
	for (const [name, content] of Object.entries(files)) {
		await mkdir(dirname(join(dir, name)), { recursive: true });
		await writeFile(join(dir, name), content);
	}
}

async function read(...names: string[]) {
	const problems: SourceProblem[] = [];
	const corpusDir = join(dir, "corpus");
	const paths = names.map((name) => join(dir, name));
	const manifest = await readSources(paths, { dir: corpusDir, name: "test" }, { onProblem: (p) => problems.push(p) });
	const evidence: Evidence[] = [];
	for await (const item of (await openCorpus(corpusDir)).evidence()) evidence.push(item);
	return { manifest, problems, evidence, ids: evidence.map(({ id }) => id), corpusDir };
}

const picture = (colour: string) =>
	sharp({ create: { width: 40, height: 30, channels: 3, background: colour } })
		.png()
		.toBuffer();

describe("text", () => {
	test("is cut between paragraphs and sentences, with overlap, and loses nothing", async () => {
		const sentence = (n: number) => `Sentence number ${n} says that item ${n} weighs ${n} grams.`;
		const numbers = Array.from({ length: 90 }, (_, n) => n);
		await put({ "docs/notes on-weights.txt": numbers.map(sentence).join(" ") });
		const { evidence } = await read("docs");
		const texts = evidence.map((item) => (item.kind === "passage" ? item.text : ""));
		expect(texts.length).toBeGreaterThan(3);
		for (const text of texts) expect(text.length).toBeLessThanOrEqual(1200);
		for (const n of numbers) expect(texts.some((text) => text.includes(sentence(n)))).toBe(true);
		const [first = "", second = ""] = texts;
		expect(first).toContain(second.slice(0, second.indexOf(".") + 1));
		expect(evidence[0]).toMatchObject({ id: "docs/notes on-weights.txt#1", title: "notes on weights", language: "en" });
	});

	test("Markdown is cut by headings, tables apart, and a section keeps its id when another one changes", async () => {
		const markdown = (intro: string) =>
			`---\ntitle: The river\n---\n\n${intro}\n\n## Course\n\nIt flows **west**.\n\n| place | km |\n| --- | --- |\n| Toledo | 90 |\n\n\`\`\`\n# not a heading\n\`\`\`\n\nUsos\n----\n\nEl agua es para los campos.\n`;
		await put({ "docs/river.md": markdown("Short.") });
		const first = await read("docs");
		expect(first.ids).toEqual([
			"docs/river.md#course.1",
			"docs/river.md#course.2",
			"docs/river.md#course.3",
			"docs/river.md#start",
			"docs/river.md#usos",
		]);
		expect(first.evidence[0]).toMatchObject({ title: "The river", section: "Course", text: "It flows west." });
		expect(first.evidence[1]).toMatchObject({ form: "table", text: "| place | km |\n| --- | --- |\n| Toledo | 90 |" });
		expect(first.evidence[4]).toMatchObject({ language: "es", section: "Usos" });
		await put({ "docs/river.md": markdown("Much longer. ".repeat(200)) });
		const second = await read("docs");
		expect(second.evidence.find(({ id }) => id.endsWith("#usos"))).toEqual(first.evidence[4]);
	});
});

test.each([
	["image openings", "![".repeat(40_000)],
	["images without an end", "![a](".repeat(40_000)],
	["link openings", `[${"a".repeat(900)}`.repeat(40)],
	["comment openings", "<!--".repeat(40_000)],
	["emphasis", "**a__".repeat(40_000)],
	["a heading with inner space", `# a${" ".repeat(40_000)}b\u2028c`],
	["a heading of signs", `# a ${"# #".repeat(40_000)}b`],
	["table bars", `${"| ".repeat(40_000)}x`],
])("Markdown with many %s is read in no time", async (_name, markdown) => {
	await put({ "a.md": `${markdown}\n\nThe end.` });
	const start = process.cpuUsage();
	const { evidence } = await read("a.md");
	expect(process.cpuUsage(start).user / 1000).toBeLessThan(5000);
	expect(evidence.some((item) => item.kind === "passage" && item.text.endsWith("The end."))).toBe(true);
});

test("Markdown marks are taken away, what they mark stays", async () => {
	await put({
		"a.md":
			"## Uses of C# ##\n\nSee [the *map*](m.html), [![a flag](f.png)](f.html) and __this__<!-- not --> --> 4 <!-- 5.\n",
	});
	const { evidence } = await read("a.md");
	expect(evidence[0]).toMatchObject({ title: "Uses of C#", text: "See the *map*, a flag and this --> 4 <!-- 5." });
});

longTest("an id that comes twice in more text than is held in memory is told, and its first record kept", async () => {
	const record = (id: number, text: string, title = "") => `${JSON.stringify({ _id: `${id}`, title, text })}\n`;
	const filling = Array.from({ length: 22 }, (_, id) => record(id + 2, "Filling.", "a".repeat(3_100_000)));
	await put({ "a.jsonl": [record(1, "First."), ...filling, record(1, "Second.")].join("") });
	const { evidence, problems, manifest } = await read("a.jsonl");
	expect(evidence[0]).toMatchObject({ id: "a.jsonl#1", text: "First." });
	expect(manifest.counts.passage).toBe(23);
	expect(problems).toEqual([
		{ source: "a.jsonl#1", message: 'two evidences are called "a.jsonl#1"; the later is left out' },
	]);
});

test("JSON and JSONL records of every known form are read; a bad line is told and left out", async () => {
	await put({
		"a.jsonl": [
			JSON.stringify({ id: "7", contents: '"Anna"\nAnna was a queen.' }),
			JSON.stringify({ title: "Beta", text: "Beta is second." }),
			"{broken",
			JSON.stringify({ _id: "x1", title: "Gamma", text: "Gamma is third." }),
			JSON.stringify({
				wikipedia_title: "Delta",
				text: ["Delta\n", "Delta is fourth.\n", "Section::::Use.\n", "In mathematics.\n"],
			}),
			JSON.stringify({ nothing: true }),
			JSON.stringify({ _id: "x1", title: "Gamma", text: "Twice." }),
		].join("\n"),
		"b.json": JSON.stringify([{ title: "Epsilon", text: "Epsilon is fifth." }]),
	});
	const { evidence, problems } = await read("a.jsonl", "b.json");
	expect(evidence.map((item) => [item.id, item.title, item.kind === "passage" && item.text])).toEqual([
		["a.jsonl#2", "Beta", "Beta is second."],
		["a.jsonl#7", "Anna", "Anna was a queen."],
		["a.jsonl#delta/start.1", "Delta", "Delta is fourth."],
		["a.jsonl#delta/use.1", "Delta", "In mathematics."],
		["a.jsonl#x1", "Gamma", "Gamma is third."],
		["b.json#1", "Epsilon", "Epsilon is fifth."],
	]);
	expect(problems.map(({ source }) => source)).toEqual(["a.jsonl:3", "a.jsonl:6", "a.jsonl:7"]);
});

describe("images", () => {
	longTest("are kept by content with captions from side files or the name; corrupt ones stop nothing", async () => {
		const red = await picture("#f00");
		await put({
			"pics/red_square-1.png": red,
			"pics/green.png": await picture("#0f0"),
			"pics/green.txt": "A meadow in spring.",
			"pics/blue.png": await picture("#00f"),
			"pics/captions.json": JSON.stringify({ "blue.png": "The sea." }),
			"pics/drawing.svg":
				'<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20"><rect width="30" height="20"/></svg>',
			"pics/junk.png": "no image",
			"pics/torn.png": red.subarray(0, red.length - 30),
		});
		const { evidence, problems, manifest, corpusDir } = await read("pics");
		expect(manifest.counts).toEqual({ passage: 0, page: 0, image: 4 });
		const captions = evidence.map((item) => [item.id, item.kind === "image" && item.caption]);
		expect(captions).toEqual([
			["pics/blue.png", "The sea."],
			["pics/drawing.svg", "drawing"],
			["pics/green.png", "A meadow in spring."],
			["pics/red_square-1.png", "red square 1"],
		]);
		expect(problems.map(({ source }) => source).sort()).toEqual(["pics/junk.png", "pics/torn.png"]);
		expect((await readdir(join(corpusDir, "images"))).every((name) => name.endsWith(".png"))).toBe(true);
		expect(evidence[3]).toMatchObject({ width: 40, height: 30 });
	});
});

longTest(
	"a picture that a page shows is evidence once, under the page's words; one with a caption of its own stays",
	async () => {
		const page = (image: string) =>
			`<main><p>${"The lock is told of here at some length. ".repeat(9)}</p><figure><img src="${image}"><figcaption>Figure 1: ${image}.</figcaption></figure></main>`;
		await put({
			"docs/a.html": page("lock.png"),
			"docs/lock.png": await picture("#f00"),
			"docs/other.png": await picture("#0f0"),
			"named/b.html": page("weir.png"),
			"named/weir.png": await picture("#00f"),
			"named/weir.txt": "A weir in spring.",
		});
		const { evidence } = await read("docs", "named");
		expect(evidence.flatMap((one) => (one.kind === "image" ? [[one.id, one.caption]] : []))).toEqual([
			["docs/a.html#page=1.f1", "Figure 1: lock.png."],
			["docs/other.png", "other"],
			["named/b.html#page=1.f1", "Figure 1: weir.png."],
			["named/weir.png", "A weir in spring."],
		]);
		// one that the corpus had by itself keeps its id
		await rm(join(dir, "corpus"), { recursive: true });
		await rename(join(dir, "docs/a.html"), join(dir, "a.html"));
		expect((await read("docs")).ids).toEqual(["docs/lock.png", "docs/other.png"]);
		await rename(join(dir, "a.html"), join(dir, "docs/a.html"));
		expect((await read("docs")).ids).toContain("docs/lock.png");
	},
);

describe("captions by name", () => {
	longTest("that may be of two images, or are two of one, are told and used for none", async () => {
		await put({
			"pics/flag.png": await picture("#f00"),
			"pics/flag.jpg": await picture("#ff0"),
			"pics/flag.txt": "The flag of Obern.",
			"pics/quay.png": await picture("#0f0"),
			"pics/quay.webp": await picture("#0ff"),
			"pics/mast.png": await picture("#00f"),
			"pics/captions.json": JSON.stringify({
				quay: "The quay of Tarn.",
				"quay.webp": "A crane.",
				"mast.png": "A mast.",
			}),
			"pics/captions.jsonl": `{"file": "mast.png", "caption": "A funnel."}\n{"file": "flag.jpg", "caption": "A flag."}`,
		});
		const { evidence, problems } = await read("pics");
		expect(evidence.map((item) => [item.id, item.kind === "image" && item.caption])).toEqual([
			["pics/flag.jpg", "A flag."],
			["pics/flag.png", "flag"],
			["pics/mast.png", "mast"],
			["pics/quay.png", "quay"],
			["pics/quay.webp", "A crane."],
		]);
		const told = problems.map(({ message }) => message);
		expect(told).toContain('"mast.png" has two captions that differ: neither is used; leave one');
		for (const names of ["flag.jpg or flag.png", "quay.png or quay.webp"])
			expect(told.some((message) => message.includes(`may be of ${names}`))).toBe(true);
	});
});

describe("sources", () => {
	longTest("keep their ids and the corpus its hash when moved and read again", async () => {
		await put({ "docs/a.md": "# A\n\nOne.", "docs/sub/b.txt": "Two.", "docs/p.png": await picture("#123456") });
		const first = await read("docs");
		await mkdir(join(dir, "elsewhere"));
		await rename(join(dir, "docs"), join(dir, "elsewhere/docs"));
		const second = await read("elsewhere/docs");
		expect(second.ids).toEqual(["docs/a.md#start", "docs/p.png", "docs/sub/b.txt#1"]);
		expect(second.manifest).toEqual(first.manifest);
	});

	test("of the same name stay apart, and a file named twice is read once", async () => {
		await put({ "x/docs/a.txt": "One.", "y/docs/a.txt": "Two." });
		expect((await read("x/docs", "y/docs", "y/docs/a.txt")).ids).toEqual(["x/docs/a.txt#1", "y/docs/a.txt#1"]);
	});

	test("what is not read is told: unknown kinds, links, bytes that are no text", async () => {
		await put({ "docs/a.txt": "One.", "docs/b.xyz": "?", "docs/c.txt": Buffer.from([65, 0, 66]), "docs/.hidden": "x" });
		await symlink(dir, join(dir, "docs/circle"));
		const { problems, ids } = await read("docs");
		expect(ids).toEqual(["docs/a.txt#1"]);
		expect(problems.map(({ source }) => source).sort()).toEqual(["docs/b.xyz", "docs/c.txt", "docs/circle"]);
	});

	test("a missing path and an empty folder are errors that say what to do, and keep the old corpus", async () => {
		await put({ "docs/a.txt": "One." });
		await read("docs");
		await mkdir(join(dir, "empty"));
		await expect(read("nowhere")).rejects.toMatchObject({
			code: "missing-path",
			exitCode: 2,
			remedy: "Check the path.",
		});
		await expect(read("empty")).rejects.toMatchObject({ code: "empty-sources", exitCode: 2 });
		expect((await openCorpus(join(dir, "corpus"))).manifest.counts.passage).toBe(1);
		expect((await readdir(dir)).filter((name) => name.includes(".part"))).toEqual([]);
	});

	test("a folder of somebody's own is never replaced", async () => {
		await put({ "docs/a.txt": "One." });
		await cp(join(dir, "docs"), join(dir, "corpus"), { recursive: true });
		await expect(read("docs")).rejects.toMatchObject({ code: "folder-in-use", exitCode: 2 });
	});
});

test("a file without text is told, not dropped in silence", async () => {
	await put({ "a/empty.md": "", "a/blank.txt": " \n ", "a/full.txt": "Something stands here." });
	const { problems, ids } = await read("a");
	expect(ids).toEqual(["a/full.txt#1"]);
	expect(problems.map(({ source, message }) => `${source} ${message}`).sort()).toEqual([
		"a/blank.txt holds no text",
		"a/empty.md holds no text",
	]);
});

test("a passage too short to tell its language has its document's", async () => {
	await put({
		"a.md": "# Mount Example\n\nErupted 1842.\n\n## Access\n\nThe path is by the river, with a view of the town.\n",
	});
	const { evidence } = await read("a.md");
	expect(evidence.map(({ language }) => language)).toEqual(["en", "en"]);
});

test("languages are told apart by their function words, and names alone by none", () => {
	expect(detectLanguage("What is the capital of the country?")).toBe("en");
	expect(detectLanguage("¿Cuál es la capital del país?")).toBe("es");
	expect(detectLanguage("Quito Lima Bogotá")).toBe("und");
});
