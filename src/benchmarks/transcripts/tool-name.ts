import { isSearch, type SearchTool } from "#domain";

/** Words of tools' names by what they search; the first that fits. Words stand between marks or capitals. */
const kinds: readonly [RegExp, SearchTool][] = [
	[/^(?:web|google|bing|internet|brave|tavily|duckduckgo|serper|exa|serp)$/, "web_search"],
	[/^images?$/, "image_search_by_text"],
	[/^pages?$/, "page_search"],
];
const searches = /^(?:search|searches|searching|retrieve|retrieval|retriever|retrieves|find|query|lookup|rag)$/;
/** Engines that search under their own name alone. */
const engines = /^(?:google|bing|tavily|duckduckgo|serper|exa|serp)$/;

/** The search tool that a foreign tool's name means; undefined where it says of no search. */
export function searchToolNamed(name: string): SearchTool | undefined {
	if (isSearch(name)) return name;
	const words = name
		.slice(0, 200)
		.replace(/([a-z])([A-Z])/g, "$1 $2")
		.toLowerCase()
		.split(/[^a-z]+/)
		.filter((word) => word !== "");
	// to look one thing up is to read it, unless it is said among what
	const asks = words.some(
		(word) => searches.test(word) && !(word === "lookup" || word === "find" ? words.length === 1 : false),
	);
	if (!asks && !words.some((word) => engines.test(word))) return undefined;
	return kinds.find(([kind]) => words.some((word) => kind.test(word)))?.[1] ?? "text_search";
}
