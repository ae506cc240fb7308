import { isSearch, type Step } from "#domain";
import { foldedWords } from "../reading/folded-words.ts";
import { searchKey } from "../reading/searches.ts";

/** A search at its place among the steps that are read. */
export interface PlacedSearch {
	place: number;
	step: Step;
	/** Its words; empty for one by a picture alone. */
	query: string;
}

/** Searches that belong together. */
export interface SearchGroup {
	searches: PlacedSearch[];
	/** Of them, those that repeat an earlier one exactly, in tool and arguments. */
	repeated: PlacedSearch[];
}

/**
 * The searches of some steps, those of one wording or one sub-question together, in the order of the first of each; one that
 * could not be carried out counts where it names a search tool.
 */
export function searchGroups(steps: readonly Step[]): SearchGroup[] {
	const groups: SearchGroup[] = [];
	const byWords = new Map<string, SearchGroup>();
	const before = new Set<string>();
	for (const [place, step] of steps.entries()) {
		if (!step.call || !isSearch(step.call.tool)) continue;
		const search = { place, step, query: queryOf(step) };
		const exact = searchKey(step);
		const names = namesOf(search, exact);
		const group = names.map((name) => byWords.get(name)).find((one) => one !== undefined) ?? {
			searches: [],
			repeated: [],
		};
		if (group.searches.length === 0) groups.push(group);
		group.searches.push(search);
		if (before.has(exact)) group.repeated.push(search);
		before.add(exact);
		for (const name of names) if (!byWords.has(name)) byWords.set(name, group);
	}
	return groups;
}

/** What a search can be put together with others by: its wording and its sub-question, or all of it where it has no words. */
function namesOf({ step, query }: PlacedSearch, exact: string): string[] {
	const wording = foldedWords(query).trim();
	const asked = foldedWords(step.subQuestion ?? "").trim();
	const names = [wording === "" ? `search ${exact}` : `words ${wording}`];
	return asked === "" ? names : [...names, `words ${asked}`];
}

/** What a search is worded in. */
export function queryOf({ call }: Step): string {
	const { query, queries } = call?.arguments ?? {};
	return [query, queries]
		.flat()
		.filter((one): one is string => typeof one === "string")
		.join("\n");
}
