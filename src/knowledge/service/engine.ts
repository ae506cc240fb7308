import type { KnowledgeIndex, KnowledgeService } from "#domain";
import type { EncoderAbout } from "#encoders";
import type { Filter, SearchMode } from "../query.ts";

/** A passage as a search engine gave it. */
export interface Hit {
	id: string;
	text: string;
	/** Higher is better; absent where the engine gives none. */
	score?: number | undefined;
	title?: string | undefined;
	document?: string | undefined;
	language?: string | undefined;
	section?: string | undefined;
	/** Where it can be read. */
	address?: string | undefined;
}

/** A search engine elsewhere, of texts. What it cannot do is absent. */
export interface Engine {
	/** What it tells of itself: its version, the index's own id, how many documents. Results change when these do. */
	said: KnowledgeService["said"];
	/** How many passages it holds, where it tells. */
	passages?: number | undefined;
	/** The ways in which it is known to search; none where nothing is known. */
	indexes: KnowledgeIndex[];
	/** The k best in the engine's own order. `mode` is one of its indexes'. */
	search(asked: {
		text: string;
		k: number;
		mode?: SearchMode | undefined;
		filter?: Filter | undefined;
	}): Promise<Hit[]>;
	byIds?(ids: string[]): Promise<Hit[]>;
	ofDocument?(name: string, most: number): Promise<Hit[]>;
	close?(): void | Promise<void>;
}

/** An engine's own index of words. */
export const wordIndex = (name: string, version: string): KnowledgeIndex => ({
	name: "lexical",
	over: ["passage"],
	encoder: { name, version },
	metric: "its own",
	exact: false,
});

/** An engine's own index of vectors, whose recall against exact search is not known. */
export const vectorIndex = ({ name, version, dimensions, conventions }: EncoderAbout): KnowledgeIndex => ({
	name: "dense",
	over: ["passage"],
	encoder: { name, version, ...(conventions === undefined ? {} : { conventions }) },
	dimensions,
	metric: "its own",
	exact: false,
});
