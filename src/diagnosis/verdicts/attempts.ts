import type { Hop } from "#domain";
import type { ChainReading } from "../reading/chain-reading.ts";
import { foldedWords } from "../reading/folded-words.ts";
import { splitWords, stemsOf } from "../reading/query-words.ts";
import { least, type Seeking } from "../reading/seeking.ts";
import type { VerdictInput } from "./hop-judged.ts";
import type { State } from "./hop-state.ts";

/**
 * Searches that are too short or too far off to aim at a hop, and can be meant for it all the same: they say a word that
 * only it asks with, or, of a hop that needs nothing, one of the question.
 */
export function attemptsAt({ reading: { hop } }: State, { chain }: VerdictInput): Seeking[] {
	const { gold, searches } = chain;
	const loose = searches.filter(({ aimed, said }) => aimed.length === 0 && said.length > 0);
	if (loose.length === 0) return [];
	const near = loose.filter(({ stems }) => stems.some((some) => gold.likeness(some, hop) > 0));
	if (near.length > 0 || hop.needs.length > 0) return near;
	return loose.filter(({ said }) => said.some((text) => splitWords(text).some((word) => isOfQuestion(word, gold))));
}

const leastAsked = 4;
const isOfQuestion = (word: string, gold: ChainReading["gold"]) =>
	word.length >= leastAsked && !gold.isEmpty(word) && gold.isAsked(word) && !gold.isRelation(word);

/** Whether a call that was refused asked for the hop. */
export function isRefused(hop: Hop, { chain: { gold }, trajectory }: VerdictInput): boolean {
	return trajectory.steps.some(({ call }) => {
		if (call?.valid !== false) return false;
		const said = Object.values(call.arguments).filter((value) => typeof value === "string");
		return said.some((text) => gold.likeness(stemsOf(foldedWords(text.slice(0, 2000))), hop) >= least);
	});
}

/** A hop that this one needs and that was solved, or else first tried, only after all of its own steps. */
export function lateNeed(
	{ reading: { hop } }: State,
	tried: readonly Seeking[],
	states: readonly State[],
	{ chain: { gold } }: VerdictInput,
): string | undefined {
	const needed = gold.pairs.filter(({ needing }) => needing === hop.id).map(({ needed }) => needed);
	const late = states.find(({ reading, got, seen }) => {
		if (!needed.includes(reading.hop.id) || got?.is === "known") return false;
		const at = reading.own[0]?.place ?? (got && got.by !== "implied" ? got.place : undefined);
		if (at === undefined || !tried.every(({ place }) => place < at)) return false;
		// asked with a value in its place, right or wrong, it was not asked too early
		if (tried.some(({ said }) => said.some((text) => gold.carries(text, reading.hop) !== undefined))) return false;
		return !(seen.wrong?.by === "query" && tried.some(({ place }) => place === seen.wrong?.place));
	});
	return late?.reading.hop.id;
}
