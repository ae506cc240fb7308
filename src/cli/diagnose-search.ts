import { join } from "node:path";
import type { SearchAgain, SearchedIds } from "#diagnosis";
import { HopscopeError } from "#domain";
import type { KnowledgeBase, Query, SearchMode } from "#knowledge";

export const searchModes: SearchMode[] = ["lexical", "dense", "joint", "late", "graph", "hybrid"];

/**
 * Searches a knowledge base as diagnosis asks for it. `mode` is how texts are searched instead of the knowledge base's
 * own way. A question image that cannot be read finds nothing.
 */
export function createSearch(
	knowledge: Pick<KnowledgeBase, "search">,
	{ benchmarkDir, mode }: { benchmarkDir: string; mode?: SearchMode | undefined },
): SearchedIds {
	return async ({ task, target, text, image, documents, k }: SearchAgain) => {
		const query: Query = { target, k };
		if (text !== undefined) query.text = text;
		if (mode !== undefined && text !== undefined) query.mode = mode;
		if (documents) query.filter = { document: documents };
		const file = image === undefined ? undefined : task.images[image]?.file;
		if (file !== undefined) query.image = join(benchmarkDir, file);
		try {
			return (await knowledge.search(query)).map(({ id }) => id);
		} catch (error) {
			if (error instanceof HopscopeError && error.code === "bad-image") return [];
			throw error;
		}
	};
}
