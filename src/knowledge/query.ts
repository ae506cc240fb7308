import type { EvidenceKind, KnowledgeManifest, Region } from "#domain";

/** What is searched: each kind of evidence has its own index. */
export type Target = EvidenceKind;

export type IndexName = KnowledgeManifest["indexes"][number]["name"];

/**
 * How a text is searched. lexical: BM25; dense: the text encoder's vectors, of captions for images; joint: the image
 * encoder's space, images only; late: page images by MaxSim, pages only; graph: neighbours of what the text names;
 * hybrid: all of them that there are, except graph, by reciprocal rank fusion.
 */
export type SearchMode = "lexical" | "dense" | "joint" | "late" | "graph" | "hybrid";

/** Only what fits is searched; of several values any fits. */
export interface Filter {
	document?: string | string[];
	/** As the evidence states it, e.g. `en`. */
	language?: string | string[];
	/** Of passages: prose or table. */
	form?: "prose" | "table";
}

/** One search: by text, by image (target image only), or by both, whose lists are then fused. */
export interface Query {
	text?: string;
	/** File path or encoded bytes. */
	image?: string | Buffer;
	target: Target;
	/** How text is searched; without it as the manifest's `modes` say. */
	mode?: SearchMode;
	/** Results wanted: 1 to 1,000. */
	k: number;
	filter?: Filter;
	/** True: by full scan, past any approximate index. */
	exact?: boolean;
	/** Of pages: ranked by the best of their passages, or by their own texts; without it as the manifest says. */
	through?: "passages" | "pages";
}

export interface SearchResult {
	id: string;
	/** Comparable within one list only: BM25, cosine, MaxSim, fused ranks or image likeness, by what was asked. */
	score: number;
	/** From 1. */
	rank: number;
	kind: EvidenceKind;
	document: string;
	title: string;
	snippet: string;
	language: string;
	/** Where a passage or a cut-out image stands on its document's pages: boxes in points. */
	regions?: Region[];
	/** Of a page: its 0-based position in the document and what is printed on it. */
	page?: number;
	label?: string;
	/** The indexes that found it. */
	indexes?: IndexName[];
}
