import { z } from "zod";
import { fold } from "#corpus";
import type { Passage } from "#domain";
import type { RecipeInputs } from "../engine/recipe.ts";

/** A passage of an entity's page, to be asked about. */
export const PagePassage = z.object({
	/** Evidence id. */
	id: z.string(),
	/** The page's title. */
	title: z.string(),
	section: z.string(),
	text: z.string(),
	language: z.string(),
	rights: z.string(),
});
export type PagePassage = z.infer<typeof PagePassage>;

/** Finds the page that bears a name: passages of the corpus titled so. */
export interface Pages {
	/** Passages of the page in order of id; empty where no page, or more than one document, bears the name. */
	of(name: string): Promise<PagePassage[]>;
	/** Ids of the images that bear the name, in order. */
	imagesOf(name: string): Promise<string[]>;
	/** Title of a passage. */
	titleOf(id: string): Promise<string | undefined>;
	/** Of these ids of evidence, those that the knowledge base holds. */
	held(ids: readonly string[]): Promise<string[]>;
}

/** Shorter passages (headings, stubs) say nothing to ask about. */
const leastCharacters = 60;

/** Reads the titles of the corpus once, when the first page is asked for. */
export function pagesOf({ evidence, knowledge }: Pick<RecipeInputs, "evidence" | "knowledge">): Pages {
	let index: ReturnType<typeof read> | undefined;
	async function read() {
		const titles = new Map<string, Map<string, string[]>>();
		const images = new Map<string, string[]>();
		for await (const one of evidence()) {
			if (one.kind === "image") images.set(fold(one.title), [...(images.get(fold(one.title)) ?? []), one.id]);
			if (one.kind !== "passage" || one.text.length < leastCharacters) continue;
			const documents = titles.get(fold(one.title)) ?? new Map<string, string[]>();
			titles.set(fold(one.title), documents);
			documents.set(one.document, [...(documents.get(one.document) ?? []), one.id]);
		}
		return { titles, images };
	}
	return {
		async of(name) {
			index ??= read();
			const documents = (await index).titles.get(fold(name));
			// a name that two documents bear is ambiguous: nothing is guessed
			const [ids] = documents?.size === 1 ? documents.values() : [];
			const passages = await Promise.all((ids ?? []).map((id) => knowledge.evidence(id)));
			return passages.flatMap((one) => (one?.kind === "passage" ? [passageOf(one)] : []));
		},
		async imagesOf(name) {
			index ??= read();
			return (await index).images.get(fold(name)) ?? [];
		},
		async titleOf(id) {
			const one = await knowledge.evidence(id);
			return one?.kind === "passage" ? one.title : undefined;
		},
		async held(ids) {
			const found = await Promise.all(ids.map((id) => knowledge.evidence(id)));
			return ids.filter((_, at) => found[at] !== undefined);
		},
	};
}

const passageOf = ({ id, title, section = "", text, language, provenance }: Passage): PagePassage => ({
	id,
	title,
	section,
	text,
	language,
	rights: provenance.licence ?? "",
});

/** Whether the sentence stands in the text letter by letter, white space aside. */
export function isQuoted(sentence: string, text: string): boolean {
	const plain = (words: string) => words.replace(/\s+/g, " ").trim();
	return plain(sentence) !== "" && plain(text).includes(plain(sentence));
}
