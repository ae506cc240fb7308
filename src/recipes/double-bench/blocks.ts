import { z } from "zod";
import { type Block, EvidenceModality, type Page } from "#domain";
import type { KnowledgeBase } from "#knowledge";
import { asDrop, asPiece, defineStage, type Stage } from "../engine/stage.ts";
import { Document, pageOf } from "./document.ts";

/** A part of a page that a question can be about. */
export const PageBlock = z.object({
	id: z.string(),
	document: Document,
	page: z.string(),
	modality: EvidenceModality,
	text: z.string(),
	caption: z.string().default(""),
	/** What stands around it, for judging whether it makes sense by itself. */
	near: z.string(),
	/** Evidence id of its picture. */
	image: z.string().optional(),
});
export type PageBlock = z.infer<typeof PageBlock>;

/**
 * Splits a document's pages into text, tables and figures, leaves out poor ones (short, or mostly no words), and draws so
 * many, the modalities by turns.
 */
export function documentBlocks(options: {
	knowledge: Pick<KnowledgeBase, "evidence">;
	perDocument: number;
	leastCharacters: number;
}): Stage<Document, PageBlock> {
	const { knowledge, perDocument, leastCharacters } = options;
	return defineStage("extract", "page-blocks", 1, {
		params: { perDocument, leastCharacters },
		yields: perDocument,
		output: PageBlock,
		async run(document, { random }) {
			const all: PageBlock[] = [];
			const about = { document, leastCharacters, inReferences: false };
			for (const { id } of document.pages) all.push(...blocksOf(await pageOf(knowledge, id), about));
			if (all.length === 0) return [asDrop("dead_end", "no block to ask about")];
			const { shuffle } = random(document.id);
			const drawn = EvidenceModality.options.map((modality) =>
				shuffle(all.filter((block) => block.modality === modality)),
			);
			const turns = Math.max(...drawn.map(({ length }) => length));
			const ordered = Array.from({ length: turns }, (_, turn) => drawn.flatMap((blocks) => blocks[turn] ?? []));
			return ordered.flat().slice(0, perDocument).map(asPiece);
		},
	});
}

/** What kind of evidence a block of a page is; headings and captions are none of their own. */
export const modalityOf: Partial<Record<Block["kind"], EvidenceModality>> = {
	text: "text",
	list: "text",
	table: "table",
	figure: "figure",
};

const references =
	/^[\d.\s]*(?:references|bibliography|works cited|références|bibliographie|referencias|bibliografía|参考文献|المراجع)\W*$/iu;

/** The page's blocks; `about` carries over pages whether a list of references goes on. */
function blocksOf(
	page: Page,
	about: { document: Document; leastCharacters: number; inReferences: boolean },
): PageBlock[] {
	const { document, leastCharacters } = about;
	const blocks: Block[] = page.blocks ?? [{ kind: "text", text: page.text }];
	return blocks.flatMap((block, at): PageBlock[] => {
		if (block.kind === "heading") about.inReferences = references.test(block.text.trim());
		const modality = modalityOf[block.kind];
		if (!modality || (about.inReferences && modality === "text")) return [];
		const caption = block.caption === undefined ? "" : (blocks[block.caption]?.text ?? "");
		const { text, image } = block;
		const shown = image !== undefined && modality === "figure";
		if (!shown && (text.length < leastCharacters || isPoor(text, modality))) return [];
		const near = [blocks[at - 1], blocks[at + 1]].map((other) => other?.text ?? "").join("\n…\n");
		return [
			{
				id: `${page.id}/${at}`,
				document,
				page: page.id,
				modality,
				text,
				caption,
				near,
				...(image === undefined ? {} : { image }),
			},
		];
	});
}

/** Lists of references, and runs of signs rather than words. */
function isPoor(text: string, modality: PageBlock["modality"]): boolean {
	const letters = text.match(/\p{L}/gu)?.length ?? 0;
	if (modality === "text" && letters < text.length / 2) return true;
	const references = text.match(/\b(?:et al\.|arXiv|doi:|pp?\. ?\d|In Proceedings)/g)?.length ?? 0;
	return modality === "text" && references > text.length / 150;
}
