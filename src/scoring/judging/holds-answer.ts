import { foldForms, type Word, wordsOf } from "./words-of.ts";

/**
 * Whether a text holds an answer whole: its words in order, at most two others between each (none between characters that
 * are written without spaces), nowhere denied, left open or put beside another, and no competing number anywhere.
 *
 * Denials, alternatives and enumerations are looked for in the clause around the words, in Arabic, Chinese, English, French,
 * Japanese and Spanish. A competing number is one that the answer does not hold and that has as many digits as one it
 * does. A yes or no must be the first word. A rule of thumb for work offline: it knows neither synonyms nor meaning.
 */
export function holdsAnswer(text: string, answer: string): boolean {
	const wanted = wordsOf(answer);
	const [first, ...others] = wanted;
	if (!first) return false;
	const words = wordsOf(text);
	if (others.length === 0 && closed.has(first.word)) return words[0]?.word === first.word;
	if (competes(words, wanted)) return false;
	const folded = foldForms(text);
	const places = words.flatMap((_, from) => placeOf(words, { wanted, from, folded }) ?? []);
	return places.length > 0 && places.every((place) => stands(folded, place));
}

const closed = new Set(["yes", "no", "true", "false", "sí", "si", "oui", "non", "是", "否", "نعم", "لا"]);

const mostBetween = 2;
const sentenceEnd = /[;!?。؛؟\n]/;

function placeOf(
	words: Word[],
	{ wanted, from, folded }: { wanted: Word[]; from: number; folded: string },
): { start: number; end: number } | undefined {
	let at = from;
	let last: Word | undefined;
	for (const { word, glued } of wanted) {
		const reach = last === undefined || (glued && last.glued) ? 0 : mostBetween;
		const step = words.slice(at, at + reach + 1).findIndex((one) => isWord(one.word, word));
		const found = step === -1 ? undefined : words[at + step];
		if (!found || (last && sentenceEnd.test(folded.slice(last.end, found.start)))) return undefined;
		last = found;
		at += step + 1;
	}
	return last && { start: words[from]?.start ?? 0, end: last.end };
}

/** Arabic writes "and", "in", "by", "for", "as" and "the" onto the next word. */
const isWord = (said: string, wanted: string) =>
	said === wanted || (/^\p{Script=Arabic}{3,}$/u.test(wanted) && said.replace(/^[وف]?[بلك]?(?:ال)?/u, "") === wanted);

function competes(words: Word[], wanted: Word[]): boolean {
	const numbers = wanted.flatMap(({ word }) => (/^\d/.test(word) ? [word] : []));
	const lengths = new Set(numbers.map((number) => number.length));
	return words.some(({ word }) => /^\d/.test(word) && lengths.has(word.length) && !numbers.includes(word));
}

const between = (words: string) => `(?<![\\p{L}\\p{N}])(?:${words})(?![\\p{L}\\p{N}])`;
/** Where a clause ends: what is denied before it does not reach behind it. */
const clauseEnd = new RegExp(
	`[,.;:!?。、،؛؟\\n]|${between("but|rather|instead|sino|pero|mais|plutôt|بل|لكن|ولكن")}|而是?|但是?`,
	"gu",
);
const denialBefore = new RegExp(
	`${between("not|no|never|nor|neither|cannot|except|unlike|without|nunca|jamás|tampoco|ni|sin|salvo|excepto|ne|pas|jamais|non|sans|sauf|ليس|ليست|ليسوا|لم|لن|لا|غير|ما عدا")}|n't(?!\\p{L})|(?<![\\p{L}\\p{N}])n'|不是|并非|并不|不在|不属|没有|从未|绝非|除了`,
	"iu",
);
const denialAfter = new RegExp(
	`^[^\\p{L}\\p{N}]*(?:${between("is|was|are|were|did|does|do|has|had|can|could|would|will")}\\s*)?(?:${between("not|never|no|n'(?:est|était|a)|ne|nunca|ليس|ليست|لم|لا")}|(?:is|was|are|were|did|does|has|had|could|would)n't|不是|并非|不对|(?:で|じゃ)[はも]?(?:な|ありません|ございません)|じゃな|とは(?:異|違))`,
	"iu",
);
const alternativeAfter = new RegExp(
	`^\\s*(?:${between("or|o|u|ou|او|ام")}|或者?|还是|または|もしくは|あるいは|か(?!ら))`,
	"iu",
);
const alternativeBefore = new RegExp(
	`(?:${between("or|o|u|ou|او|ام")}|或者?|还是|または|もしくは|あるいは|か)\\s*(?:\\p{L}{1,3}\\s+)?$`,
	"iu",
);
/** Another name joined to this one: a capital where the script has them. */
const joinedAfter = /^\s*(?:(?:and|y|e|et|&)\s+\p{Lu}|[和与及](?=\p{Script=Han}))/u;
const joinedBefore = /\p{Lu}[\p{L}\p{M}]*\s+(?:and|y|e|et|&)\s+(?:the\s+)?$|\p{Script=Han}[和与及]$/u;

/** "But" ends a clause, save where it excepts. */
const exceptedBefore = new RegExp(
	`${between("all|any|anyone|anything|anywhere|every|everyone|everything|everywhere")}\\s+but\\s+(?:in\\s+)?(?:the\\s+)?$`,
	"iu",
);

/** Characters around an answer that may speak against it. */
const widest = 200;

function stands(text: string, { start, end }: { start: number; end: number }): boolean {
	const before = text.slice(Math.max(0, start - widest), start);
	const after = text.slice(end, end + widest);
	const clause = before.slice((([...before.matchAll(clauseEnd)].at(-1) ?? null)?.index ?? -1) + 1);
	if (denialBefore.test(clause) || denialAfter.test(after) || exceptedBefore.test(before)) return false;
	if (alternativeAfter.test(after) || alternativeBefore.test(before)) return false;
	return !joinedAfter.test(after) && !joinedBefore.test(before);
}
