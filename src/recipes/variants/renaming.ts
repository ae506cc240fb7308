import { fold } from "#corpus";
import { stopWords } from "#domain";
import { nounFact } from "./entity-kind.ts";

/** A thing with its names, and what it is called from now on. */
export interface NewName {
	/** Every form that stands for it, folded the same or not. */
	forms: readonly string[];
	to: string;
	/** Within which it was exchanged, as `kindOf` names it. */
	kind?: string;
	/** Single words of its name that stand for it in a text that names it in full, with what they become. */
	parts?: Readonly<Record<string, string>>;
}

/** Exchanges names in texts, all at once and by whole words; the same name becomes the same everywhere. */
export interface Renaming {
	/** `beside`: a text that goes with it, such as its title, whose full names count as named here too. */
	rename(text: string, beside?: string): string;
	/** Which of the things a text names in full, by their place in the list given. */
	named(text: string): Set<number>;
	/** Names that a text has as a part of another thing's: `Ada Lovelace` in `Ada Lovelace Day`. */
	within(text: string): { thing: number; longer: string }[];
}

interface Token {
	word: string;
	start: number;
	end: number;
}

interface Form {
	thing: number;
	words: string[];
	/** Punctuation between its words, as it must stand in the text. */
	gaps: string[];
	/** Its first letter is a capital: so must be the text's. */
	capital: boolean;
	/** A short word in capitals (US) is found in capitals only. */
	exact: string | undefined;
	/** What closes it behind its last word, as in `Henry V (1944 film)`. */
	tail: string;
}

interface Match {
	thing: number;
	start: number;
	end: number;
	to: string;
}

/** Longer names are not looked for. */
const mostWords = 16;
const shortCapitals = 4;
/** What makes a place's name of another's, so that both are exchanged alike. */
const ofPlaces = new Set(["port", "fort", "mount"]);

/**
 * The longest name wins at each place. Case and accents aside, save that a name written with a capital is one only with
 * it, or, of several words, in a text that has no capitals at all. What is written all in capitals or small stays so. A form that two things
 * share belongs to the first.
 */
export function createRenaming(names: readonly NewName[]): Renaming {
	const byFirst = new Map<string, Form[]>();
	const taken = new Set<string>();
	names.forEach(({ forms }, thing) => {
		for (const text of forms) {
			const form = formOf(text, thing);
			const key = form.words.join(" ");
			if (form.words.length === 0 || form.words.length > mostWords || taken.has(key)) continue;
			taken.add(key);
			const first = form.words[0] ?? "";
			byFirst.set(first, [...(byFirst.get(first) ?? []), form]);
		}
	});
	for (const forms of byFirst.values()) forms.sort((a, b) => b.words.length - a.words.length);

	function wholeIn(text: string, tokens: readonly Token[]): Match[] {
		const found: Match[] = [];
		const small = !/\p{Lu}/u.test(text);
		for (let at = 0; at < tokens.length; ) {
			const form = (byFirst.get(tokens[at]?.word ?? "") ?? []).find((one) => isAt(one, { text, tokens, at, small }));
			const [first, last] = [tokens[at], tokens[at + (form?.words.length ?? 1) - 1]];
			if (form && first && last) {
				const end = last.end + (text.startsWith(form.tail, last.end) ? form.tail.length : 0);
				const to = names[form.thing]?.to ?? "";
				found.push({ thing: form.thing, start: first.start, end, to: inCase(text.slice(first.start, end), form, to) });
			}
			at += form?.words.length ?? 1;
		}
		return found;
	}
	const named = (text: string) => new Set(wholeIn(text, tokensOf(text)).map(({ thing }) => thing));

	return {
		named,
		within(text) {
			const tokens = tokensOf(text);
			const whole = wholeIn(text, tokens);
			return whole.flatMap(({ thing, start, end }) => {
				const [before, next] = [
					tokens.findLast((token) => token.end <= start),
					tokens.find((token) => token.start >= end),
				];
				const isOther = (one: Token) =>
					/^\p{Lu}\p{Ll}/u.test(text.slice(one.start)) &&
					stopWords.en?.has(one.word) !== true &&
					!whole.some((match) => match.start <= one.start && one.start < match.end);
				const isJoined = (between: string) => /^[ \-‐‑]$/u.test(between);
				if (next && isJoined(text.slice(end, next.start)) && isOther(next))
					return [{ thing, longer: text.slice(start, next.end) }];
				// before a person stands his title, before anything what it is
				const mayPrecede =
					names[thing]?.kind?.startsWith("person") || (before && (nounFact(before.word) || ofPlaces.has(before.word)));
				if (!before || mayPrecede || !isJoined(text.slice(before.end, start)) || !isOther(before)) return [];
				return [{ thing, longer: text.slice(before.start, end) }];
			});
		},
		rename(text, beside = "") {
			const tokens = tokensOf(text);
			const whole = wholeIn(text, tokens);
			const here = new Set([...whole.map(({ thing }) => thing), ...named(beside)]);
			const parts = partsOf([...here].flatMap((thing) => names[thing] ?? []));
			const alone = parts.size === 0 ? [] : partsIn(text, tokens, { parts, whole });
			return replaced(text, [...whole, ...alone]);
		},
	};
}

const unspaced = "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}";
const tokenPattern = new RegExp(`[${unspaced}]\\p{M}*|(?:(?![${unspaced}])[\\p{L}\\p{M}\\p{N}])+`, "gu");

