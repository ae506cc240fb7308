import { foldedWords } from "../reading/folded-words.ts";

/** Words that say nothing of what is looked for, in the languages that searches are mostly worded in; folded. */
const functionWords = new Set(
	`the a an of is are was were be been being do does did has have had in to for by from at on and or nor not it its that this
	these those which what who whom whose when where why how many much as with than then there their they them he she his her
	him you your we our us i my me if but so such also into over under about between during after before while within per any
	all both each some more most other same can could may might must shall should will would
	el la los las un una unos unas de del al que cual cuales quien quienes donde cuando como cuanto cuantos cuanta cuantas en
	por para con sin sobre entre y o u e ni se es son era eran fue fueron ser su sus lo le les esta este esto ese esa
	le la les un une des du de au aux que qui quel quelle quels quelles ou quand comment combien en dans par pour avec sans sur
	entre et est sont etait fut ete ce cet cette ces son sa ses leur leurs il elle ils elles
	der die das den dem des ein eine einer eines einem einen und oder ist sind war waren wer was wie wo wann welche welcher
	welches welchen von vom zum zur mit bei aus nach uber unter fur im am als auch nicht
	il lo gli uno di da che chi quale quali dove quando come nel nella con su per tra e o sono ha
	o os as um uma do da dos das no na nos nas em por para com qual quais quem onde quando como`.split(/\s+/),
);

export const isFunctionWord = (folded: string): boolean => functionWords.has(folded);

/** Scripts that write no spaces: their words are taken as pairs of characters. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;
const ascii = /^[\0-\x7f]*$/;
/** A point before three digits may divide thousands: it goes wherever it stands, so that both ways of writing agree. */
const thousands = /(?<=\d)\.(?=\d{3}(?!\d))/g;
const otherDigits = /[^\P{Nd}0-9]/gu;

/** Digits of any script as 0 to 9. */
export function plainDigits(text: string): string {
	if (ascii.test(text)) return text;
	return text.replace(otherDigits, (digit) => {
		// digits of a script stand together from 0 on, at a multiple of ten behind one that is none
		let zero = digit.codePointAt(0) ?? 0;
		const code = zero;
		while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
		return String((code - zero) % 10);
	});
}

/** The words of a text as they are compared: folded, digits plain, pairs of characters where a script has no spaces. */
export function wordsOf(text: string): string[] {
	const folded = foldedWords(plainDigits(text).replace(thousands, "")).trim();
	if (folded === "") return [];
	const words = folded.split(" ");
	if (ascii.test(folded) || !unspaced.test(folded)) return words;
	return words.flatMap((word) => (unspaced.test(word) ? pairsOf(word) : [word]));
}

function pairsOf(word: string): string[] {
	const characters = [...word];
	if (characters.length < 3) return [word];
	return characters.slice(1).map((character, at) => `${characters[at]}${character}`);
}

/** The words that say what is looked for: no function words, none of one or two letters, each once. */
export function contentWords(text: string): string[] {
	return [...new Set(wordsOf(text))].filter((word) => !isFunctionWord(word) && (word.length > 2 || says(word)));
}

/** Short words that say something: numbers, and those of scripts in which two characters are a word. */
const says = (word: string) => /\p{Nd}/u.test(word) || (word.length === 2 && unspaced.test(word));

/** Words of this length and more are compared by their beginning too. */
export const stemLength = 5;
const mostEnding = 3;

/** Whether two words that begin alike are taken for forms of one: "russia" and "russian", "mountains" and "mountain". */
export const areForms = (a: string, b: string): boolean =>
	a === b ||
	(Math.min(a.length, b.length) >= stemLength &&
		Math.abs(a.length - b.length) <= mostEnding &&
		!/\p{Nd}/u.test(a) &&
		a.slice(0, Math.max(stemLength, Math.min(a.length, b.length) - 2)) ===
			b.slice(0, Math.max(stemLength, Math.min(a.length, b.length) - 2)));
