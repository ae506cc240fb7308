import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { longTest } from "../../../test/long.ts";
import { picture, putFiles, readAlone } from "../../../test/support/corpus/sources.ts";
import type { Draft } from "../draft-page.ts";
import { blocksOf } from "./blocks.ts";
import { html, htmlInPages } from "./html-reader.ts";
import { countCharacters, parseMarkup, textOf } from "./markup.ts";
import { pagesByLength } from "./pages-by-length.ts";
import { htmlTable, htmlText, tableText } from "./table.ts";

let root: string;
beforeEach(async () => {
	root = await mkdtemp(join(tmpdir(), "hopscope-html-"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const prose = (topic: string) =>
	`The ${topic} of the river is described here in a sentence that is long enough to count. `.repeat(4);

describe("a page", () => {
	test("gives its main content as blocks, its menus and scripts none", async () => {
		await putFiles(root, {
			"docs/river.html": `<!doctype html><html><head><title>The river &amp; its towns</title><style>p{}</style></head><body>
<nav><a href="/">Home</a> <a href="/a">All articles</a></nav><script>var secret = 1;</script>
<main><h1>The river<a class="headerlink" href="#r">¶</a></h1><p>${prose("course")}</p>
<h2>Towns</h2><ul><li>Toledo</li><li>Lisbon<ul><li>Bel&eacute;m</li></ul></li></ul>
<table><caption>Lengths</caption><thead><tr><th>place<th colspan=2>reach</tr></thead><tr><td rowspan=2>Spain<td>1<td>716 km</tr><tr><td>2<td>90 km</tr></table>
<pre>x = 1
  y = 2</pre></main><footer>Imprint</footer></body></html>`,
		});
		const { pages, passages, characters, problems } = await readAlone(html, root, "docs/river.html");
		expect(problems).toEqual([]);
		const [page] = pages;
		expect(page).toMatchObject({ title: "The river & its towns", page: 0, status: { is: "ok" }, tool: "html-2" });
		expect(page?.blocks?.map(({ kind, text }) => [kind, text])).toEqual([
			["heading", "The river"],
			["text", prose("course").trim()],
			["heading", "Towns"],
			["list", "Toledo\nLisbon\n  Belém"],
			["table", "place | reach\nSpain | 1 | 716 km\n2 | 90 km"],
			["caption", "Lengths"],
			["code", "x = 1\n  y = 2"],
		]);
		const table = page?.blocks?.[4];
		expect(table?.caption).toBe(5);
		expect(table?.cells?.map(({ row, column, rows, columns, header }) => [row, column, rows, columns, header])).toEqual(
			[
				[0, 0, 1, 1, true],
				[0, 1, 1, 2, true],
				[1, 0, 2, 1, false],
				[1, 1, 1, 1, false],
				[1, 2, 1, 1, false],
				[2, 1, 1, 1, false],
				[2, 2, 1, 1, false],
			],
		);
		expect(passages.find(({ form }) => form === "table")).toMatchObject({ section: "Towns" });
		expect(characters?.read).toBe(characters?.source);
	});

	test("without a declared main content is read where its article stands, headings and tables kept", async () => {
		const menu = `<div id="menu"><ul>${Array.from({ length: 20 }, (_, n) => `<li><a href="${n}">Other page ${n}</a></li>`).join("")}</ul></div>`;
		const rows = "<tr><td><a href='p'>package</a></td><td>what it does, in words</td></tr>".repeat(3);
		await putFiles(root, {
			"a.html": `<html><head><title>News</title></head><body>${menu}<div class="article"><h2>Chapter one</h2><p>${prose("a")}</p><table>${rows}</table><h2>Chapter two</h2><p>${prose("b")}</p></div><div class="sidebar">${menu}</div></body></html>`,
		});
		const { pages } = await readAlone(html, root, "a.html");
		const kinds = pages[0]?.blocks?.map(({ kind }) => kind);
		expect(kinds).toEqual(["heading", "text", "table", "heading", "text"]);
		expect(pages[0]?.text).not.toContain("Other page");
	});

	test("that is only links is read, links and all", async () => {
		await putFiles(root, { "index.html": `<body><ul><li><a href=a>Alpha</a><li><a href=b>Beta</a></ul></body>` });
		expect((await readAlone(html, root, "index.html")).passages[0]?.text).toBe("Alpha\nBeta");
	});

	test("longer than 200,000 characters is broken at headings into pages", async () => {
		const chapter = (n: number) => `<h2>Chapter ${n}</h2><p>${"A sentence of a long book. ".repeat(4000)}</p>`;
		await putFiles(root, { "book.html": `<main><h1>Book</h1>${[1, 2, 3, 4, 5].map(chapter).join("")}</main>` });
		const { pages, characters } = await readAlone(html, root, "book.html");
		expect(pages.map(({ id }) => id.split("#")[1])).toEqual(["page=1", "page=2", "page=3"]);
		expect(pages[1]?.text.startsWith("Chapter 3")).toBe(true);
		expect(characters?.read).toBe(characters?.source);
	});

	test.each([
		["a byte order mark", Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("<p>café", "utf16le")])],
		["a declared encoding", Buffer.from('<meta charset="iso-8859-1"><p>caf\xe9', "latin1")],
		[
			"an old declaration",
			Buffer.from('<meta http-equiv=x content="text/html; charset=windows-1252"><p>caf\xe9', "latin1"),
		],
		["no word of it, UTF-8", Buffer.from("<p>café")],
		["no word of it, Latin", Buffer.from("<p>caf\xe9", "latin1")],
		["an unknown one", Buffer.from('<meta charset="klingon"><p>café')],
	])("is decoded with %s", async (_name, bytes) => {
		await putFiles(root, { "a.html": bytes });
		expect((await readAlone(html, root, "a.html")).pages[0]?.text).toBe("café");
	});
});

describe("images of a page", () => {
	test("are kept with their captions; nothing is taken from outside of the source or from the network", async () => {
		const red = await picture("#f00");
		const data = `data:image/png;base64,${(await picture("#00f")).toString("base64")}`;
		await putFiles(root, {
			"../outside.png": red,
			"images/red square.png": red,
			"images/dot.png": await picture("#000", 3, 3),
			"docs/a.html": `<main><p>${prose("x")}</p>
<figure><img src="../images/red%20square.png" alt="A square"><figcaption>Figure 1: The square.</figcaption></figure>
<p>Before <img src="${data}" alt="the blue"> after.</p><img src="../images/dot.png">
<p>An <img src="https://example.org/x.png" alt="icon"> and <img src="../../outside.png" alt="secret"> stay words.</p>
<figure><img src="missing.png"><figcaption>Figure 2: Not there.</figcaption></figure>
<img src="/etc/passwd.png"><img src="../images/red%20square.png"></main>`,
		});
		const { images, pages, problems } = await readAlone(html, root, "docs/a.html");
		await rm(join(root, "../outside.png"));
		expect(images.map(({ caption, width, id }) => [caption, width, id.split("#")[1]])).toEqual([
			["Figure 1: The square.", 60, "page=1.f1"],
			["the blue", 60, "page=1.f2"],
		]);
		const blocks = pages[0]?.blocks ?? [];
		expect(
			blocks.map(({ kind, text, caption, image }) => [kind, text, caption, image?.split("#")[1]]).slice(1),
		).toEqual([
			["figure", "", 2, "page=1.f1"],
			["caption", "Figure 1: The square.", undefined, undefined],
			["text", "Before after.", undefined, undefined],
			["figure", "", undefined, "page=1.f2"],
			["text", "An icon and secret stay words.", undefined, undefined],
			["figure", "", 7, undefined],
			["caption", "Figure 2: Not there.", undefined, undefined],
			["figure", "", undefined, "page=1.f1"],
		]);
		expect(problems).toEqual(["4 images are not in the source's folder; read are their texts"]);
	});

	test.each([
		[
			"DocBook",
			'<div class="figure"><p class="title"><b>Figure 1. A lock</b></p><div class="figure-contents">IMG</div></div>',
		],
		["Sphinx", '<div class="figure align-center">IMG<p class="caption">Figure 1. A lock</p></div>'],
		[
			"MediaWiki",
			'<div class="thumb"><div class="thumbinner">IMG<div class="thumbcaption">Figure 1. A lock</div></div></div>',
		],
		["WordPress", '<div class="wp-caption">IMG<p class="wp-caption-text">Figure 1. A lock</p></div>'],
	])("have the captions that %s writes", async (_name, figure) => {
		await putFiles(root, {
			"a.html": `<main><p>${prose("x")}</p>${figure.replace("IMG", '<img src="lock.png" alt="lock">')}<p>${prose("y")}</p>
<div class="table"><p class="title">Table 1. Tolls</p><table><tr><th>boat<th>toll<tr><td>barge<td>3</table></div></main>`,
			"lock.png": await picture("#f00"),
		});
		const { images, pages } = await readAlone(html, root, "a.html");
		expect(images.map(({ caption }) => caption)).toEqual(["Figure 1. A lock"]);
		const blocks = pages[0]?.blocks ?? [];
		const captioned = blocks.flatMap(({ kind, caption }) => (caption ? [[kind, blocks[caption]?.text]] : []));
		expect(captioned).toEqual([
			["figure", "Figure 1. A lock"],
			["table", "Table 1. Tolls"],
		]);
	});

	test("are not the icons of notes, whose tables are none", async () => {
		const note = `<div class="note"><table border="0"><tr><td rowspan="2"><img src="note.png" alt="[Note]"></td><th>Note</th></tr><tr><td><p>Shut the lock.</p></td></tr></table></div>`;
		const told = `<div class="note"><table><tr><th>boat<th>toll<tr><td>barge<td>3</table></div>`;
		await putFiles(root, {
			"a.html": `<main><p>${prose("x")}</p>${note}${told}</main>`,
			"note.png": await picture("#f00"),
		});
		const { images, pages } = await readAlone(html, root, "a.html");
		expect(images).toEqual([]);
		expect(pages[0]?.blocks?.slice(1).map(({ kind, text }) => [kind, text])).toEqual([
			["text", "Note"],
			["text", "Shut the lock."],
			["table", "boat | toll\nbarge | 3"],
		]);
	});

	test("that are broken are told once and stop nothing; the files it names are its sides", async () => {
		await putFiles(root, {
			"a.html": `<main>${prose("x")}<img src=b.png alt=one><img src=c.png></main>`,
			"b.png": "junk",
		});
		await putFiles(root, { "c.png": "junk too" });
		const { images, problems, pages } = await readAlone(html, root, "a.html");
		expect(images).toEqual([]);
		expect(pages[0]?.status).toEqual({ is: "ok" });
		expect(problems).toHaveLength(1);
		expect(problems[0]).toContain("2 pictures: is not an image that can be decoded");
		const file = { path: join(root, "a.html"), label: "r/a.html", size: 10 };
		expect(await html.sides?.(file)).toEqual([join(root, "b.png"), join(root, "c.png")]);
	});
});

describe("hostile and broken pages", () => {
	test.each([
		["100,000 nested elements", `${"<div>".repeat(100_000)}The end.${"</div>".repeat(100_000)}`],
		["100,000 nested lists", `${"<ul><li>".repeat(100_000)}The end.`],
		["100,000 nested tables", `${"<table><tr><td>".repeat(100_000)}The end.`],
		["a table of huge spans", `<table><tr><td colspan=999999999 rowspan=999999999>The end.<td>b</table>`],
		["many links", `${'<a href="x">y</a>'.repeat(50_000)}<p>The end.`],
		["an unclosed tag", `<p>The end.</p><div class="`],
		["entities", `${"&amp;".repeat(100_000)}<!DOCTYPE x [<!ENTITY a "b">]><p>The end.`],
	])("%s are read in no time", async (_name, body) => {
		await putFiles(root, { "a.html": `<body>${body}` });
		const start = process.cpuUsage();
		const { pages } = await readAlone(html, root, "a.html");
		expect(process.cpuUsage(start).user / 1000).toBeLessThan(5000);
		expect(pages.map(({ text }) => text).join("")).toContain("The end.");
	});

	test.each([
		["an empty file", "", "holds no text"],
		["only scripts", "<script>alert(1)</script>", "holds no text"],
		["zero bytes", Buffer.from([60, 0, 62]), "zero bytes"],
	])("%s is refused in words", async (_name, content, reason) => {
		await putFiles(root, { "a.html": content });
		await expect(readAlone(html, root, "a.html")).rejects.toThrow(reason);
	});
});

describe("markup", () => {
	const words = fc.stringMatching(/^[a-z0-9 é中.,]{0,12}$/);
	const names = fc.constantFrom(
		"div",
		"p",
		"ul",
		"li",
		"table",
		"tr",
		"td",
		"th",
		"b",
		"h2",
		"pre",
		"figure",
		"figcaption",
		"dl",
		"dt",
		"dd",
		"caption",
		"a",
		"br",
	);
	const { tree } = fc.letrec<{ tree: string }>((tie) => ({
		tree: fc.oneof(
			{ depthSize: "small" },
			words,
			fc
				.tuple(names, fc.array(tie("tree"), { maxLength: 4 }))
				.map(([name, inner]) => `<${name}>${inner.join("")}</${name}>`),
			fc.tuple(names, tie("tree")).map(([name, inner]) => `<${name} colspan=2>${inner}`),
		),
	}));

	test("never loses text outside of tables, whatever is nested in what", () => {
		fc.assert(
			fc.property(tree, (markup) => {
				const root = parseMarkup(markup, "html");
				const blocks = blocksOf(root);
				const kept = blocks.map(({ text, cells }) => (cells ? cells.map((cell) => cell.text).join("") : text)).join("");
				const tables = [...markup.matchAll(/<(?:table|tr|td|th|caption)/g)].length;
				if (tables === 0) expect(countCharacters(kept)).toBe(countCharacters(textOf(root)));
				else expect(countCharacters(kept)).toBeLessThanOrEqual(countCharacters(textOf(root)));
			}),
			{ numRuns: 300 },
		);
	});

	test("tables keep every cell's text, no two cells on one place", () => {
		const cell = fc.record({
			text: words,
			across: fc.integer({ min: -1, max: 4 }),
			down: fc.integer({ min: -1, max: 4 }),
		});
		fc.assert(
			fc.property(fc.array(fc.array(cell, { maxLength: 5 }), { maxLength: 5 }), (rows) => {
				const markup = `<table>${rows.map((row) => `<tr>${row.map(({ text, across, down }) => `<td colspan=${across} rowspan=${down}>${text}</td>`).join("")}</tr>`).join("")}</table>`;
				const cells = htmlTable(markup);
				expect(cells.map(({ text }) => text)).toEqual(rows.flat().map(({ text }) => text.replace(/ +/g, " ").trim()));
				const anchors = cells.map(({ row, column }) => `${row},${column}`);
				expect(new Set(anchors).size).toBe(anchors.length);
				expect(countCharacters(tableText(cells).replaceAll("|", ""))).toBe(
					countCharacters(cells.map(({ text }) => text).join("")),
				);
			}),
			{ numRuns: 200 },
		);
	});

	test("pieces of it give their words, lines apart", () => {
		expect(htmlText("<h2>On <i>rivers</i></h2><p>One.<br>Two &lt;3.</p>")).toBe("On rivers\nOne.\nTwo <3.");
		expect(htmlTable("no table")).toEqual([]);
	});
});

describe("a long document in pages by length", () => {
	const part = (n: number, paragraphs = 4) =>
		`<h2>Part ${n}</h2>${Array.from({ length: paragraphs }, (_, at) => `<p>${prose(`reach ${n}.${at}`)}</p>`).join("")}`;
	const parts = (count: number) => Array.from({ length: count }, (_, n) => part(n)).join("");

	test("has pages as long as printed ones that end before headings; nothing is lost and the same file gives the same", async () => {
		await putFiles(root, { "docs/river.html": `<title>River</title><main><h1>River</h1>${parts(24)}</main>` });
		const { pages, passages, characters } = await readAlone(htmlInPages, root, "docs/river.html");
		expect(pages.length).toBeGreaterThanOrEqual(10);
		expect(pages.map(({ id, page }) => [id.split("/").slice(1).join("/"), page])).toEqual(
			pages.map((_, n) => [`docs/river.html#page=${n + 1}`, n]),
		);
		for (const { text, blocks } of pages) {
			expect(text.length).toBeLessThan(1.25 * 3000 + 200);
			expect(blocks?.[0]?.kind).toBe("heading");
			expect(blocks?.at(-1)?.kind).toBe("text");
		}
		expect(characters?.read).toBe(characters?.source);
		expect(passages.at(-1)).toMatchObject({ section: "Part 23" });
		expect((await readAlone(htmlInPages, root, "docs/river.html")).pages).toEqual(pages);
		const [whole, ...others] = (await readAlone(html, root, "docs/river.html")).pages;
		expect(others).toEqual([]);
		expect(whole?.blocks?.map(({ text }) => text)).toEqual(
			pages.flatMap(({ blocks = [] }) => blocks.map(({ text }) => text)),
		);
	});

	test("a short one is one page, with the ids that it had", async () => {
		await putFiles(root, { "docs/note.html": `<title>Note</title><main>${part(1)}</main>` });
		const [paged, whole] = [
			await readAlone(htmlInPages, root, "docs/note.html"),
			await readAlone(html, root, "docs/note.html"),
		];
		expect(paged.evidence.map(({ id, sha256 }) => [id, sha256])).toEqual(
			whole.evidence.map(({ id, sha256 }) => [id, sha256]),
		);
	});

	test("long lists and code are cut between lines, a table is not, and captions stay with what they name", () => {
		const text = (length: number): Draft => ({ kind: "text", text: "x".repeat(length) });
		const caption: Draft = { kind: "caption", text: "Lengths of the reaches" };
		const table: Draft = { kind: "table", text: "y".repeat(9000), cells: [], caption };
		const code: Draft = { kind: "code", text: Array(900).fill("x = 12345").join("\n") };
		const pages = pagesByLength([
			text(2900),
			table,
			caption,
			code,
			{ kind: "heading", text: "End", level: 2 },
			text(3000),
		]);
		expect(pages.map((page) => page.map(({ kind }) => kind))).toEqual([
			["text"],
			["table", "caption"],
			["code"],
			["code"],
			["code"],
			["heading", "text"],
		]);
		expect(
			pages
				.slice(2, 5)
				.flat()
				.map(({ text }) => text)
				.join("\n"),
		).toBe(code.text);
		const wide: Draft = { kind: "text", text: "河".repeat(1000) };
		expect(pagesByLength(Array(9).fill(wide))).toHaveLength(9);
	});

	test("any blocks come out once, in order, and no page is longer than its last block makes it", () => {
		const kinds = fc.constantFrom(
			"heading" as const,
			"text" as const,
			"list" as const,
			"table" as const,
			"code" as const,
		);
		const block = fc.record({
			kind: kinds,
			text: fc
				.string({ maxLength: 40 })
				.chain((line) => fc.integer({ min: 1, max: 200 }).map((count) => Array(count).fill(line).join("\n"))),
		});
		fc.assert(
			fc.property(fc.array(block, { maxLength: 40 }), (blocks) => {
				const pages = pagesByLength(blocks);
				expect(
					pages
						.flat()
						.map(({ text }) => text)
						.join("\n"),
				).toBe(blocks.map(({ text }) => text).join("\n"));
				for (const page of pages) expect(page.length).toBeGreaterThan(0);
				for (const page of pages.slice(0, -1))
					expect(page.some(({ kind }) => kind !== "heading") || page.length > 1).toBe(true);
			}),
		);
	});

	longTest.each([
		["headings", `<h2>x</h2>`],
		["figures", `<figure><img src="x.png"><figcaption>y</figcaption></figure>`],
		["paragraphs", `<p>z</p>`],
	])("100,000 %s are paged in no time", (_, markup) => {
		const pages = pagesByLength(blocksOf(parseMarkup(`<main>${markup.repeat(100_000)}</main>`, "html")));
		expect(pages.length).toBeGreaterThan(10);
	});
});
