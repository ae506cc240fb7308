import { type Evidence, shownAs, type Trajectory } from "#domain";
import { readQuantities } from "#scoring";
import { foldedWords, holdsWords } from "./folded-words.ts";
import { isSentence } from "./value.ts";

/** All that came back in a trajectory, as texts. `until` is the place of the last step that counts. */
export interface CameBack {
	/** Where a value stands. */
	standing(value: string, options?: { until?: number | undefined }): Standing;
	/** Evidence whose text holds all of some folded words, near one another. */
	holding(words: readonly string[], options?: { until?: number | undefined }): Evidence[];
	/** Whether the texts write a folded word with a capital letter throughout; `within`: also where no sentence begins. */
	isName(word: string, options?: { within?: boolean }): boolean;
	/** Everything that came back, each once, in order. */
	all(options?: { until?: number | undefined }): Evidence[];
}

export type FindEvidence = (id: string) => Promise<Evidence | undefined>;

/** What the texts that came back say of a value. */
export type Standing =
	| { is: "stands" }
	| { is: "nowhere" }
	/** It could stand where no text tells. */
	| { is: "unknown"; reason: string };

/** More evidence than this of one record is not read. */
const mostEvidence = 2000;
/** Nor more of one text. */
const longestText = 200_000;
/** As much as numbers are read in at once. */
const stretch = 1900;

interface Prepared {
	words: string;
	numbers?: Set<number>;
	cases?: { names: Set<string>; openings: Set<string>; small: Set<string> };
	text: string;
}
const prepared = new WeakMap<Evidence, Prepared>();

function prepare(evidence: Evidence): Prepared {
	const known = prepared.get(evidence);
	if (known) return known;
	const body = evidence.kind === "image" ? evidence.caption : evidence.text;
	const text = `${evidence.title}\n${body}`.slice(0, longestText);
	const made = { text, words: foldedWords(text) };
	prepared.set(evidence, made);
	return made;
}

/** The folded words of a text, its title among them. */
export const wordsIn = (evidence: Evidence): string => prepare(evidence).words;

/** The numbers that a text says. */
export const numbersIn = (evidence: Evidence): ReadonlySet<number> => numbersOf(prepare(evidence));

function numbersOf(one: Prepared): Set<number> {
	one.numbers ??= new Set(
		stretches(one.text).flatMap((part) => readQuantities(part).flatMap(({ low, high }) => [low, high])),
	);
	return one.numbers;
}

