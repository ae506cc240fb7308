import { type KnowledgeManifest, usageError } from "#domain";
import type { IndexName, SearchMode, Target } from "./query.ts";

/** The default text encoder. */
export const charactersName = "characters";

type Indexes = KnowledgeManifest["indexes"];
type TextIndexName = Exclude<IndexName, "image">;

const searched = (indexes: Indexes, name: IndexName, target: Target) =>
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
