/**
 * Elements of unstructured (Apache-2.0): a flat list with 1-based pages. Corners stand in the unit of the element's
 * own layout, from the top left in PixelSpace and from the bottom left in the others; a page has the size of its first.
 */

import { z } from "zod";
import type { Box } from "#domain";
import { ownField } from "#domain";
import { attachCaptions } from "../attach-captions.ts";
import type { Draft } from "../draft-page.ts";
import { countCharacters } from "../html/markup.ts";
import { htmlTable, tableText } from "../html/table.ts";
import {
	boxOf,
	emptyDocument,
	type FindPicture,
	fillPages,
	joinLists,
	kindsOf,
	type ParsedDocument,
	type ParsedPage,
	pageOf,
	put,
} from "./document.ts";

const Text = z.string().catch("");
const Coordinates = z.object({
	points: z
		.array(z.tuple([z.number(), z.number()]))
		.min(1)
		.max(1000),
	system: Text,
	layout_width: z.number().positive(),
	layout_height: z.number().positive(),
});
const Metadata = z.object({
	page_number: z.number().int().optional().catch(undefined),
	coordinates: Coordinates.optional().catch(undefined),
	text_as_html: Text,
	category_depth: z.number().int().min(0).max(8).optional().catch(undefined),
	image_base64: Text,
	image_mime_type: Text,
	image_path: Text,
	filename: Text,
});
const Element = z.object({ type: Text, text: Text, metadata: Metadata.catch(Metadata.parse({})) });

const Shape = z.object({ type: z.string(), text: z.string(), element_id: z.string(), metadata: z.looseObject({}) });
export const isUnstructured = (json: unknown) =>
	Array.isArray(json) && json.length > 0 && Shape.safeParse(json[0]).success;

const kinds = kindsOf({
	heading: "Title Headline Subheadline",
	text:
		"NarrativeText UncategorizedText Text Paragraph Abstract Threading Field Field-Name Value Link " +
		"CompositeElement Footnote Address EmailAddress CheckBox Checked Unchecked RadioButton Form " +
		"FormKeysValues DocumentData PageBreak",
	list: "ListItem List List-item BulletedText Bulleted-text",
	table: "Table TableChunk",
	figure: "Image Picture Figure",
	caption: "FigureCaption Caption",
	formula: "Formula",
	code: "CodeSnippet",
	header: "Header PageHeader Page-header",
	footer: "Footer PageFooter Page-footer PageNumber",
});

export function fromUnstructured(json: unknown, findPicture: FindPicture): ParsedDocument {
	const document = emptyDocument("unstructured");
	let number = 1;
	for (const raw of Array.isArray(json) ? json : []) {
		const parsed = Element.safeParse(raw);
		if (!parsed.success) {
			document.notes.add("holds elements that are no objects; left out");
			continue;
		}
		const { type, text, metadata } = parsed.data;
		number = metadata.page_number ?? number;
		const page = pageOf(document, number - 1);
		const kind = ownField(kinds, type) ?? "text";
		if (!ownField(kinds, type)) document.unknown.add(type);
		const box = placed(metadata.coordinates, page);
		const common = { kind, text, ...(box ? { box } : {}) };
		if (kind === "table")
			put(document, page, { ...common, ...tableOf(text, metadata.text_as_html), ...pictureOf(metadata, "") });
		else if (kind === "figure") put(document, page, { ...common, ...pictureOf(metadata, text) });
		else if (text.trim() !== "")
			put(document, page, kind === "heading" ? { ...common, level: (metadata.category_depth ?? 0) + 1 } : common);
	}
	fillPages(document);
	for (const page of document.pages.values()) {
		page.drafts = joinLists(page.drafts);
		attachCaptions(page.drafts);
	}
	return document;

	function pictureOf(
		{ image_base64, image_mime_type, image_path }: z.infer<typeof Metadata>,
		alt: string,
	): Pick<Draft, "picture"> {
		const address = image_base64 === "" ? image_path : `data:${image_mime_type || "image/jpeg"};base64,${image_base64}`;
		const picture = address === "" ? undefined : findPicture(address, alt);
		return picture ? { picture } : {};
	}
}

/** Cells from the HTML; where that says less than the text, the text is kept as it is. */
function tableOf(text: string, html: string): Pick<Draft, "text" | "cells"> {
	const cells = html === "" ? [] : htmlTable(html);
	const inCells = cells.reduce((sum, cell) => sum + countCharacters(cell.text), 0);
	if (cells.length === 0 || inCells < countCharacters(text)) return { text };
	return { text: tableText(cells), cells };
}

function placed(coordinates: z.infer<typeof Coordinates> | undefined, page: ParsedPage): Box | undefined {
	if (!coordinates) return undefined;
	const { points, system, layout_width: width, layout_height: height } = coordinates;
	page.size ??= [width, height];
	const [pageWidth, pageHeight] = page.size;
	const xs = points.map(([x]) => (x / width) * pageWidth);
	const ys = points.map(([, y]) => ((system === "PixelSpace" || system === "" ? y : height - y) / height) * pageHeight);
	return boxOf(Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys));
}
