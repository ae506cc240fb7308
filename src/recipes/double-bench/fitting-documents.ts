import type { KnowledgeBase } from "#knowledge";
import { asDrop, asPiece, defineStage, type Stage } from "../engine/stage.ts";
import { Document, pageText } from "./document.ts";
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

/** Pages that a document is described by. */
const pagesRead = 3;

/** Language and summary of a document from its first pages; one in a language that is not wanted is dropped. */
export function describedDocument({
	knowledge,
	languages,
}: {
	knowledge: Pick<KnowledgeBase, "evidence">;
	languages: readonly string[];
}): Stage<Document, Document> {
	return defineStage("extract", "documents-described", 1, {
		params: { languages, pagesRead },
		calls: [{ role: "generator", each: 1, prompt: describeDocumentPrompt.hash }],
		output: Document,
		async run(document, context) {
			const first = document.pages.slice(0, pagesRead);
			const texts = await Promise.all(first.map(({ id }) => pageText(knowledge, id)));
			const values = { title: document.title, pages: texts.join("\n\n") };
			const { value } = await context.ask("generator", describeDocumentPrompt, values);
			const language = value.language.toLowerCase();
			if (!languages.includes(language)) return [asDrop("other", `language ${language}`)];
			return [asPiece({ ...document, language, summary: value.summary })];
		},
	});
}
