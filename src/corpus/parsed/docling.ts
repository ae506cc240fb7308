/**
 * DoclingDocument (docling-core, MIT; versions 1.0 to 1.11): items in lists by kind, their order a tree of references
 * from `body`, places as `prov` with 1-based pages and boxes from either corner.
 */

import type { z } from "zod";
import type { BlockKind, Box, Cell } from "#domain";
import { ownField } from "#domain";
import type { Draft } from "../draft-page.ts";
import { tableText } from "../html/table.ts";
import { type BoundingBox, Document, Item, Size, type TableCell } from "./docling-schema.ts";
import {
	around,
	boxOf,
	emptyDocument,
	type FindPicture,
	joinLists,
	kindsOf,
	type ParsedDocument,
	pageOf,
	put,
} from "./document.ts";

const kinds = kindsOf({
	heading: "title section_header",
	text:
		"text paragraph footnote reference handwritten_text checkbox_selected checkbox_unselected " +
		"field_heading field_item field_key field_value field_hint marker empty_value",
	list: "list_item",
	caption: "caption",
	code: "code",
	formula: "formula",
	header: "page_header",
	footer: "page_footer",
});

export function fromDocling(json: unknown, findPicture: FindPicture): ParsedDocument {
	const source = Document.parse(json);
	const document = emptyDocument(`docling ${source.version}`.trim());
	for (const [number, stated] of Object.entries(source.pages)) {
		const size = Size.safeParse(stated).data?.size;
		pageOf(document, Number(number) - 1, size && [size.width, size.height]);
	}
	const lists = ["groups", "texts", "tables", "pictures", "key_value_items", "form_items"] as const;
	const items = new Map(
		lists.flatMap((name) => source[name].map((item, index): [string, unknown] => [`#/${name}/${index}`, item])),
	);
	const done = new Set<string>();
	const made = new Map<string, Draft>();
	const owed: [Draft, string][] = [];

	const itemAt = (ref: string): Item | undefined => Item.safeParse(items.get(ref)).data;

	/** References in the order of the tree, by a stack: a file may nest as deep as it likes. */
	function walk(refs: string[]): void {
		const open = [...refs].reverse();
		for (let ref = open.pop(); ref !== undefined; ref = open.pop()) {
			const item = done.has(ref) ? undefined : itemAt(ref);
			done.add(ref);
			if (!item) continue;
			let children = item.children.map((child) => child.$ref);
			if (ref.startsWith("#/groups/")) {
				if (item.label === "inline") children = [...children, ...inline(children)];
			} else {
				if (ref.startsWith("#/tables/")) table(ref, item);
				else if (ref.startsWith("#/pictures/")) picture(ref, item, children);
				else text(ref, item);
				children.unshift(...item.captions.slice(0, 100).map((caption) => caption.$ref));
			}
			for (const next of children.reverse()) open.push(next);
		}
	}

	/** Runs of one paragraph that differ in their formatting; gives what is inside them, to be walked after. */
	function inline(refs: string[]): string[] {
		const runs: Item[] = [];
		for (const ref of refs) {
			const item = done.has(ref) || !ref.startsWith("#/texts/") ? undefined : itemAt(ref);
			if (!item) continue;
			done.add(ref);
			runs.push(item);
		}
		const [first] = runs;
		if (first) place(first, "text", runs.map((run) => run.text || run.orig).join(" "));
		return runs.flatMap((run) => run.children.map((child) => child.$ref));
	}

	function text(ref: string, item: Item): void {
		const kind = ownField(kinds, item.label) ?? "text";
		if (!ownField(kinds, item.label) && item.label !== "") document.unknown.add(item.label);
		const fields = (item.graph?.cells ?? []).map((cell) => cell.text).join("\n");
		const words = item.text || item.orig || fields;
		if (words === "") return;
		const marked = kind === "list" && item.enumerated && item.marker !== "" ? `${item.marker} ${words}` : words;
		if (item.label === "title") document.title ??= words;
		const draft = place(item, kind, marked);
		if (draft) made.set(ref, draft);
	}

	/** Text that goes on over a page's end is parted where the file says that each page's part begins. */
	function place(item: Item, kind: BlockKind, words: string): Draft | undefined {
		const level = kind === "heading" ? { level: item.level } : {};
		const pages = [...new Set(item.prov.map((prov) => prov.page_no))];
		const starts = pages.map((page) => item.prov.find((prov) => prov.page_no === page)?.charspan?.[0] ?? -1);
		const parted =
			pages.length > 1 &&
			words === item.text &&
			starts.every((at, index) => (index === 0 ? at === 0 : at > (starts[index - 1] ?? 0) && at < words.length));
		let first: Draft | undefined;
		for (const [index, page] of (parted ? pages : [pages[0] ?? 1]).entries()) {
			const piece = parted ? words.slice(starts[index], starts[index + 1] ?? words.length) : words;
			const box = boxOn(item, page);
			const draft = put(document, pageOf(document, page - 1), { kind, text: piece, ...level, ...(box ? { box } : {}) });
			first ??= draft;
		}
		return first;
	}

	function table(ref: string, item: Item): void {
		const stated = item.data?.table_cells ?? [];
		// the grid repeats a cell on every place that it spans
		const all = stated.length > 0 ? stated : uniqueCells(item.data?.grid ?? []);
		const page = item.prov[0]?.page_no ?? 1;
		const cells = all.map((cell): Cell => {
			const box = cell.bbox && placed(cell.bbox, page);
			return {
				row: cell.start_row_offset_idx,
				column: cell.start_col_offset_idx,
				rows: Math.max(1, cell.row_span),
				columns: Math.max(1, cell.col_span),
				text: cell.text,
				header: cell.column_header || cell.row_header,
				...(box ? { box } : {}),
			};
		});
		// cells that are pieces of their own say their text there
		for (const child of item.children)
			if (cells.some(({ text }) => text !== "" && text.includes(itemAt(child.$ref)?.text || "\0")))
				done.add(child.$ref);
		const draft: Draft = { kind: "table", text: tableText(cells), cells };
		add(ref, item, draft);
	}

	function picture(ref: string, item: Item, children: string[]): void {
		const captions = new Set(item.captions.map((caption) => caption.$ref));
		// a child can be named twice
		const inside = [...new Set(children)].filter(
			(child) => child.startsWith("#/texts/") && !captions.has(child) && !done.has(child),
		);
		const words = inside.map((child) => {
			done.add(child);
			return itemAt(child)?.text ?? "";
		});
		add(ref, item, { kind: "figure", text: words.filter((line) => line !== "").join("\n") });
	}

	function add(ref: string, item: Item, draft: Draft): void {
		const page = item.prov[0]?.page_no ?? 1;
		const box = boxOn(item, page);
		const alt = item.annotations.map((annotation) => annotation.text).find((text) => text !== "") ?? "";
		const image = item.image && findPicture(item.image.uri, alt);
		const whole = put(document, pageOf(document, page - 1), {
			...draft,
			...(box ? { box } : {}),
			...(image ? { picture: image } : {}),
		});
		made.set(ref, whole);
		for (const caption of item.captions) owed.push([whole, caption.$ref]);
	}

	function boxOn(item: Item, page: number): Box | undefined {
		const boxes = item.prov.flatMap((prov) => (prov.page_no === page && prov.bbox ? [placed(prov.bbox, page)] : []));
		return boxes.reduce<Box | undefined>(around, undefined);
	}

	/** From the top left; of a page without a known height there is no telling. */
	function placed(box: z.infer<typeof BoundingBox>, page: number): Box | undefined {
		if (box.coord_origin !== "BOTTOMLEFT") return boxOf(box.l, box.t, box.r, box.b);
		const height = document.pages.get(page - 1)?.size?.[1];
		return height === undefined ? undefined : boxOf(box.l, height - box.t, box.r, height - box.b);
	}

	walk(source.body.children.map((child) => child.$ref));
	// nothing is lost for lack of a reference to it
	walk(source.furniture.children.map((child) => child.$ref));
	walk([...items.keys()]);
	for (const [draft, ref] of owed) {
		const caption = made.get(ref);
		if (caption && !draft.caption) draft.caption = Object.assign(caption, { kind: "caption" });
	}
	for (const page of document.pages.values()) page.drafts = joinLists(page.drafts);
	return document;
}

function uniqueCells(grid: z.infer<typeof TableCell>[][]): z.infer<typeof TableCell>[] {
	const seen = new Set<string>();
	return grid.flat().filter((cell) => {
		const at = `${cell.start_row_offset_idx},${cell.start_col_offset_idx}`;
		return !seen.has(at) && seen.add(at);
	});
}
