import type { Step } from "#domain";
import type { KnowledgeBase, SearchMode } from "#knowledge";
import type { ChatPart } from "#models";
import type { Session } from "../driver/session.ts";
import { pictureOf } from "../pipelines/ask-once.ts";
import { search } from "../pipelines/retrieve.ts";
import { harmless } from "../tools/harmless.ts";
import type { ImagePart } from "../tools/images.ts";
import type { Observation } from "../tools/tools.ts";

/** How pages are searched: as pictures, by their words, or as the knowledge base does it by itself. */
type PageRoute = "seen" | "read" | "own";

/**
 * The search mode of a route: by late interaction with the page pictures, or by the texts' vectors, else their words. A
 * knowledge base that did not encode its pages as pictures has no mode for `seen`: it searches them in its own way.
 */
function pageMode({ manifest }: Pick<KnowledgeBase, "manifest">, route: PageRoute): SearchMode | undefined {
	const encoders = new Map(
		manifest.indexes.filter(({ over }) => over.includes("page")).map(({ name, encoder }) => [name, encoder.name]),
	);
	if (route === "seen") return encoders.has("late") ? "late" : undefined;
	if (route === "own") return undefined;
	const dense = encoders.get("dense");
	// vectors of letters know less than words do (docs/decisions)
	return dense !== undefined && dense !== "characters" ? "dense" : "lexical";
}

/** The pages that a route finds for the question, recorded as a step. */
export function findPages(
	session: Session,
	{ route, k, about }: { route: PageRoute; k: number; about?: Partial<Step> },
) {
	const mode = pageMode(session.context.knowledge, route);
	const args = { query: session.view.question, k, ...(mode === undefined ? {} : { mode }) };
	return search(session, "page_search", { args, ...(about ? { about } : {}) });
}

/** Whether two routes are two searches: without an index of page pictures and with words alone they are one. */
export function routesDiffer(knowledge: Pick<KnowledgeBase, "manifest">): boolean {
	const own = knowledge.manifest.modes?.page ?? "lexical";
	return (pageMode(knowledge, "seen") ?? own) !== pageMode(knowledge, "read");
}

/** A page as a model is shown it. */
export interface ShownPage {
	id: string;
	/** From 1, among the pages that one agent works with. */
	number: number;
	/** Title of its document and what page of it this is. */
	name: string;
	text: string;
	picture?: ImagePart;
}

/** Pages as a search found them, numbered from 1, by their texts alone. */
export const readPages = (results: Observation["results"]): ShownPage[] =>
	results.map(({ id, title, page, label, text }, index) => {
		const printed = label ?? (page === undefined ? undefined : `${page + 1}`);
		const place = printed === undefined ? "" : `, page ${harmless(printed, { longest: 50 })}`;
		return { id, number: index + 1, name: `${harmless(title, { longest: 300 })}${place}`, text };
	});

/** The same with their pictures, where there are any. */
export async function shownPages(session: Session, results: Observation["results"]): Promise<ShownPage[]> {
	const pages = readPages(results);
	for (const page of pages) {
		const picture = await pictureOf(session, page.id);
		if (picture) page.picture = picture;
	}
	return pages;
}

/** Each page after its number: its picture or, where it has none, its text. */
export function seenParts(pages: ShownPage[]): ChatPart[] {
	if (pages.length === 0) return [nothing];
	return pages.flatMap((page): ChatPart[] =>
		page.picture ? [{ type: "text", text: `Page ${page.number} (${page.name}):` }, page.picture] : readParts([page]),
	);
}

/** Each page's text after its number. */
export function readParts(pages: ShownPage[]): ChatPart[] {
	if (pages.length === 0) return [nothing];
	return pages.map(({ number, name, text }) => ({
		type: "text",
		text: `Page ${number} (${name}), its text: ${harmless(text, { longest: 8000 })}`,
	}));
}

const nothing: ChatPart = { type: "text", text: "Pages: none was found." };
