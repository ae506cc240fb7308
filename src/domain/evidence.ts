import { z } from "zod";
import { ReadStatus } from "./document-report.ts";
import { Block, Region } from "./layout.ts";

/** Names one evidence within its corpus: stable across re-reading unchanged sources. */
export const EvidenceId = z.string().min(1).max(512);
export type EvidenceId = z.infer<typeof EvidenceId>;

/** A path inside a folder that means the same on every system: no way up, no root, drive, backslash or control. */
export const InnerPath = z
	.string()
	.min(1)
	.refine(
		(path) =>
			path.split("/").every((part) => part !== "" && part !== "." && part !== "..") &&
			![...path].some((character) => character < " " || character === "\\" || character === ":"),
		"must name a file inside the folder: relative, parts separated by /, none of them .. (e.g. images/1.png)",
	);

/** Where an evidence came from and under which terms it may be used. */
export const Provenance = z.object({
	/** File, package or address the evidence was read from. */
	source: z.string(),
	/** Which record, from 1, of a source that holds many: its line, row or element. */
	record: z.number().int().positive().optional(),
	licence: z.string().optional(),
	attribution: z.string().optional(),
});

const common = {
	id: EvidenceId,
	/** The document it belongs to. */
	document: z.string().min(1),
	title: z.string(),
	/** BCP 47 language of the text, `und` when unknown. */
	language: z.string().default("und"),
	/** SHA-256, hex, of the text or of the image file. */
	sha256: z.string().regex(/^[0-9a-f]{64}$/),
	provenance: Provenance,
};

export const Passage = z.object({
	kind: z.literal("passage"),
	...common,
	text: z.string(),
	section: z.string().optional(),
	form: z.enum(["prose", "table"]).default("prose"),
	/** Where it stands on the document's pages, in reading order. */
	regions: z.array(Region).optional(),
});

export const Page = z.object({
	kind: z.literal("page"),
	...common,
	text: z.string(),
	/** 0-based position in the document; `label` is what is printed on it. */
	page: z.number().int().min(0),
	label: z.string().optional(),
	/** The document file, relative to the corpus folder. */
	file: InnerPath.optional(),
	/** Width and height in points. */
	size: z.tuple([z.number(), z.number()]).optional(),
	/** The page as a picture, relative to the corpus folder. */
	image: InnerPath.optional(),
	blocks: z.array(Block).optional(),
	/** Absent where the source cannot fail by page. A failed page is kept, so that page counts agree. */
	status: ReadStatus.optional(),
	/** Name and version of what read it. */
	tool: z.string().optional(),
});

export const ImageEvidence = z.object({
	kind: z.literal("image"),
	...common,
	/** What a reader without eyes may know of it; never the facts that only the image states. */
	caption: z.string(),
	/** The image file, relative to the corpus folder. */
	file: InnerPath,
	width: z.number().int().positive(),
	height: z.number().int().positive(),
	/** Where it was cut out of its document's page. */
	region: Region.optional(),
});

/** One thing that can be retrieved and cited. */
export const Evidence = z.discriminatedUnion("kind", [Passage, Page, ImageEvidence]);
export type Evidence = z.infer<typeof Evidence>;
export type EvidenceKind = Evidence["kind"];
export type Passage = z.infer<typeof Passage>;
export type Page = z.infer<typeof Page>;
export type ImageEvidence = z.infer<typeof ImageEvidence>;

/** A page as evidence ids name it: 0-based inside, in the id as people count, as the addresses of PDF files do (RFC 8118). */
export const pageIdIn = (document: string, page: number): string => `${document}#page=${page + 1}`;

/** As corpora of before name pages, which keep it: `#p0` is the first. */
export const oldPageIdIn = (document: string, page: number): string => `${document}#p${page}`;

/** The page that an evidence id names, by either name, or on which it stands: `rest` is `.2` of `a.pdf#page=4.2`. */
export function pageNamed(id: string): { document: string; page: number; rest: string } | undefined {
	const [, document, counted, old, rest = ""] = /^(.+)#(?:page=([1-9]\d{0,5})|p(\d{1,6}))(\.\w+)?$/s.exec(id) ?? [];
	if (document === undefined) return undefined;
	return { document, page: old === undefined ? Number(counted) - 1 : Number(old), rest };
}

/** Ids that the page of a passage may have: the one that its own goes on from, those of the page that its first region names. */
export function pageIdsOf({ id, document, regions = [] }: Pick<Passage, "id" | "document" | "regions">): string[] {
	const on = pageNamed(id)?.rest ?? "";
	const [region] = regions;
	return [
		...(/^\.\d+$/.test(on) ? [id.slice(0, -on.length)] : []),
		...(region ? [pageIdIn(document, region.page), oldPageIdIn(document, region.page)] : []),
	];
}
