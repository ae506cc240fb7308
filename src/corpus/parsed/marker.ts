/**
 * Marker's JSON: a tree of pages and blocks, each with its HTML and corners from the top left of its page; or its
 * "chunks", the same blocks in a flat list. The HTML of a block with children refers to them as `content-ref`.
 */
import { z } from "zod";
import type { Box } from "#domain";
import { freeRecord, ownField } from "#domain";
import { attachCaptions } from "../attach-captions.ts";
import type { Draft } from "../draft-page.ts";
import { countCharacters, find, parseMarkup } from "../html/markup.ts";
import { htmlTable, htmlText, tableText } from "../html/table.ts";
import {
	boxOf,
	emptyDocument,
	type FindPicture,
	fitting,
	joinLists,
	kindsOf,
	type ParsedDocument,
	type ParsedPage,
	pageOf,
	put,
} from "./document.ts";

const Text = z.string().catch("");
const Point = z.tuple([z.number(), z.number()]);
const Block = z.object({
	id: Text,
	block_type: Text,
	html: Text,
	polygon: z.array(Point).max(1000).catch([]),
	bbox: z.array(z.number()).length(4).optional().catch(undefined),
	children: z.array(z.unknown()).nullish().catch(undefined),
	images: freeRecord(Text).nullish().catch(undefined),
	page: z.number().int().optional().catch(undefined),
});
type Block = z.infer<typeof Block>;

const Tree = z.object({ children: z.array(z.object({ block_type: z.literal("Page") })).min(1) });
const Chunks = z.object({
	blocks: z.array(z.unknown()),
	page_info: freeRecord(z.unknown()),
});

export function isMarker(json: unknown): boolean {
	const pages = z.object({ children: z.array(z.unknown()).min(1) }).safeParse(json);
	if (pages.success && Tree.safeParse({ children: pages.data.children.slice(0, 3) }).success) return true;
	return Chunks.safeParse(json).success;
}

const kinds = kindsOf({
	heading: "SectionHeader",
	text: "Text TextInlineMath Handwriting Footnote Reference Line Span Char TableCell",
	table: "Form Table TableOfContents",
	list: "ListItem",
	figure: "Figure Picture",
	caption: "Caption",
	formula: "Equation",
	code: "Code",
	header: "PageHeader",
	footer: "PageFooter",
});
const groups = new Set(["Page", "Document", "FigureGroup", "PictureGroup", "TableGroup", "ListGroup", "ComplexRegion"]);

export function fromMarker(json: unknown, findPicture: FindPicture): ParsedDocument {
	const document = emptyDocument("marker");
	const chunks = Chunks.safeParse(json);
	if (chunks.success) {
		for (const [number, info] of Object.entries(chunks.data.page_info)) {
			const page = Block.safeParse(info).data;
			pageOf(document, Number(number), page && sizeOf(page)?.size);
		}
		for (const block of fitting(chunks.data.blocks, Block)) addAll(pageOf(document, block.page ?? 0), [0, 0], block);
	} else {
		const pages = z.object({ children: z.array(z.unknown()) }).parse(json).children;
		for (const [index, raw] of pages.entries()) {
			const block = Block.safeParse(raw);
			if (!block.success) {
				pageOf(document, index);
				document.notes.add("holds pages that are no objects; empty");
				continue;
			}
			const stated = Number(/^\/page\/(\d+)/.exec(block.data.id)?.[1] ?? Number.NaN);
			const frame = sizeOf(block.data);
			const page = pageOf(document, Number.isNaN(stated) ? index : stated, frame?.size);
			addAll(page, frame?.origin ?? [0, 0], block.data);
		}
	}
	for (const page of document.pages.values()) {
		page.drafts = joinLists(page.drafts);
		attachCaptions(page.drafts);
	}
	return document;

	/** A block and what is inside it, in order; by a stack, since a file may nest as deep as it likes. */
	function addAll(page: ParsedPage, origin: [number, number], first: Block): void {
		const open = [first];
		for (let block = open.pop(); block; block = open.pop()) {
			const children = fitting(block.children ?? [], Block);
			const own = htmlText(block.html);
			if (children.length === 0 || own !== "") add(page, origin, block);
			// of a table the HTML is whole, and its cells are children besides
			const more = children.filter((child) => own === "" || !own.includes(htmlText(child.html)) || child.html === "");
			for (const child of more.reverse()) open.push(child);
		}
	}

	function add(page: ParsedPage, origin: [number, number], block: Block): void {
		const type = block.block_type;
		const kind = ownField(kinds, type) ?? "text";
		if (!ownField(kinds, type) && !groups.has(type)) document.unknown.add(type);
		const box = cornersOf(block, origin);
		const words = htmlText(block.html);
		const level = kind === "heading" ? { level: levelOf(block.html) } : {};
		const draft: Draft = { kind, text: words, ...(box ? { box } : {}), ...level };
		if (kind === "table") {
			const cells = htmlTable(block.html);
			const inCells = cells.reduce((sum, { text }) => sum + countCharacters(text), 0);
			if (cells.length === 0) draft.kind = "text";
			else if (inCells >= countCharacters(words)) Object.assign(draft, { cells, text: tableText(cells) });
		}
		if (kind === "figure") {
			const image = Object.values(block.images ?? {}).find((data) => data !== "") ?? sourceOf(block.html);
			const picture = image === undefined ? undefined : findPicture(image, words);
			if (picture) draft.picture = picture;
		} else if (draft.text === "") return;
		if (kind === "heading" && draft.level === 1) document.title ??= words;
		put(document, page, draft);
	}
}

const levelOf = (html: string) => Number(/<h([1-6])\b/i.exec(html)?.[1] ?? "2");

function sourceOf(html: string): string | undefined {
	return html.includes("<img") ? find(parseMarkup(html, "html"), "img")?.attributes.src : undefined;
}

/** Images stand as bare base64. */
export const markerAddress = (image: string) =>
	/^(?:data:|[^/+=\s]{1,200}\.\w{2,5}$)/i.test(image) ? image : `data:image/jpeg;base64,${image}`;

function rectangle({ bbox, polygon }: Block): Box | undefined {
	if (bbox) return boxOf(...(bbox as [number, number, number, number]));
	if (polygon.length === 0) return undefined;
	const xs = polygon.map(([x]) => x);
	const ys = polygon.map(([, y]) => y);
	return boxOf(Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys));
}

function sizeOf(page: Block): { origin: [number, number]; size: [number, number] } | undefined {
	const box = rectangle(page);
	return box && { origin: [box[0], box[1]], size: [box[2] - box[0], box[3] - box[1]] };
}

function cornersOf(block: Block, [x, y]: [number, number]): Box | undefined {
	const box = rectangle(block);
	return box && boxOf(box[0] - x, box[1] - y, box[2] - x, box[3] - y);
}
