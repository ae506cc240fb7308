import type { EvidenceKind } from "#domain";

/** What is searched: each kind of evidence has its own index. */
export type Target = EvidenceKind;

/** lexical: BM25; dense: the text encoder's vectors; hybrid: both, by reciprocal rank fusion. */
export type SearchMode = "lexical" | "dense" | "hybrid";

/** One search: by text, by image (target image only), or by both, whose lists are then fused. */
export interface Query {
	text?: string;
	/** File path or encoded bytes. */
	image?: string | Buffer;
	target: Target;
	/** How text is searched; the knowledge base's own default is the mode that measured best. */
	mode?: SearchMode;
	/** Results wanted: 1 to 1,000. */
	k: number;
}

export interface SearchResult {
	id: string;
	/** Comparable within one list only: BM25, cosine, fused ranks or image likeness, by what was asked. */
	score: number;
	/** From 1. */
	rank: number;
	kind: EvidenceKind;
	document: string;
	title: string;
	snippet: string;
	language: string;
}
