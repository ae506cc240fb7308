/** MinerU's `middle.json`: pages of blocks of lines of spans, with boxes and page sizes in points. */
import { z } from "zod";
import type { Draft } from "../draft-page.ts";
import {
	boxOf,
	emptyDocument,
	type FindPicture,
	fitting,
	type ParsedDocument,
	type ParsedPage,
	pageOf,
} from "./document.ts";
import { Corners, kinds, Text, tableOf, withCaption } from "./mineru.ts";

export const isMiddle = (json: unknown) => z.object({ pdf_info: z.array(z.looseObject({})) }).safeParse(json).success;

const Span = z.object({
	type: Text,
	content: Text,
	html: Text,
	latex: Text,
	image_path: Text,
	img_path: Text,
	image_base64: Text,
});
const Line = z.object({ spans: z.array(z.unknown()).catch([]) });
const MiddleBlock = z.object({
	type: Text,
	bbox: Corners,
	level: z.number().int().optional().catch(undefined),
	lines: z.array(z.unknown()).catch([]),
	blocks: z.array(z.unknown()).catch([]),
});
type MiddleBlock = z.infer<typeof MiddleBlock>;
const MiddlePage = z.object({
	page_idx: z.number().int().optional().catch(undefined),
	page_size: z.tuple([z.number(), z.number()]).optional().catch(undefined),
	para_blocks: z.array(z.unknown()).optional().catch(undefined),
	preproc_blocks: z.array(z.unknown()).catch([]),
	discarded_blocks: z.array(z.unknown()).catch([]),
});
const Middle = z.object({ pdf_info: z.array(z.unknown()).catch([]), _version_name: Text });

/** Page sizes in points, from `middle.json`. */
export function pageSizes(json: unknown): Map<number, [number, number]> {
	const sizes = new Map<number, [number, number]>();
	for (const [index, raw] of (Middle.safeParse(json).data?.pdf_info ?? []).entries()) {
		const page = MiddlePage.safeParse(raw).data;
		if (page?.page_size) sizes.set(page.page_idx ?? index, page.page_size);
	}
	return sizes;
}

export function fromMiddle(json: unknown, findPicture: FindPicture): ParsedDocument {
	const middle = Middle.parse(json);
	const document = emptyDocument(`mineru ${middle._version_name}`.trim());
	for (const [index, raw] of middle.pdf_info.entries()) {
		const stated = MiddlePage.safeParse(raw).data ?? MiddlePage.parse({});
		const page = pageOf(document, stated.page_idx ?? index, stated.page_size);
		for (const block of stated.para_blocks ?? stated.preproc_blocks) add(page, block);
		for (const block of stated.discarded_blocks) add(page, block, true);
	}
	return document;

	function add(page: ParsedPage, raw: unknown, discarded = false): void {
		const block = MiddleBlock.safeParse(raw).data;
		if (!block) return;
		const kind = kinds[block.type] ?? (discarded ? "footer" : "text");
		if (!kinds[block.type]) document.unknown.add(block.type);
		const inner = [block, ...partsOf(block)];
		const saying = (end: string) => inner.filter(({ type }) => type.endsWith(end)).map(wordsOf);
		const bodies = inner.filter(({ type }) => !/_(?:caption|footnote)$/.test(type));
		const spans = bodies.flatMap(spansOf);
		const words = bodies
			.map(wordsOf)
			.filter((text) => text !== "")
			.join("\n");
		const html = kind === "table" ? spans.map((span) => span.html).find((text) => text !== "") : undefined;
		const image = spans.map(addressOf).find((address) => address !== "");
		const picture = image !== undefined && (kind === "figure" || kind === "table") ? findPicture(image, "") : undefined;
		const box = block.bbox && boxOf(...block.bbox);
		if (kind === "heading" && (block.level ?? 1) === 1) document.title ??= words;
		const draft: Draft = {
			kind,
			...(html === undefined ? { text: words } : tableOf(html, words)),
			...(box ? { box } : {}),
			...(kind === "heading" ? { level: Math.min(Math.max(block.level ?? 1, 1), 9) } : {}),
			...(picture ? { picture } : {}),
		};
		withCaption(document, page, draft, saying("_caption"), saying("_footnote"));
	}
}

function addressOf({ image_path, img_path, image_base64 }: z.infer<typeof Span>): string {
	const path = image_path || img_path;
	if (path !== "") return path.includes("/") ? path : `images/${path}`;
	return image_base64 === "" || image_base64.startsWith("data:")
		? image_base64
		: `data:image/jpeg;base64,${image_base64}`;
}

/** The blocks inside a block, in order; by a stack, since a file may nest as deep as it likes. */
function partsOf(block: MiddleBlock): MiddleBlock[] {
	const out: MiddleBlock[] = [];
	const open = [...block.blocks].reverse();
	for (let raw = open.pop(); raw !== undefined; raw = open.pop()) {
		const inner = MiddleBlock.safeParse(raw).data;
		if (!inner) continue;
		out.push(inner);
		for (const next of [...inner.blocks].reverse()) open.push(next);
	}
	return out;
}

const spansOf = ({ lines }: MiddleBlock) => fitting(lines, Line).flatMap(({ spans }) => fitting(spans, Span));

/** Lines of a paragraph run on; those of lists and code stand by themselves. */
function wordsOf(block: MiddleBlock): string {
	const lines = block.lines.map((line) =>
		spansOf({ ...block, lines: [line] })
			.map((span) => span.content || span.latex)
			.filter((text) => text !== "")
			.join(" "),
	);
	const apart = ["list", "index", "code", "algorithm", "code_body"].includes(block.type);
	return lines
		.filter((line) => line.trim() !== "")
		.join(apart ? "\n" : " ")
		.trim();
}
