import type { Hop } from "#domain";
import type { ChainReading } from "../reading/chain-reading.ts";
import { foldedWords } from "../reading/folded-words.ts";
import { splitWords, stemsOf } from "../reading/query-words.ts";
import { least, type Seeking } from "../reading/seeking.ts";
import type { VerdictInput } from "./hop-judged.ts";
import type { State } from "./hop-state.ts";

/**
 * Searches that are too short or too far off to aim at a hop, and can be meant for it all the same: they say a word that
 * only it asks with, or a name that it asks about, or they were made when it was the next to do.
 */
export function attemptsAt(state: State, states: readonly State[], { chain }: VerdictInput): Seeking[] {
	const { gold, searches } = chain;
	const { hop } = state.reading;
	const loose = searches.filter(({ aimed, said }) => aimed.length === 0 && said.length > 0);
	if (loose.length === 0) return [];
	const near = loose.filter(({ stems }) => stems.some((some) => gold.likeness(some, hop) > 0));
	if (near.length > 0) return near;
	const anchored = loose.filter(({ said }) =>
		said.some((text) => gold.anchorsOf(hop).some((name) => text.includes(` ${name} `))),
	);
	if (anchored.length > 0) return anchored;
	const vague = loose.filter(
		({ said, place }) => said.every((text) => saysNothing(text, gold)) && dueAt(place, states, gold) === state,
	);
	if (vague.length > 0) return vague;
	const missing = states.filter(
		({ reading, came }) => reading.retrieves && reading.own.length === 0 && came.length === 0,
	);
	return missing.length === 1 && missing[0] === state ? loose.filter((seeking) => namesNothing(seeking, gold)) : [];
}

/** So few words that name nothing of the chain ask for nothing: "more details", "list of countries". */
const mostVague = 2;

const saysNothing = (text: string, gold: ChainReading["gold"]) =>
	splitWords(text).filter((word) => !gold.isEmpty(word)).length <= mostVague &&
	!gold.hops.some((hop) => gold.carries(text, hop) !== undefined);

/** A search about something that it does not name: "how wooded is that country". */
const namesNothing = ({ said, step }: Seeking, gold: ChainReading["gold"]) =>
	!/[\p{L}\p{N},] \p{Lu}|\p{N}/u.test(String(step.call?.arguments.query ?? step.subQuestion ?? "")) &&
	!said.some((text) =>
		gold.hops.some(
			(hop) => gold.carries(text, hop) !== undefined || gold.anchorsOf(hop).some((name) => text.includes(` ${name} `)),
		),
	);

/** The first hop that was not worked on yet, nor is later, while what it needs had been found or taken. */
function dueAt(place: number, states: readonly State[], { ancestors }: ChainReading["gold"]): State | undefined {
	const had = new Set(
		states.flatMap(({ got, wrong, reading, came }) => {
			const at = Math.min(got?.place ?? Infinity, wrong?.place ?? Infinity, ...came);
			return at < place ? [reading.hop.id] : [];
		}),
	);
	const isReady = ({ reading: { hop, retrieves } }: State) =>
		retrieves &&
		!had.has(hop.id) &&
		states.every(
			({ reading }) => !reading.retrieves || !ancestors.get(hop.id)?.has(reading.hop.id) || had.has(reading.hop.id),
		);
	const next = states.find(isReady);
	return next?.reading.own.length === 0 && next.came.length === 0 ? next : undefined;
}

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
