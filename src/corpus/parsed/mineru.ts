/**
 * MinerU's `content_list.json`: a flat list in reading order with 0-based pages and boxes in thousandths of the page.
 */

import { z } from "zod";
import type { Box } from "#domain";
import { ownField } from "#domain";
import type { Draft } from "../draft-page.ts";
import { htmlTable, htmlText, tableText } from "../html/table.ts";
import {
	boxOf,
	emptyDocument,
	type FindPicture,
	fillPages,
	kindsOf,
	type ParsedDocument,
	type ParsedPage,
	pageOf,
	put,
} from "./document.ts";

export const Text = z.string().catch("");
/** Lines of a caption: a list, in older versions one text. */
const Lines = z.union([z.array(Text), z.string().transform((text) => [text])]).catch([]);
export const Corners = z.tuple([z.number(), z.number(), z.number(), z.number()]).optional().catch(undefined);

const Entry = z.object({
	type: Text,
	sub_type: Text,
	text: Text,
	text_level: z.number().int().optional().catch(undefined),
	page_idx: z.number().int().catch(0),
	bbox: Corners,
	img_path: Text,
	content: Text,
	image_caption: Lines,
	img_caption: Lines,
	image_footnote: Lines,
	img_footnote: Lines,
	chart_caption: Lines,
	chart_footnote: Lines,
	table_caption: Lines,
	table_footnote: Lines,
	table_body: Text,
	list_items: Lines,
	code_caption: Lines,
	code_body: Text,
	code_footnote: Lines,
});
const Listed = z.array(z.object({ type: z.string(), page_idx: z.number() })).min(1);

/** Judged by its first entries. */
export const isContentList = (json: unknown) => Array.isArray(json) && Listed.safeParse(json.slice(0, 5)).success;

export const kinds = kindsOf({
	text: "text abstract page_footnote aside_text phonetic",
	heading: "title doc_title paragraph_title",
	list: "list index ref_text",
	figure: "image chart seal",
	table: "table",
	formula: "equation interline_equation",
	code: "code algorithm",
	header: "header",
	footer: "footer page_number discarded abandon",
});

/** `sizes` are the pages' in points, where another file states them. */
export function fromContentList(
	json: unknown,
	findPicture: FindPicture,
	sizes: Map<number, [number, number]>,
): ParsedDocument {
	const document = emptyDocument("mineru");
	for (const number of sizes.keys()) pageOf(document, number, sizes.get(number));
	for (const raw of Array.isArray(json) ? json : []) {
		const parsed = Entry.safeParse(raw);
		if (!parsed.success) {
			document.notes.add("holds entries that are no objects; left out");
			continue;
		}
		const entry = parsed.data;
		const kind = ownField(kinds, entry.type) ?? "text";
		if (!ownField(kinds, entry.type)) document.unknown.add(entry.type);
		const page = pageOf(document, entry.page_idx);
		if (entry.bbox && !page.size) {
			page.size = [1000, 1000];
			document.notes.add(
				"states no page sizes: boxes are in thousandths of the page (its middle.json is not beside it)",
			);
		}
		const box = inThousandths(entry.bbox, page);
		const place = box ? { box } : {};
		const address = entry.img_path;
		const captions = [
			...entry.image_caption,
			...entry.img_caption,
			...entry.chart_caption,
			...entry.table_caption,
			...entry.code_caption,
		];
		const footnotes = [
			...entry.image_footnote,
			...entry.img_footnote,
			...entry.chart_footnote,
			...entry.table_footnote,
			...entry.code_footnote,
		];
		const words = [entry.text, ...entry.list_items, entry.code_body, entry.content]
			.filter((text) => text.trim() !== "")
			.join("\n");
		const heading = kind === "heading" || (kind === "text" && (entry.text_level ?? 0) > 0);
		const picture = kind === "figure" || kind === "table" ? findPicture(address, "") : undefined;
		const draft: Draft = {
			kind: heading ? "heading" : kind,
			...place,
			...(kind === "table" ? tableOf(entry.table_body, words) : { text: kind === "figure" ? htmlText(words) : words }),
			...(heading ? { level: Math.min(Math.max(entry.text_level ?? 1, 1), 9) } : {}),
			...(picture ? { picture } : {}),
		};
		if (heading && entry.text_level === 1) document.title ??= words;
		withCaption(document, page, draft, captions, footnotes);
	}
	fillPages(document);
	return document;
}

/** Adds a block, its caption after it, footnotes as text. */
export function withCaption(
	document: ParsedDocument,
	page: ParsedPage,
	draft: Draft,
	captions: string[],
	footnotes: string[],
): void {
	const [caption, footnote] = [captions, footnotes].map((lines) =>
		lines.filter((line) => line.trim() !== "").join("\n"),
	);
	const visual = draft.kind === "figure" || draft.kind === "table";
	if (draft.text.trim() !== "" || visual) put(document, page, draft);
	if (caption) draft.caption = put(document, page, { kind: "caption", text: caption });
	if (footnote) put(document, page, { kind: "text", text: footnote });
}

export function tableOf(html: string, words: string): Pick<Draft, "text" | "cells"> {
	const cells = htmlTable(html);
	// what is no table in HTML is kept as its words
	if (cells.length === 0) return { text: [htmlText(html), words].filter((text) => text !== "").join("\n") };
	return { text: tableText(cells), cells };
}

function inThousandths(corners: z.infer<typeof Corners>, { size }: ParsedPage): Box | undefined {
	if (!corners || !size) return undefined;
	const [x0, y0, x1, y1] = corners;
	const [width, height] = size;
	return boxOf((x0 / 1000) * width, (y0 / 1000) * height, (x1 / 1000) * width, (y1 / 1000) * height);
}
