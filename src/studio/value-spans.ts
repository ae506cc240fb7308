/** Where values stand in texts: whole words, capitals or not, and the parts of a text around them. */
import { clip, escapeRegExp } from "#domain";
import type { Span } from "./pages.ts";

/** What is marked in a text. */
export interface Values {
	gold: readonly string[];
	wrong: readonly string[];
}

interface Place {
	from: number;
	to: number;
	is: "gold" | "wrong";
}

/** More of one text is not looked through. */
const mostText = 60_000;
const mostPlaces = 40;

/** Whether the words of a value stand in a text. */
export const holds = (text: string, value: string): boolean => placesIn(text, { gold: [value], wrong: [] }).length > 0;

/** A text in pieces, its values told apart. */
export function markValues(text: string, values: Values): Span[] {
	return spansBetween(text, placesIn(text, values), { from: 0, to: text.length });
}

/** As much of a text is shown on either side of a value. */
const around = 130;

/**
 * The parts of a text around its first gold value and its first wrong one, values told apart; undefined where it holds
 * neither. White space runs are one space.
 */
export function excerptAround(text: string, values: Values): Span[] | undefined {
	const line = clip(text.slice(0, mostText), mostText);
	const places = placesIn(line, values);
	const firsts = [places.find(({ is }) => is === "gold"), places.find(({ is }) => is === "wrong")];
	const [one, two] = firsts.flatMap((place) => (place ? [windowOf(line, place)] : [])).sort((a, b) => a.from - b.from);
	const joined = one && two && two.from <= one.to ? [{ from: one.from, to: Math.max(one.to, two.to) }] : [one, two];
	const windows = joined.filter((window) => window !== undefined);
	if (windows.length === 0) return undefined;
	const plain = (piece: string): Span => ({ text: piece, is: "plain" });
	const pieces = windows.flatMap((window, at) => [
		...(window.from > 0 || at > 0 ? [plain(at > 0 ? " … " : "… ")] : []),
		...spansBetween(line, places, window),
	]);
	return (windows.at(-1)?.to ?? 0) < line.length ? [...pieces, plain(" …")] : pieces;
}

/** From the beginning of the sentence where that is near, else of a word, and as far on. */
function windowOf(line: string, { from, to }: Place): { from: number; to: number } {
	const before = line.slice(Math.max(0, from - around), from);
	const sentence = Math.max(before.lastIndexOf(". "), before.lastIndexOf("? "), before.lastIndexOf("! "));
	const cutAt = sentence >= 0 ? sentence + 2 : from > around ? before.indexOf(" ") + 1 : 0;
	const end = line.length - to <= around ? line.length : line.lastIndexOf(" ", to + around);
	return { from: from - before.length + cutAt, to: Math.max(end, to) };
}

/** The sentence of a text in which a value stands first, marked; the beginning of the text where none does. */
export function sentenceWith(text: string, values: Values): Span[] {
	return excerptAround(text, values) ?? [{ text: clip(text, 2 * around), is: "plain" }];
}

function placesIn(text: string, { gold, wrong }: Values): Place[] {
	const kinds = new Map<string, Place["is"]>();
	for (const value of gold) kinds.set(value.toLowerCase(), "gold");
	for (const value of wrong) if (!kinds.has(value.toLowerCase())) kinds.set(value.toLowerCase(), "wrong");
	// the longer value first: "Guinea-Bissau" is no "Guinea"
	const looked = [...kinds.keys()].filter((value) => value.trim() !== "").sort((a, b) => b.length - a.length);
	if (looked.length === 0) return [];
	const some = looked.map(escapeRegExp).join("|");
	const line = text.slice(0, mostText);
	const pattern = new RegExp(some, "giu");
	const places: Place[] = [];
	for (let match = pattern.exec(line); match && places.length < mostPlaces; match = pattern.exec(line)) {
		const { index } = match;
		const found = endsInWord.test(line.slice(Math.max(0, index - 2), index)) ? undefined : wholeAt(line, match, some);
		pattern.lastIndex = index + (found ?? String.fromCodePoint(line.codePointAt(index) ?? 0)).length;
		if (found !== undefined)
			places.push({ from: index, to: index + found.length, is: kinds.get(found.toLowerCase()) ?? "wrong" });
	}
	return places;
}

// classes of letters take long to compile: the pattern of the values, another for each hop, has none
const endsInWord = /[\p{L}\p{N}]$/iu;
const beginsInWord = /^[\p{L}\p{N}]/iu;

/** The value that ends with a word where some value begins. */
function wholeAt(line: string, { index, 0: found }: RegExpExecArray, some: string): string | undefined {
	const end = index + found.length;
	if (!beginsInWord.test(line.slice(end, end + 2))) return found;
	const whole = new RegExp(`(?:${some})(?![\\p{L}\\p{N}])`, "yiu");
	whole.lastIndex = index;
	return whole.exec(line)?.[0];
}

function spansBetween(text: string, places: readonly Place[], { from, to }: { from: number; to: number }): Span[] {
	const within = places.filter((place) => place.from >= from && place.to <= to);
	let at = from;
	const pieces = within.flatMap((place): Span[] => {
		const before: Span = { text: text.slice(at, place.from), is: "plain" };
		at = place.to;
		return [before, { text: text.slice(place.from, place.to), is: place.is }];
	});
	return [...pieces, { text: text.slice(at, to), is: "plain" as const }].filter((piece) => piece.text !== "");
}
