import type { Step, Trajectory } from "#domain";
import { retrievalSteps } from "#domain";
import { foldedWords } from "./folded-words.ts";

/** What tells two searches apart: tool and arguments, words folded, without how many results were asked for. */
export function searchKey({ call }: Step): string {
	const given = Object.entries(call?.arguments ?? {}).filter(([name, value]) => name !== "k" && value !== undefined);
	if (given.length > 1) given.sort(([a], [b]) => (a < b ? -1 : 1));
	const words = given.map(
		([name, value]) => `${name} ${typeof value === "string" ? foldedWords(value) : JSON.stringify(value)}`,
	);
	return `${call?.tool}: ${words.join("; ")}`;
}

/** The searches that were made before, each with the first of its kind. */
export function repeatedSearches(trajectory: Trajectory): { first: Step; again: Step[] }[] {
	const searches = retrievalSteps(trajectory);
	if (searches.length < 2) return [];
	const groups = new Map<string, { first: Step; again: Step[] }>();
	for (const step of searches) {
		const key = searchKey(step);
		const group = groups.get(key);
		if (group) group.again.push(step);
		else groups.set(key, { first: step, again: [] });
	}
	return [...groups.values()].filter(({ again }) => again.length > 0);
}
