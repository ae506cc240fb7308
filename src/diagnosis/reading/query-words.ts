import { stopWords } from "#domain";
import { foldedWords } from "./folded-words.ts";

/** What people type around a query and what asks for nothing. */
const filler = new Set(
	"find tell give show list search look lookup query info information details detail wikipedia wiki please overview about buscar busca información".split(
		" ",
	),
);

const emptyWords = new Map<string, ReadonlySet<string>>();

/** Folded words that say nothing in a question or query of a language, or in English, which queries of all are mixed with. */
export function emptyWordsOf(language = "en"): (word: string) => boolean {
	const code = language.slice(0, 2);
	const words =
		emptyWords.get(code) ??
		new Set([
			...filler,
			...[...(stopWords.en ?? []), ...(stopWords[code] ?? [])].flatMap((word) => splitWords(foldedWords(word))),
		]);
	emptyWords.set(code, words);
	return (word) => words.has(word);
}

const spacesNone = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}ー]+$/u;

/** The words of a folded text, in order; a script without spaces gives its characters. */
export function splitWords(folded: string): string[] {
	const bare = folded.trim();
	if (bare === "") return [];
	if (!/[^\0-\x7f]/.test(bare)) return bare.split(" ");
	return bare.split(" ").flatMap((word) => (word.charCodeAt(0) > 0x7f && spacesNone.test(word) ? [...word] : [word]));
}

/** A word without the ending of its plural, in the languages that have one of that kind. */
export function stemmed(word: string): string {
	if (word.length >= 6 && word.endsWith("ies")) return word.slice(0, -3);
	if (word.length >= 5 && word.endsWith("es")) return word.slice(0, -2);
	return word.length >= 4 && word.endsWith("s") ? word.slice(0, -1) : word;
}

/** The stems of a folded text, each once: what is compared with what a hop asks. */
export const stemsOf = (folded: string): string[] =>
	[...new Set(splitWords(folded).slice(0, mostWords).map(stemmed))].slice(0, mostStems);
/** More of one text are not looked at. */
const mostWords = 20_000;
const mostStems = 500;

const leastAlike = 5;

/** Whether two stemmed words are forms of one, or one is a slip of the other: one letter too many, too few or another. */
export function areAlike(one: string, other: string): boolean {
	if (one === other) return true;
	if (one.length < leastAlike || other.length < leastAlike) return false;
	// a slip leaves the first letter or the second as it was
	if (one.charCodeAt(0) !== other.charCodeAt(0) && one.charCodeAt(1) !== other.charCodeAt(1) && !isSwapped(one, other))
		return false;
	return one.slice(0, leastAlike) === other.slice(0, leastAlike) || isSlip(one, other);
}

const isSwapped = (one: string, other: string): boolean => one[0] === other[1] || one[1] === other[0];

/** One edit apart, or two neighbours swapped. */
export function isSlip(one: string, other: string): boolean {
	if (one.length < leastAlike || other.length < leastAlike) return one === other;
	if (Math.abs(one.length - other.length) > 1) return false;
	let from = 0;
	while (from < one.length && one[from] === other[from]) from += 1;
	let [end, otherEnd] = [one.length, other.length];
	while (end > from && otherEnd > from && one[end - 1] === other[otherEnd - 1]) {
		end -= 1;
		otherEnd -= 1;
	}
	const [cut, otherCut] = [one.slice(from, end), other.slice(from, otherEnd)];
	if (cut.length <= 1 && otherCut.length <= 1) return true;
	return cut.length === 2 && otherCut.length === 2 && cut[0] === otherCut[1] && cut[1] === otherCut[0];
}