/** Folded words that a text writes with a capital letter behind another word, or elsewhere, and those that it writes small. */
function casesOf(one: Prepared): NonNullable<Prepared["cases"]> {
	const words = (pattern: RegExp) =>
		new Set((one.text.match(pattern) ?? []).flatMap((word) => foldedWords(word).trim().split(" ")));
	one.cases ??= {
		names: words(/(?<=[\p{L}\p{N},] )\p{Lu}[\p{L}\p{M}'’-]*/gu),
		openings: words(/(?<![\p{L}\p{M}'’-])\p{Lu}[\p{L}\p{M}'’-]*/gu),
		small: words(/(?<![\p{L}\p{M}'’-])\p{Ll}[\p{L}\p{M}'’-]*/gu),
	};
	return one.cases;
}

/** How far apart the words of one value may stand, beyond their number. */
const slack = 4;

function holdsNear(text: string, words: readonly string[]): boolean {
	if (!words.every((word) => text.includes(` ${word} `))) return false;
	if (words.length === 1) return true;
	const all = text.trim().split(" ");
	const reach = words.length + slack;
	const [first = "", ...rest] = words;
	for (let at = all.indexOf(first); at >= 0; at = all.indexOf(first, at + 1)) {
		const near = all.slice(Math.max(0, at - reach), at + reach + 1);
		if (rest.every((word) => near.includes(word))) return true;
	}
	return false;
}

/** A text in parts, each cut at white space where there is any. */
function stretches(text: string): string[] {
	const parts: string[] = [];
	for (let from = 0; from < text.length; ) {
		const space = text.length - from > stretch ? text.lastIndexOf(" ", from + stretch) : text.length;
		const to = space > from ? space : from + stretch;
		parts.push(text.slice(from, to));
		from = to;
	}
	return parts;
}

/**
 * All that came back in a trajectory, as texts in which a value can be looked for: whole words, case, accents and
 * punctuation aside; numbers by what they amount to. A sentence stands where one of its names or numbers does that the
 * question has not, and nowhere only where most of its other words came back in no text either: what it says may be
 * said there in other words. Numbers and times may be read off a picture that came back, so of them nothing is known then. `until`
 * is the place of the last step that counts: what came back later cannot have told the value.
 */
export async function textsThatCameBack(
	{ steps }: Trajectory,
	{ question, find }: { question: string; find: FindEvidence },
): Promise<CameBack> {
	const firstPlaces = new Map<string, number>();
	for (const [place, { results }] of steps.entries())
		for (const id of results.map(shownAs)) if (!firstPlaces.has(id)) firstPlaces.set(id, place);
	const came = await Promise.all(
		[...firstPlaces].slice(0, mostEvidence).map(async ([id, place]) => ({ place, evidence: await find(id) })),
	);
	const asked = foldedWords(question);

	function holds(value: string, found: readonly Evidence[]): boolean {
		const folded = foldedWords(value);
		if (holdsWords(asked, folded) || found.some((one) => holdsWords(prepare(one).words, folded))) return true;
		if (!/\p{Nd}/u.test(value)) return false;
		const numbers = readQuantities(value).map(({ low }) => low);
		return numbers.length > 0 && found.some((one) => numbers.every((number) => has(numbersOf(prepare(one)), number)));
	}
	const foundBy = (until = Number.POSITIVE_INFINITY) =>
		came.flatMap(({ place, evidence }) => (evidence && place <= until ? [evidence] : []));
	return {
		all: ({ until } = {}) => foundBy(until),
		holding: (words, { until } = {}) =>
			words.length === 0 ? [] : foundBy(until).filter((one) => holdsNear(prepare(one).words, words)),
		isName(word, { within = true } = {}) {
			const found = foundBy().map((one) => casesOf(prepare(one)));
			const names = found.some(({ names, openings }) => names.has(word) || (!within && openings.has(word)));
			return names && !found.some(({ small }) => small.has(word));
		},
		standing(value, { until = Number.POSITIVE_INFINITY } = {}) {
			const parts = isSentence(value) ? tellingParts(value, asked) : [value, withoutBrackets(value)];
			if (parts.length === 0) return { is: "unknown", reason: "the value is a sentence that names nothing" };
			const found = foundBy(until);
			if (parts.some((part) => holds(part, found))) return { is: "stands" };
			const results = [...firstPlaces.values()].filter((place) => place <= until).length;
			if (found.length < results)
				return { is: "unknown", reason: `the text of ${results - found.length} of ${results} results is not at hand` };
			if (found.some(({ kind }) => kind === "image") && /\p{Nd}/u.test(value))
				return {
					is: "unknown",
					reason: "pictures came back, and a number may stand in one without standing in its text",
				};
			if (isSentence(value) && isHalfTold(contentWords(value, asked), found))
				return { is: "unknown", reason: "the value is a sentence whose words, though not its names, came back" };
			return { is: "nowhere" };
		},
	};
}

const has = (numbers: ReadonlySet<number>, wanted: number) =>
	numbers.has(wanted) || [...numbers].some((number) => Math.abs(number - wanted) <= 1e-9 * Math.abs(wanted));

const withoutBrackets = (value: string) => value.replace(/\([^()]*\)/g, " ").trim();

/** Shorter words are mostly such as stand in any text. */
const leastContent = 4;

/** The words of a sentence that say something and are not the question's, folded. */
function contentWords(sentence: string, asked: string): string[] {
	const words = new Set(foldedWords(sentence).trim().split(" "));
	return [...words].filter((word) => word.length >= leastContent && !holdsWords(asked, ` ${word} `));
}

/** Whether at least half of some words stand in texts. */
function isHalfTold(words: readonly string[], texts: readonly Evidence[]): boolean {
	const told = words.filter((word) => texts.some((one) => holdsWords(prepare(one).words, ` ${word} `)));
	return words.length > 0 && 2 * told.length >= words.length;
}

/** The names and numbers of a sentence that the question has not. */
function tellingParts(sentence: string, asked: string): string[] {
	const names =
		sentence.match(/(?<![.!?]\s|^)\p{Lu}[\p{L}\p{M}'’-]*(?:\s+\p{Lu}[\p{L}\p{M}'’-]*)*|\p{Nd}[\p{Nd}.,]*/gu) ?? [];
	return names.map((name) => name.replace(/[.,]+$/, "")).filter((name) => !holdsWords(asked, foldedWords(name)));
}
