import type { KnowledgeBase } from "#knowledge";
import type { ImagePart } from "#models";
import { asDrop, asPiece, defineStage, type Stage } from "../engine/stage.ts";
import { pictureOf } from "../stages/picture-of.ts";
import { Document, pageOf } from "./document.ts";
import { describeDocumentPrompt } from "./prompts.ts";

/** Lets through documents of a fit length, of slides those that show something. */
export function fittingLength({
	pages: [least, most],
	visualShare,
}: {
	pages: [number, number];
	visualShare: number;
}): Stage<Document, Document> {
	return defineStage("extract", "documents-of-fit-length", 1, {
		params: { pages: [least, most], visualShare },
		output: Document,
		run(document) {
			const { length } = document.pages;
			if (length < least) {
				const remedy = document.type === "html" && length === 1 ? "; hopscope index --html-pages gives HTML pages" : "";
				return [asDrop("other", `${length} pages, fewer than ${least}${remedy}`)];
			}
			if (length > most) return [asDrop("over_cap", `${length} pages, more than ${most}`)];
			const visual = document.pages.filter((page) => page.visual).length / length;
			if (document.type === "slides" && visual < visualShare)
				return [asDrop("image_bad", `${Math.round(visual * 100)} % of the slides show something`)];
			return [asPiece(document)];
		},
	});
}

type Files = Pick<KnowledgeBase, "evidence" | "file">;

/** Pages that a document is described by. */
const pagesRead = 3;

/**
 * Language and summary of a document from its first pages that show something, as a model reads them: what is written in
 * them and their pictures, where they have some. One in a language that is not wanted is dropped.
 */
export function describedDocument({
	knowledge,
	languages,
	from,
}: {
	knowledge: Files;
	languages: readonly string[];
	/** Pictures with what is written in them, or the text alone, for models without eyes. */
	from: "pictures" | "text";
}): Stage<Document, Document> {
	return defineStage("extract", "documents-described", 2, {
		params: { languages, from, pagesRead },
		calls: [{ role: "generator", each: 1, prompt: describeDocumentPrompt.hash }],
		output: Document,
		async run(document, context) {
			const { texts, images } = await firstPages(document, { knowledge, from });
			if (texts.length + images.length === 0)
				return [asDrop("image_bad", "no page has anything to tell its language by")];
			const values = { title: document.title, pages: texts.join("\n\n") };
			const { value } = await context.ask("generator", describeDocumentPrompt, values, { images });
			const language = value.language.toLowerCase();
			if (!languages.includes(language)) return [asDrop("other", `language ${language}`)];
			return [asPiece({ ...document, language, summary: value.summary })];
		},
	});
}

/** The texts and pictures of the first pages that have one or the other: a blank cover tells of no language. */
async function firstPages(
	{ pages }: Document,
	{ knowledge, from }: { knowledge: Files; from: "pictures" | "text" },
): Promise<{ texts: string[]; images: ImagePart[] }> {
	const texts: string[] = [];
	const images: ImagePart[] = [];
	let read = 0;
	for (const { id } of pages) {
		if (read === pagesRead) break;
		const page = await pageOf(knowledge, id);
		const picture = from === "pictures" ? await pictureOf(knowledge, page) : undefined;
		const written = page.text.trim() !== "";
		if (written) texts.push(page.text);
		if (picture) images.push(picture);
		if (written || picture) read += 1;
	}
	return { texts, images };
}
