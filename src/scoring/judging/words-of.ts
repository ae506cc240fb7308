import { foldArabic } from "../answers/arabic-forms.ts";
import { asciiDigit } from "../typed/infoseek-number.ts";

/** A word with its place in the text as `foldForms` gives it. */
export interface Word {
	word: string;
	start: number;
	end: number;
	/** Written without spaces between words: a Chinese character or a Japanese syllable. */
	glued: boolean;
}

/** Compatibility forms, foreign digits and Arabic spelling folded; case and everything else stay. */
export function foldForms(text: string): string {
	return foldArabic(text.slice(0, longest).normalize("NFKC"))
		.replace(/\p{Nd}/gu, asciiDigit)
		.replace(/[’‘`]/g, "'");
}

/**
 * Lower-cased words of a text in any script: Chinese characters and hiragana one by one, katakana by runs, numbers with
 * their decimals and without thousands separators, elided articles apart from their nouns. Articles are left out.
 */
export function wordsOf(text: string): Word[] {
	return [...foldForms(text).matchAll(pattern)].flatMap(({ 0: found, index }) => {
		const lower = found.toLowerCase();
		const word = /^\d{1,3}(,\d{3})+(\.\d+)?$/.test(lower) ? lower.replaceAll(",", "") : lower;
		return articles.has(word) ? [] : [{ word, start: index, end: index + found.length, glued: glued.test(found) }];
	});
}

/** Longer texts are cut: no answer needs more, and replies can be of any length. */
const longest = 10_000;
const pattern =
	/[\p{Script=Han}\p{Script=Hiragana}]|[\p{Script=Katakana}ー]+|\d+(?:[.,]\d+)*|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{M}])+/gu;
const glued = /[\p{Script=Han}\p{Script=Hiragana}]/u;
const articles = new Set(["a", "an", "the", "el", "la", "los", "las", "le", "les", "l"]);
