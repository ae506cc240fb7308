import { join } from "node:path";
import type { SearchAgain, SearchedIds } from "#diagnosis";
import { HopscopeError } from "#domain";
import type { KnowledgeBase, Query, SearchMode } from "#knowledge";
import { searchModes } from "./words.ts";

/**
 * Searches a knowledge base as diagnosis asks for it. `mode` is how texts are searched instead of the way that the record
 * names, else the knowledge base's own. A way that is named by the record alone and that this knowledge base does not
 * have is left out. A question image that cannot be read finds nothing.
 */
export function createSearch(
	knowledge: Pick<KnowledgeBase, "search">,
	{ benchmarkDir, mode }: { benchmarkDir: string; mode?: SearchMode | undefined },
): SearchedIds {
	return async ({ task, target, text, image, documents, mode: recorded, k }: SearchAgain) => {
		const query: Query = { target, k };
		const asked = mode ?? searchModes.find((one) => one === recorded);
		if (text !== undefined) query.text = text;
		if (asked !== undefined && text !== undefined) query.mode = asked;
		if (documents) query.filter = { document: documents };
		const file = image === undefined ? undefined : task.images[image]?.file;
		if (file !== undefined) query.image = join(benchmarkDir, file);
		try {
			return (await knowledge.search(query)).map(({ id }) => id);
		} catch (error) {
			if (!(error instanceof HopscopeError)) throw error;
			if (error.code === "bad-image") return [];
			if (error.code !== "no-index" || mode !== undefined || query.mode === undefined) throw error;
			const { mode: _, ...rest } = query;
			return (await knowledge.search(rest)).map(({ id }) => id);
		}
	};
}
