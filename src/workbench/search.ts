import { usageError } from "#domain";
import { openKnowledge, type Query, type SearchMode, type SearchResult } from "#knowledge";
import { exists, locate, theOnlyKnowledge } from "./locate.ts";
import type { Bench } from "./work.ts";

export interface SearchOptions {
	/** A name in the workspace or a folder; the workspace's only one where nothing is said. */
	knowledge?: string | undefined;
	/** A file of an image to look for. */
	image?: string | undefined;
	target?: "text" | "image" | "page" | undefined;
	mode?: SearchMode | undefined;
	/** How many results; 5 where nothing is said. */
	k?: number | undefined;
	/** Only in these documents, or languages. */
	document?: string[] | undefined;
	language?: string[] | undefined;
	/** Compare with every vector, past any approximate index. */
	exact?: boolean | undefined;
	/** Rank pages by the best of their passages, or not; as the knowledge base does where nothing is said. */
	throughPassages?: boolean | undefined;
}

const targets = { text: "passage", image: "image", page: "page" } as const;

/** What a knowledge base is asked; an image may be its bytes. */
export function queryOf(
	text: string | undefined,
	options: Omit<SearchOptions, "knowledge" | "image"> & { image?: string | Buffer | undefined },
): Query {
	const { image, target = "text", mode, k = 5, document, language } = options;
	const query: Query = { target: image && !text ? "image" : targets[target], k };
	if (text) query.text = text;
	if (image) query.image = image;
	if (mode) query.mode = mode;
	if (options.exact) query.exact = true;
	if (options.throughPassages !== undefined) query.through = options.throughPassages ? "passages" : "pages";
	if (document || language) query.filter = { ...(document && { document }), ...(language && { language }) };
	return query;
}

/** Searches a knowledge base by text, by image, or both. */
export async function searchKnowledge(
	text: string | undefined,
	options: SearchOptions,
	{ workspace }: Bench,
): Promise<{ knowledge: string; results: SearchResult[] }> {
	const { image } = options;
	if (!text?.trim() && !image)
		throw usageError("nothing-to-search", "there is neither a query nor an image", 'Try: hopscope search "…".');
	if (image && !(await exists(image))) throw usageError("missing-file", `${image} does not exist`, "Check the path.");
	const name = options.knowledge ?? (await theOnlyKnowledge(workspace));
	const knowledge = await openKnowledge(await locate(workspace, "knowledge", name, { named: true }));
	try {
		const query = queryOf(text, options);
		return { knowledge: name, results: await knowledge.search(query) };
	} finally {
		await knowledge.close();
	}
}
