import type { KnowledgeBase } from "./knowledge-base.ts";
import { searched } from "./modes.ts";
import type { Query, SearchMode } from "./query.ts";

/**
 * A knowledge base whose texts are searched in a mode where the query names none; what has no index of that mode is searched
 * as before.
 */
export function searchedIn(knowledge: KnowledgeBase, mode: SearchMode): KnowledgeBase {
	const { indexes } = knowledge.manifest;
	const fits = ({ text, mode: said, target }: Query) =>
		text !== undefined && said === undefined && (mode === "hybrid" || searched(indexes, mode, target) !== undefined);
	return {
		...knowledge,
		search: (query) => knowledge.search(fits(query) ? { ...query, mode } : query),
	};
}
