import { grouped, retrievalSteps, type Step, type Trajectory } from "#domain";
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
	const groups = grouped(retrievalSteps(trajectory), searchKey).values();
	return [...groups].flatMap(([first, ...again]) => (first && again.length > 0 ? [{ first, again }] : []));
}
