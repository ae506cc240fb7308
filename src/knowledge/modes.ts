import { type KnowledgeManifest, usageError } from "#domain";
import type { IndexName, Query, SearchMode, Target } from "./query.ts";

/** The default text encoder. */
export const charactersName = "characters";

type Indexes = KnowledgeManifest["indexes"];
type TextIndexName = Exclude<IndexName, "image">;

export const searched = (indexes: Indexes, name: IndexName, target: Target) =>
	indexes.find((index) => index.name === name && index.over.includes(target));

/**
 * The mode of queries that name none, by target. Letters (`characters`) add little to words where questions name what
 * they ask about, so lexical stays (docs/decisions, encoders); a real encoder's vectors are fused with it, and pages
 * and images that were encoded as pictures are searched as such too.
 */
export function modesFor(indexes: Indexes): Record<Target, SearchMode> {
	const modeFor = (target: Target): SearchMode => {
		const dense = searched(indexes, "dense", target);
		const seen = searched(indexes, "late", target) ?? searched(indexes, "joint", target);
		return seen || (dense && dense.encoder.name !== charactersName) ? "hybrid" : "lexical";
	};
	return { passage: modeFor("passage"), page: modeFor("page"), image: modeFor("image") };
}

/**
 * Whether pages are ranked by their best passages where the query does not say: a page is longer than real encoders
 * read, and what they make of its beginning found half as many (docs/decisions, encoders by default). Pages that were
 * encoded as pictures are searched as such.
 */
export function pagesThroughPassages(indexes: Indexes): boolean {
	const dense = (target: Target) => searched(indexes, "dense", target);
	const encoder = dense("page")?.encoder.name;
	if (encoder === undefined || encoder === charactersName || searched(indexes, "late", "page")) return false;
	return dense("passage") !== undefined;
}

/** Modes in which a real encoder has a part in the pages' ranks; in others pages are ranked as they are. */
const throughable: readonly (SearchMode | undefined)[] = [undefined, "dense", "hybrid"];

/** How the pages of a query are ranked: as it says, else as the knowledge base does. */
export function waysThrough({ target, mode, through }: Query, manifest: KnowledgeManifest): Query["through"] {
	if (target !== "page") return undefined;
	return through ?? (throughable.includes(mode) ? manifest.pagesThrough : undefined);
}

/** What each mode needs to be made with, in words that complete "build it with …". */
const remedies: Record<TextIndexName, string> = {
	lexical: "texts",
	dense: "a text encoder",
	joint: "an image encoder that encodes texts too",
	late: "a page encoder",
	graph: "a graph",
};

/** The indexes that a text is looked up in; a mode without its index is an error that says what to do (exit 2). */
export function indexesFor(manifest: KnowledgeManifest, mode: SearchMode, target: Target): TextIndexName[] {
	const has = (name: IndexName) => searched(manifest.indexes, name, target) !== undefined;
	if (mode === "hybrid") return (["lexical", "dense", "joint", "late"] as const).filter(has);
	if (has(mode)) return [mode];
	const others = (["lexical", "dense", "joint", "late", "graph"] as const).filter(has);
	throw usageError(
		"no-index",
		`the knowledge base ${manifest.name} has no ${mode} index over ${target === "image" ? "images" : `${target}s`}`,
		`Build it with ${remedies[mode]}${others.length > 0 ? `, or search with mode ${others.join(" or ")}` : ""}.`,
		{ facts: { mode, target, indexes: others } },
	);
}
