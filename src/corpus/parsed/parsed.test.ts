import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { longTest } from "../../../test/long.ts";
import { picture, putFiles, readAlone } from "../../../test/support/corpus/sources.ts";
import { countCharacters } from "../html/markup.ts";
import { json } from "../published/json.ts";
import { parsedKind } from "./read-parsed.ts";

let root: string;
beforeEach(async () => {
	root = await mkdtemp(join(tmpdir(), "hopscope-parsed-"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const read = async (value: unknown, name = "a.json", files: Record<string, string | Uint8Array> = {}) => {
	await putFiles(root, { ...files, [name]: JSON.stringify(value) });
	return readAlone(json, root, name);
};
const shown = ({ pages }: Awaited<ReturnType<typeof read>>) =>
	pages.map(({ blocks }) =>
		(blocks ?? []).map(({ kind, text, box, level }) => [kind, text, box, level].filter((part) => part !== undefined)),
	);

describe("a document of Docling", () => {
	const ref = (path: string) => ({ $ref: `#/${path}` });
	const prov = (page: number, [l, t, r, b]: number[], origin = "BOTTOMLEFT", charspan = [0, 5]) => ({
		page_no: page,
		bbox: { l, t, r, b, coord_origin: origin },
		charspan,
	});
	const text = (label: string, words: string, provs: object[], more: object = {}) => ({
		self_ref: "#/texts/0",
		parent: ref("body"),
		children: [],
		content_layer: "body",
		label,
		prov: provs,
		orig: words,
		text: words,
		...more,
	});
	const cell = (words: string, row: number, column: number, more: object = {}) => ({
		bbox: { l: 72, t: 300, r: 100, b: 310, coord_origin: "TOPLEFT" },
		row_span: 1,
		col_span: 1,
		start_row_offset_idx: row,
		end_row_offset_idx: row + 1,
		start_col_offset_idx: column,
		end_col_offset_idx: column + 1,
		text: words,
		column_header: row === 0,
		row_header: false,
		...more,
	});
	const whole = async () => ({
		schema_name: "DoclingDocument",
		version: "1.8.0",
		name: "rivers",
		origin: { mimetype: "application/pdf", filename: "rivers.pdf" },
		furniture: { self_ref: "#/furniture", children: [], label: "unspecified" },
		body: {
			self_ref: "#/body",
			children: [
				ref("texts/6"),
				ref("texts/0"),
				ref("texts/1"),
				ref("groups/0"),
				ref("tables/0"),
				ref("pictures/0"),
				ref("body"),
			],
		},
		groups: [{ children: [ref("texts/2"), ref("texts/3")], name: "list", label: "list" }],
		texts: [
			text("section_header", "The river", [prov(1, [72, 760, 260, 750])], { level: 1 }),
			text("text", "Begins here, ends there.", [
				prov(1, [72, 740, 500, 700], "BOTTOMLEFT", [0, 12]),
				prov(3, [72, 780, 500, 760], "BOTTOMLEFT", [13, 24]),
			]),
			text("list_item", "Toledo", [prov(1, [90, 600, 200, 590])], { enumerated: false, marker: "-" }),
			text("list_item", "Lisbon", [prov(1, [90, 580, 200, 570])], { enumerated: true, marker: "2." }),
			text("caption", "Table 1: reaches", [prov(1, [72, 510, 300, 500])]),
			text("caption", "Figure 1: a map", [prov(3, [72, 300, 300, 290], "TOPLEFT")]),
			text("page_header", "Journal", [prov(1, [72, 790, 200, 780])], { content_layer: "furniture" }),
			text("mystery", "Left alone", [prov(1, [72, 90, 200, 80])]),
			text("text", "N", [prov(3, [80, 200, 90, 190], "TOPLEFT")]),
		],
		tables: [
			{
				captions: [ref("texts/4")],
				children: [],
				label: "table",
				prov: [prov(1, [72, 500, 400, 400])],
				data: {
					table_cells: [
						cell("place", 0, 0),
						cell("reach", 0, 1),
						cell("Spain", 1, 0),
						cell("716 km", 1, 1, { column_header: false }),
					],
					num_rows: 2,
					num_cols: 2,
					grid: [],
				},
			},
		],
		pictures: [
			{
				captions: [ref("texts/5")],
				children: [ref("texts/5"), ref("texts/8")],
				label: "picture",
				prov: [prov(3, [72, 100, 300, 280], "TOPLEFT")],
				image: {
					mimetype: "image/png",
					dpi: 144,
					uri: `data:image/png;base64,${(await picture("#f00")).toString("base64")}`,
				},
				annotations: [],
			},
		],
		key_value_items: [],
		pages: Object.fromEntries([1, 2, 3].map((page) => [page, { size: { width: 595, height: 842 }, page_no: page }])),
	});

	test("becomes pages with boxes from the top left, empty ones too; text over a page's end is parted", async () => {
		const value = await whole();
		expect(parsedKind(value)).toBe("docling");
		const result = await read(value);
		expect(shown(result)).toEqual([
			[
				["header", "Journal", [72, 52, 200, 62]],
				["heading", "The river", [72, 82, 260, 92], 1],
				["text", "Begins here, ", [72, 102, 500, 142]],
				["list", "Toledo\n2. Lisbon", [90, 242, 200, 272]],
				["table", "place | reach\nSpain | 716 km", [72, 342, 400, 442]],
				["caption", "Table 1: reaches", [72, 332, 300, 342]],
				["text", "Left alone", [72, 752, 200, 762]],
			],
			[],
			[
				["text", "ends there.", [72, 62, 500, 82]],
				["figure", "N", [72, 100, 300, 280]],
				["caption", "Figure 1: a map", [72, 290, 300, 300]],
			],
		]);
		const [first, second] = result.pages;
		expect(first?.blocks?.[4]).toMatchObject({ caption: 5 });
		expect(first?.blocks?.[4]?.cells?.[0]).toMatchObject({ text: "place", header: true, box: [72, 300, 100, 310] });
		expect(second).toMatchObject({ page: 1, label: "2", size: [595, 842], status: { is: "ok" } });
		expect(first?.tool).toBe("parsed-1 (docling 1.8.0)");
		expect(result.images).toMatchObject([
			{ caption: "Figure 1: a map", region: { page: 2, box: [72, 100, 300, 280] } },
		]);
		expect(result.problems).toEqual(['labels not known, read as text: "mystery"']);
		expect(result.characters?.read).toBe(result.characters?.source);
	});

	longTest("random trees of references, circles among them, never fail and never lose text", async () => {
		const words = fc.stringMatching(/^[a-z0-9 é中]{0,12}$/);
		const kinds = ["texts", "groups", "pictures", "tables"] as const;
		const anyRef = fc.tuple(fc.constantFrom(...kinds), fc.nat(6)).map(([kind, at]) => ref(`${kind}/${at}`));
		const refs = fc.array(anyRef, { maxLength: 4 });
		const provs = fc.array(
			fc.record({
				page_no: fc.integer({ min: -1, max: 5 }),
				bbox: fc.record({
					l: fc.double(),
					t: fc.double(),
					r: fc.double(),
					b: fc.double(),
					coord_origin: fc.constantFrom("TOPLEFT", "BOTTOMLEFT"),
				}),
				charspan: fc.tuple(fc.nat(12), fc.nat(12)),
			}),
			{ maxLength: 3 },
		);
		const item = fc.record({
			label: fc.constantFrom("text", "title", "list_item", "caption", "inline", "?"),
			text: words,
			prov: provs,
			children: refs,
		});
		const visual = fc.record({ captions: refs, children: refs, prov: provs });
		const documents = fc.record({
			texts: fc.array(item, { maxLength: 7 }),
			groups: fc.array(fc.record({ label: fc.constantFrom("list", "inline"), children: refs }), { maxLength: 7 }),
			pictures: fc.array(visual, { maxLength: 3 }),
			tables: fc.array(visual, { maxLength: 3 }),
			body: fc.record({ children: refs }),
			pages: fc.dictionary(fc.constantFrom("1", "2", "x"), fc.constant({ size: { width: 10, height: 10 } })),
		});
		const twice = [{ $ref: "#/texts/0" }, { $ref: "#/texts/0" }];
		const childTwice = {
			texts: [{ label: "text" as const, text: "once", prov: [], children: [] }],
			groups: [],
			pictures: [{ captions: [], children: twice, prov: [] }],
			tables: [],
			body: { children: [{ $ref: "#/pictures/0" }] },
			pages: {},
		};
		await fc.assert(
			fc.asyncProperty(documents, async (document) => {
				const written = document.texts.map((one) => one.text).join("");
				const result = await read({
					...document,
					schema_name: "DoclingDocument",
					version: "1",
					texts: [...document.texts, { label: "text", text: "x" }],
				});
				const kept = result.pages.map(({ text }) => text).join("");
				expect(countCharacters(kept)).toBe(countCharacters(written) + 1);
			}),
			{ numRuns: 100, examples: [[childTwice]] },
		);
	});
});

describe("files of MinerU", () => {
	const list = [
		{ type: "text", text: "The response of rivers", text_level: 1, bbox: [100, 50, 500, 80], page_idx: 0 },
		{ type: "text", text: "Abstract follows.", bbox: [100, 100, 900, 200], page_idx: 0 },
		{ type: "header", text: "Journal", bbox: [0, 0, 100, 10], page_idx: 0 },
		{
			type: "table",
			img_path: "images/t.jpg",
			table_caption: ["Table 1"],
			table_footnote: ["a Note."],
			table_body: "<table><tr><td>a</td><td colspan=2>b</td></tr></table>",
			bbox: [100, 300, 900, 400],
			page_idx: 2,
		},
		{
			type: "image",
			img_path: "images/f.png",
			image_caption: ["Figure 1", "A map."],
			image_footnote: [],
			bbox: [100, 500, 500, 900],
			page_idx: 2,
		},
		{ type: "equation", text: "$$E = mc^2$$", text_format: "latex", page_idx: 2 },
		{ type: "list", sub_type: "ref_text", list_items: ["[1] One.", "[2] Two."], page_idx: 2 },
		{ type: "code", sub_type: "code", code_caption: [], code_body: "x = 1", page_idx: 2 },
		{ type: "hologram", text: "Strange.", page_idx: 2 },
	];

	test("content_list: a kind called as what every object inherits is an unknown one", async () => {
		const odd = ["constructor", "__proto__", "toString"].map((type) => ({ type, text: type, page_idx: 0 }));
		const result = await read([list[0], ...odd], "p_content_list.json");
		expect(shown(result)[0]?.slice(1)).toEqual(odd.map(({ text }) => ["text", text]));
	});

	test("content_list: boxes in points where page sizes stand beside, pages without entries are there", async () => {
		expect(parsedKind(list)).toBe("mineru-content-list");
		const files = {
			"p_middle.json": JSON.stringify({
				pdf_info: [0, 1, 2].map((page_idx) => ({ page_idx, page_size: [600, 800], para_blocks: [] })),
			}),
			"images/f.png": await picture("#0f0"),
		};
		const result = await read(list, "p_content_list.json", files);
		expect(shown(result)).toEqual([
			[
				["heading", "The response of rivers", [60, 40, 300, 64], 1],
				["text", "Abstract follows.", [60, 80, 540, 160]],
				["header", "Journal", [0, 0, 60, 8]],
			],
			[],
			[
				["table", "a | b", [60, 240, 540, 320]],
				["caption", "Table 1"],
				["text", "a Note."],
				["figure", "", [60, 400, 300, 720]],
				["caption", "Figure 1\nA map."],
				["formula", "$$E = mc^2$$"],
				["list", "[1] One.\n[2] Two."],
				["code", "x = 1"],
				["text", "Strange."],
			],
		]);
		expect(result.pages[2]?.blocks?.[0]).toMatchObject({
			caption: 1,
			cells: [{ text: "a" }, { text: "b", columns: 2 }],
		});
		expect(result.images).toMatchObject([{ caption: "Figure 1\nA map.", region: { page: 2, size: [600, 800] } }]);
		expect(result.pages[0]).toMatchObject({ title: "The response of rivers" });
		expect(result.problems).toEqual(['labels not known, read as text: "hologram"']);
		const alone = await read(list, "q_content_list.json");
		expect(alone.pages[0]?.size).toEqual([1000, 1000]);
		expect(alone.problems[0]).toContain("thousandths");
		expect(await json.sides?.({ path: join(root, "p_content_list.json"), label: "p", size: 1 })).toEqual([
			join(root, "p_middle.json"),
			join(root, "layout.json"),
		]);
	});

	test("middle: lines run on to paragraphs, headers are kept apart", async () => {
		const line = (...spans: object[]) => ({ bbox: [0, 0, 1, 1], spans });
		const span = (content: string, type = "text") => ({ type, content, bbox: [0, 0, 1, 1], score: 1 });
		const value = {
			pdf_info: [
				{
					page_idx: 0,
					page_size: [612, 792],
					para_blocks: [
						{ type: "title", bbox: [72, 90, 540, 110], level: 1, lines: [line(span("1 Introduction"))] },
						{
							type: "text",
							bbox: [72, 120, 540, 200],
							lines: [line(span("The error"), span("E_n", "inline_equation")), line(span("falls."))],
						},
						{
							type: "image",
							bbox: [72, 300, 300, 400],
							blocks: [
								{ type: "image_caption", bbox: [72, 401, 300, 410], lines: [line(span("Figure 1: Diagram"))] },
								{
									type: "image_body",
									bbox: [72, 300, 300, 400],
									lines: [line({ type: "image", image_path: "f.png" })],
								},
							],
						},
						{
							type: "table",
							bbox: [72, 500, 540, 600],
							blocks: [
								{
									type: "table_body",
									lines: [
										line({ type: "table", html: "<table><tr><th>a</th><td>1</td></tr></table>", image_path: "t.jpg" }),
									],
								},
								{ type: "table_footnote", lines: [line(span("Note."))] },
							],
						},
					],
					discarded_blocks: [{ type: "discarded", bbox: [72, 60, 540, 70], lines: [line(span("Journal"))] }],
				},
				{ page_idx: 1, page_size: [612, 792], para_blocks: [], discarded_blocks: [] },
			],
			_backend: "pipeline",
			_version_name: "2.5.4",
		};
		expect(parsedKind(value)).toBe("mineru-middle");
		const result = await read(value, "b_middle.json", { "images/f.png": await picture("#00f") });
		expect(shown(result)).toEqual([
			[
				["heading", "1 Introduction", [72, 90, 540, 110], 1],
				["text", "The error E_n falls.", [72, 120, 540, 200]],
				["figure", "", [72, 300, 300, 400]],
				["caption", "Figure 1: Diagram"],
				["table", "a | 1", [72, 500, 540, 600]],
				["text", "Note."],
				["footer", "Journal", [72, 60, 540, 70]],
			],
			[],
		]);
		expect(result.images).toMatchObject([{ caption: "Figure 1: Diagram" }]);
		expect(result.pages[1]?.tool).toBe("parsed-1 (mineru 2.5.4)");
	});
});

describe("Marker's JSON", () => {
	const block = (type: string, html: string, [a = 0, b = 0, c = 0, d = 0]: number[], more: object = {}) => ({
		id: `/page/10/${type}/1`,
		block_type: type,
		html,
		polygon: [
			[a, b],
			[c, b],
			[c, d],
			[a, d],
		],
		children: null,
		images: {},
		section_hierarchy: {},
		...more,
	});

	test("as a tree: groups are opened, captions found, pages keep their numbers", async () => {
		const image = (await picture("#123456")).toString("base64");
		const value = {
			block_type: "Document",
			metadata: { page_stats: [] },
			children: [
				block("Page", "<content-ref src='/page/10/SectionHeader/0'></content-ref>", [0, 0, 612, 792], {
					children: [
						block("PageHeader", "", [0, 0, 612, 20]),
						block("SectionHeader", "<h1>Rivers of <i>Iberia</i></h1>", [72, 80, 300, 100]),
						block("Text", "<p>It flows <math>x^2</math> west.</p>", [72, 110, 540, 160]),
						block("ListGroup", "<content-ref src='/page/10/ListItem/1'></content-ref>", [72, 170, 540, 200], {
							children: [
								block("ListItem", "<li>Toledo</li>", [72, 170, 540, 180]),
								block("ListItem", "<li>Lisbon</li>", [72, 185, 540, 200]),
							],
						}),
						block("FigureGroup", "<content-ref src='/page/10/Figure/1'></content-ref>", [72, 300, 540, 500], {
							children: [
								block("Figure", "<p></p>", [72, 300, 540, 480], {
									images: { "/page/10/Figure/1": image },
								}),
								block("Caption", "<p>Figure 1. Map.</p>", [72, 485, 540, 500]),
							],
						}),
						block("Table", "<table><tbody><tr><th>a</th><td>1</td></tr></tbody></table>", [72, 520, 540, 600], {
							children: [
								block("TableCell", "<th>a</th>", [72, 520, 100, 600]),
								block("TableCell", "<td>1</td>", [100, 520, 540, 600]),
							],
						}),
						block("Hologram", "<p>Strange.</p>", [72, 610, 540, 620]),
					],
				}),
				{ ...block("Page", "", [0, 0, 612, 792], { children: [] }), id: "/page/11/Page/0" },
			],
		};
		expect(parsedKind(value)).toBe("marker");
		const result = await read(value);
		expect(result.pages.map(({ page, size }) => [page, size])).toEqual([
			[10, [612, 792]],
			[11, [612, 792]],
		]);
		expect(shown(result)[0]).toEqual([
			["heading", "Rivers of Iberia", [72, 80, 300, 100], 1],
			["text", "It flows x^2 west.", [72, 110, 540, 160]],
			["list", "Toledo\nLisbon", [72, 170, 540, 200]],
			["figure", "", [72, 300, 540, 480]],
			["caption", "Figure 1. Map.", [72, 485, 540, 500]],
			["table", "a | 1", [72, 520, 540, 600]],
			["text", "Strange.", [72, 610, 540, 620]],
		]);
		expect(result.images).toMatchObject([{ caption: "Figure 1. Map.", region: { page: 10 } }]);
		expect(result.problems).toEqual(['labels not known, read as text: "Hologram"']);
	});

	test("as chunks: blocks by page", async () => {
		const value = {
			blocks: [{ ...block("Text", "<p>One.</p>", [1, 2, 3, 4]), bbox: [1, 2, 3, 4], page: 1 }],
			page_info: { "0": { bbox: [0, 0, 10, 20] }, "1": { bbox: [0, 0, 10, 20] } },
			metadata: {},
		};
		const result = await read(value);
		expect(shown(result)).toEqual([[], [["text", "One.", [1, 2, 3, 4]]]]);
		expect(result.pages[0]?.size).toEqual([10, 20]);
	});

	longTest("random trees never fail and never lose text", async () => {
		const words = fc.stringMatching(/^[a-z0-9 é中]{0,12}$/);
		const { tree } = fc.letrec<{ tree: { html: string } }>((tie) => ({
			tree: fc.oneof(
				{ depthSize: "small" },
				fc.record({
					block_type: fc.constantFrom(
						"Text",
						"SectionHeader",
						"ListItem",
						"Table",
						"Figure",
						"Caption",
						"Code",
						"Other",
					),
					html: fc.oneof(
						words,
						words.map((text) => `<p>${text}</p>`),
						words.map((text) => `<table><tr><td>${text}</td></tr></table>`),
					),
					polygon: fc.oneof(
						fc.constant([]),
						fc.constant([
							[0, 0],
							[1, 1],
						]),
						fc.constant("no"),
					),
				}),
				fc.record({
					block_type: fc.constantFrom("ListGroup", "FigureGroup"),
					html: fc.constant("<content-ref></content-ref>"),
					children: fc.array(tie("tree"), { maxLength: 4 }),
				}),
			),
		}));
		const textIn = (node: { html: string; children?: unknown[] }): string =>
			node.html.replace(/<[^>]*>/g, "") +
			(node.children ?? []).map((child) => textIn(child as { html: string })).join("");
		await fc.assert(
			fc.asyncProperty(fc.array(tree, { maxLength: 5 }), async (children) => {
				const page = { block_type: "Page", id: "/page/0/Page/0", html: "", children };
				const { pages } = await read({ children: [page] });
				expect(countCharacters(pages.map(({ text }) => text).join(""))).toBe(
					countCharacters(children.map(textIn).join("")),
				);
			}),
			{ numRuns: 100 },
		);
	});

	longTest("nested ten thousand deep is read", async () => {
		const deep = `${'{"block_type":"ListGroup","html":"","children":['.repeat(10_000)}{"block_type":"Text","html":"The end."}${"]}".repeat(10_000)}`;
		await putFiles(root, { "a.json": `{"children":[{"block_type":"Page","html":"","children":[${deep}]}]}` });
		expect((await readAlone(json, root, "a.json")).pages[0]?.text).toBe("The end.");
	});
});

describe("elements of unstructured", () => {
	const element = (
		type: string,
		text: string,
		page: number | undefined,
		corners?: number[],
		more: object = {},
		system = "PixelSpace",
	) => {
		const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = corners ?? [];
		const points = [
			[x0, y0],
			[x0, y1],
			[x1, y1],
			[x1, y0],
		];
		const coordinates = { points, system, layout_width: 1300, layout_height: 1890 };
		return {
			type,
			element_id: "2d558306da71f11751c0f4d0074c3e24",
			text,
			metadata: {
				filename: "a.pdf",
				languages: ["eng"],
				...(page === undefined ? {} : { page_number: page }),
				...(corners ? { coordinates } : {}),
				...more,
			},
		};
	};

	test("become pages of blocks, their boxes in the layout's unit from the top left", async () => {
		const image = (await picture("#00f")).toString("base64");
		const value = [
			element("Header", "Journal", 1, [10, 10, 100, 20]),
			element("Title", "Rivers", 1, [110, 120, 141, 146], { category_depth: 0 }),
			element("NarrativeText", "It flows west.", 1, [110, 1690, 500, 1790], {}, "PointSpace"),
			element("ListItem", "Toledo", 1, [110, 300, 200, 310]),
			element("ListItem", "Lisbon", 1, [110, 320, 220, 330]),
			element("Image", "N", 3, [10, 20, 300, 400], { image_base64: image, image_mime_type: "image/png" }),
			element("FigureCaption", "Figure 1: a map", 3),
			element("Table", "a 1", 3, undefined, { text_as_html: "<table><tr><td>a</td><td>1</td></tr></table>" }),
			element("Table", "a 1 and what the HTML lost", 3, undefined, {
				text_as_html: "<table><tr><td>a</td></tr></table>",
			}),
			element("Hologram", "Strange.", undefined),
		];
		expect(parsedKind(value)).toBe("unstructured");
		const result = await read(value);
		expect(shown(result)).toEqual([
			[
				["header", "Journal", [10, 10, 100, 20]],
				["heading", "Rivers", [110, 120, 141, 146], 1],
				["text", "It flows west.", [110, 100, 500, 200]],
				["list", "Toledo\nLisbon", [110, 300, 220, 330]],
			],
			[],
			[
				["figure", "N", [10, 20, 300, 400]],
				["caption", "Figure 1: a map"],
				["table", "a | 1"],
				["table", "a 1 and what the HTML lost"],
				["text", "Strange."],
			],
		]);
		expect(result.images).toMatchObject([{ caption: "Figure 1: a map" }]);
		expect(result.problems).toEqual(['labels not known, read as text: "Hologram"']);
	});

	longTest("random ones never fail and never lose text", async () => {
		const words = fc.stringMatching(/^[a-z0-9 é中]{0,12}$/);
		const types = fc.constantFrom(
			"Title",
			"ListItem",
			"Table",
			"Image",
			"FigureCaption",
			"Header",
			"PageBreak",
			"Other",
		);
		const metadata = fc.oneof(
			fc.constant({}),
			fc.record({
				page_number: fc.oneof(fc.integer({ min: -2, max: 6 }), fc.constant("x")),
				text_as_html: fc.oneof(
					words,
					words.map((text) => `<table><tr><td>${text}`),
				),
				coordinates: fc.constantFrom(null, {}, { points: [[0, 0]], system: "x", layout_width: 1, layout_height: 1 }),
			}),
		);
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.record({ type: types, text: words, metadata }), { maxLength: 8 }),
				async (elements) => {
					const value = [{ type: "Text", element_id: "x", text: "x", metadata: {} }, ...elements];
					const { pages } = await read(value);
					// what a table's HTML says beyond its text is kept too
					const kept = countCharacters(pages.map(({ text }) => text).join(""));
					expect(kept).toBeGreaterThanOrEqual(countCharacters(value.map(({ text }) => text).join("")));
				},
			),
			{ numRuns: 100 },
		);
	});
});

test.each([
	["records", [{ title: "a", text: "b" }]],
	["an empty list", []],
	["an object of anything", { a: 1, children: [] }],
	["a list with types", [{ type: "text" }]],
	["a text", "docling"],
	["nothing", null],
])("%s is no parser's file", (_name, value) => {
	expect(parsedKind(value)).toBeUndefined();
});
