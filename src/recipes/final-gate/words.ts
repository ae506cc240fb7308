import { stopWords } from "#domain";

/** A word of a text: as it is compared, how it is written, and where. */
export interface Word {
	plain: string;
	written: string;
	from: number;
	to: number;
	/** Whether a point follows that ends no sentence. */
	point?: boolean;
}

const arabicLetters: Record<string, string> = { أ: "ا", إ: "ا", آ: "ا", ى: "ي", ة: "ه" };

/** Case, accents and letters that stand for one another aside. */
export const plainOf = (text: string): string =>
	text
		.normalize("NFKD")
		.replace(/\p{M}/gu, "")
		.toLowerCase()
		.replace(/ß/g, "ss")
		.replace(/[æœøłđı]/g, (letter) => ({ æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ı: "i" })[letter] ?? letter)
		.replace(/[أإآىة]/g, (letter) => arabicLetters[letter] ?? letter)
		.replace(/[ـ]/g, "");

/** The words of a text; the s of a possessive is none. */
export function wordsIn(text: string): Word[] {
	return [...text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)].flatMap(({ 0: written, index }) =>
		/^s$/i.test(written) && /['’]/.test(text[index - 1] ?? "")
			? []
			: [
					{
						plain: plainOf(written),
						written,
						from: index,
						to: index + written.length,
						point: isPoint(text, index + written.length),
					},
				],
	);
}

const isPoint = (text: string, at: number): boolean =>
	text[at] === "." && /^\.(?:,|\s+\p{Ll})/u.test(text.slice(at, at + 12));

export const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

/** Endings that a name takes without being another: plural, genitive. */
const stem = (word: string): string => (word.length > 4 ? word.replace(/(?:e?s)$/u, "") : word);
export const isSameWord = (a: string, b: string): boolean =>
	a === b ||
	(a.length > 3 && (b === `${a}s` || b === `${a}es`)) ||
	(stem(a) === stem(b) && Math.abs(a.length - b.length) <= 2) ||
	(a.length > 3 &&
		/\p{Script=Arabic}/u.test(a) &&
		b.replace(/^(?:[وفبكل]|ال|[وفبكل]ال|لل)/u, "") === a.replace(/^ال/u, ""));

/** Single letters and words that any text has: they tell nothing. */
export function isWordOfAnyText(form: string): boolean {
	const words = wordsIn(form);
	if (words.length === 0) return true;
	const [first] = words;
	if (words.length > 1 || !first) return false;
	if (unspaced.test(form)) return [...form].length < 2;
	return (
		first.plain.length < 2 ||
		Object.values(stopWords).some((list) => list?.has(first.plain) && !/^\p{Lu}{2,}$/u.test(first.written))
	);
}
