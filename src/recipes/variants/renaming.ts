import { fold } from "#corpus";
import { stopWords } from "#domain";

/** A thing with its names, and what it is called from now on. */
export interface NewName {
	/** Every form that stands for it, folded the same or not. */
	forms: readonly string[];
	to: string;
	/** Single words of its name that stand for it in a text that names it in full, with what they become. */
	parts?: Readonly<Record<string, string>>;
}

/** Exchanges names in texts, all at once and by whole words; the same name becomes the same everywhere. */
export interface Renaming {
	/** `beside`: a text that goes with it, such as its title, whose full names count as named here too. */
	rename(text: string, beside?: string): string;
	/** Which of the things a text names in full, by their place in the list given. */
	named(text: string): Set<number>;
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

/**
 * The longest name wins at each place. Case and accents aside, save that a name written with a capital is one only with
 * it. A form that two things share belongs to the first.
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
		for (let at = 0; at < tokens.length; ) {
			const form = (byFirst.get(tokens[at]?.word ?? "") ?? []).find((one) => isAt(one, { text, tokens, at }));
			const [first, last] = [tokens[at], tokens[at + (form?.words.length ?? 1) - 1]];
			if (form && first && last)
				found.push({ thing: form.thing, start: first.start, end: last.end, to: names[form.thing]?.to ?? "" });
			at += form?.words.length ?? 1;
		}
		return found;
	}
	const named = (text: string) => new Set(wholeIn(text, tokensOf(text)).map(({ thing }) => thing));

	return {
		named,
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
	};
}

/** Spaces, hyphens, apostrophes and points are written or not; other punctuation belongs to the name. */
const gapOf = (between: string) => between.replace(/[\s\-‐‑–'’.]/gu, "");

function isAt({ words, gaps, capital, exact }: Form, at: { text: string; tokens: readonly Token[]; at: number }) {
	const { text, tokens } = at;
	const first = tokens[at.at];
	if (!first || (capital && !isCapital(text.slice(first.start, first.end)))) return false;
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

function replaced(text: string, matches: readonly Match[]): string {
	let [written, from] = ["", 0];
	for (const { start, end, to } of [...matches].sort((a, b) => a.start - b.start)) {
		// a name in lower case at the beginning of a sentence had a capital
		const begins = isCapital(text.slice(start, end)) && !isCapital(to) && to !== "";
		written += text.slice(from, start) + (begins ? to.charAt(0).toUpperCase() + to.slice(1) : to);
		from = end;
	}
	return written + text.slice(from);
}
