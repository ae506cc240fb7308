import { z } from "zod";
import { DocumentType, type Evidence, type Page } from "#domain";
import type { KnowledgeBase } from "#knowledge";
import { canonicalJson, sha256 } from "#store";
import { MissingEvidence } from "../engine/stage.ts";

/** A document with its pages, as the recipe passes it on. */
export const Document = z.object({
	id: z.string(),
	title: z.string(),
	type: DocumentType,
	/** Pages in their order; `visual`: with a figure or table. */
	pages: z.array(z.object({ id: z.string(), page: z.number().int(), visual: z.boolean() })),
	/** Over the pages' contents: what was asked of another state of it does not count. */
	hash: z.string(),
	source: z.string(),
	rights: z.string(),
	/** Two-letter code and summary, once somebody has read it. */
	language: z.string().default("und"),
	summary: z.string().default(""),
});
export type Document = z.infer<typeof Document>;

/** The documents that have pages, in order of id. Of pages nothing is held but what tells them apart. */
export async function* readDocuments(evidence: AsyncIterable<Evidence>): AsyncGenerator<Document> {
	const documents = new Map<string, { first: Page; pages: PageFacts[] }>();
	for await (const one of evidence) {
		if (one.kind !== "page") continue;
		const known = documents.get(one.document) ?? { first: one, pages: [] };
		known.pages.push(factsOf(one));
		documents.set(one.document, known);
	}
	for (const [id, { first, pages }] of [...documents].sort(([a], [b]) => (a < b ? -1 : 1))) {
		pages.sort((a, b) => a.page - b.page);
		yield Document.parse({
			id,
			title: first.title,
			type: typeOf(first.provenance.source, pages),
			pages: pages.map(({ id: page, page: place, visual }) => ({ id: page, page: place, visual })),
			hash: sha256(canonicalJson(pages.map(({ id: page, sha }) => [page, sha]))),
			source: first.provenance.source,
			rights: first.provenance.licence ?? "",
		});
	}
}

interface PageFacts {
	id: string;
	page: number;
	sha: string;
	visual: boolean;
	recognised: boolean;
	wide: boolean;
}

const factsOf = ({ id, page, sha256: sha, blocks = [], size, tool = "" }: Page): PageFacts => ({
	id,
	page,
	sha,
	visual: blocks.some(({ kind }) => kind === "figure" || kind === "table"),
	recognised: blocks.some(({ confidence }) => confidence !== undefined) || /ocr|tesseract/i.test(tool),
	wide: size !== undefined && size[0] > size[1],
});

/** By the file's ending and by what most pages are: recognised by OCR, or wider than high. */
function typeOf(source: string, pages: readonly PageFacts[]): DocumentType {
	const most = (test: (page: PageFacts) => boolean) => pages.filter(test).length * 2 > pages.length;
	if (/\.html?$/i.test(source)) return "html";
	if (/\.(?:pptx?|odp)$/i.test(source)) return "slides";
	if (most(({ recognised }) => recognised)) return "scanned";
	if (most(({ wide }) => wide)) return "slides";
	return /\.pdf$/i.test(source) ? "pdf" : "other";
}

/** A page of the corpus; one that is missing is the build's trouble, not the item's. */
export async function pageOf(knowledge: Pick<KnowledgeBase, "evidence">, id: string): Promise<Page> {
	const page = await knowledge.evidence(id);
	if (page?.kind !== "page") throw new MissingEvidence(`the knowledge base holds no page ${id}`);
	return page;
}
