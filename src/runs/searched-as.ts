import type { Setting } from "#domain";
import { type KnowledgeBase, searchedIn } from "#knowledge";

/** One object for each way of searching: what tools look up is kept by knowledge base. */
const known = new WeakMap<KnowledgeBase, Map<string, KnowledgeBase>>();

/** A knowledge base as a run of this setting searches it. */
export function searchedAs(knowledge: KnowledgeBase, { retrieval }: Pick<Setting, "retrieval">): KnowledgeBase {
	if (retrieval === undefined) return knowledge;
	const ways = known.get(knowledge) ?? new Map<string, KnowledgeBase>();
	known.set(knowledge, ways);
	const made = ways.get(retrieval) ?? searchedIn(knowledge, retrieval);
	ways.set(retrieval, made);
	return made;
}