/** Words with their places; of scripts without spaces every character. */
const tokensOf = (text: string): Token[] =>
	[...text.matchAll(tokenPattern)].map(({ 0: word, index }) => ({
		word: wordOf(word),
		start: index,
		end: index + word.length,
	}));

const wordOf = (word: string) => fold(word.toLowerCase());
const isCapital = (text: string) => /^\p{Lu}/u.test(text);

function formOf(text: string, thing: number): Form {
	const trimmed = text.trim();
	const tokens = tokensOf(trimmed);
	const first = tokens[0];
	const single = tokens.length === 1 && /^\p{Lu}+$/u.test(trimmed) && trimmed.length <= shortCapitals;
	return {
		thing,
		words: tokens.map(({ word }) => word),
		gaps: tokens.slice(1).map(({ start }, at) => gapOf(trimmed.slice(tokens[at]?.end ?? 0, start))),
		capital: first !== undefined && isCapital(trimmed.slice(first.start)),
		exact: single ? trimmed : undefined,
		tail: trimmed.slice(tokens.at(-1)?.end ?? 0),
	};
}

/** A name as it is written at its place: all in capitals, all small, or as it is. */
function inCase(written: string, { capital, exact, words }: Form, to: string): string {
	if (
		exact === undefined &&
		words.join("").length > shortCapitals &&
		!/\p{Ll}/u.test(written) &&
		/\p{Lu}/u.test(written)
	)
		return to.toUpperCase();
	return capital && !/\p{Lu}/u.test(written) ? to.toLowerCase() : to;
}

/** Spaces, hyphens, apostrophes and points are written or not; other punctuation belongs to the name. */
const gapOf = (between: string) => between.replace(/[\s\-‐‑–'’.]/gu, "");

function isAt(
	{ words, gaps, capital, exact, tail }: Form,
	at: { text: string; tokens: readonly Token[]; at: number; small: boolean },
) {
	const { text, tokens } = at;
	const first = tokens[at.at];
	if (!first || (capital && !(at.small && words.length > 1) && !isCapital(text.slice(first.start, first.end))))
		return false;
	// half of what stands in brackets is another name
	if (tail.includes(")") && !text.startsWith(tail, tokens[at.at + words.length - 1]?.end)) return false;
	if (exact !== undefined && text.slice(first.start, first.end) !== exact) return false;
	return words.every((word, index) => {
		const [before, token] = [tokens[at.at + index - 1], tokens[at.at + index]];
		if (token?.word !== word) return false;
		if (index === 0 || !before) return true;
		const between = text.slice(before.end, token.start);
		// a point ends a sentence unless what stands before it is an initial or an abbreviation
		if (/\n/.test(between) || (between.includes(".") && before.word.length > 3)) return false;
		return gapOf(between) === (gaps[index - 1] ?? "");
	});
}

/** What single words become; one that two of the things share is left alone. */
function partsOf(things: readonly NewName[]): Map<string, string> {
	const found = new Map<string, string>();
	const shared = new Set<string>();
	for (const { parts = {} } of things)
		for (const [part, to] of Object.entries(parts)) {
			const word = wordOf(part);
			if (found.has(word)) shared.add(word);
			found.set(word, to);
		}
	for (const word of shared) found.delete(word);
	return found;
}

/** Parts that stand for the whole: with a capital, and no other name's word before or behind them. */
function partsIn(
	text: string,
	tokens: readonly Token[],
	{ parts, whole }: { parts: ReadonlyMap<string, string>; whole: readonly Match[] },
): Match[] {
	const isFree = ({ start, end }: Token) => !whole.some((match) => start < match.end && match.start < end);
	const joins = (one: Token | undefined, between: string) =>
		one !== undefined &&
		isFree(one) &&
		/^[\s\-‐‑–.'’]{0,2}$/u.test(between) &&
		/^[\p{Lu}\p{N}]/u.test(text.slice(one.start, one.end)) &&
		stopWords.en?.has(one.word) !== true;
	return tokens.flatMap((token, at): Match[] => {
		const to = parts.get(token.word);
		if (to === undefined || !isCapital(text.slice(token.start, token.end)) || !isFree(token)) return [];
		const [before, after] = [tokens[at - 1], tokens[at + 1]];
		const joined =
			(joins(before, text.slice(before?.end ?? 0, token.start)) &&
				!/\.\s/.test(text.slice(before?.end ?? 0, token.start))) ||
			(joins(after, text.slice(token.end, after?.start ?? 0)) &&
				!/\.\s/.test(text.slice(token.end, after?.start ?? 0)));
		return joined ? [] : [{ thing: -1, start: token.start, end: token.end, to }];
	});
}

/** A name that brings its article takes the place of the one before it: `the film The Cup`, never `the The Cup`. */
const withoutArticle = (before: string, to: string) =>
	/^(?:the|an?)\s/iu.test(to) ? before.replace(/(?<!\p{L})(?:the|an?)\s+$/iu, "") : before;

function replaced(text: string, matches: readonly Match[]): string {
	let [written, from] = ["", 0];
	for (const { start, end, to } of [...matches].sort((a, b) => a.start - b.start)) {
		// a name in small letters at the beginning of a sentence had a capital
		const begins = isCapital(text.slice(start, end)) && !isCapital(to) && to !== "";
		written += withoutArticle(text.slice(from, start), to) + (begins ? to.charAt(0).toUpperCase() + to.slice(1) : to);
		// "Who directed Is It Easy?": the mark of the name is that of the sentence
		from = end + (/[?!.]$/u.test(to) && text[end] === to.at(-1) ? 1 : 0);
	}
	return written + text.slice(from);
}
