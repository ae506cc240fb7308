/**
 * Numbers written in German words, folded as by `foldText`: "dreiundzwanzig", "zweihundertfünf", "eintausendzweihundert",
 * "fünf Millionen". A word holds all of a number below a million.
 */
import { countedWords, wordValues } from "./word-values.ts";

const digits = new Map([
	...countedWords("null eins zwei drei vier funf sechs sieben acht neun zehn elf zwolf dreizehn vierzehn funfzehn"),
	...countedWords("sechzehn siebzehn achtzehn neunzehn", { first: 16 }),
	...wordValues({ "ein eine einen einem einer": 1, zwo: 2 }),
]);
const tens = new Map([
	...countedWords("zwanzig dreißig vierzig funfzig sechzig siebzig achtzig neunzig", { first: 20, step: 10 }),
	...wordValues({ dreissig: 30 }),
]);
const scales = wordValues({
	hundert: 100,
	tausend: 1e3,
	"million millionen": 1e6,
	"milliarde milliarden": 1e9,
	"billion billionen": 1e12,
});
/** Words that mean something else in another language: alone they are read only where the text is German. */
const shared = new Set(["ein", "eine", "einen", "einem", "einer", "elf", "million", "billion", "null"]);

/** Rewrites German number words as digits; a scale that is a word of its own stays, for ranges that share it. */
export function digitsForGerman(text: string, { german }: { german: boolean }): string {
	return text.replace(/(?<![\p{L}\d])\p{L}{3,60}(?!\p{L})/gu, (word, at: number) => {
		const after = text.slice(at + word.length, at + word.length + 12);
		const counts = /^ (?:million|milliarde|billion)/.test(after) && /^einer?$/.test(word);
		if (shared.has(word) && !counts && !(german && !word.startsWith("ein"))) return word;
		const value = scales.has(word) ? undefined : readGerman(word);
		return value === undefined ? word : String(value);
	});
}

/** The value of one word below a million; undefined where it is no number. */
export function readGerman(word: string): number | undefined {
	const thousand = split(word, "tausend");
	if (thousand) {
		const [many, rest] = [thousand[0] === "" ? 1 : belowThousand(thousand[0]), restOf(thousand[1], belowThousand)];
		return many === undefined || rest === undefined ? undefined : 1000 * many + rest;
	}
	return belowThousand(word);
}

function belowThousand(word: string): number | undefined {
	const hundred = split(word, "hundert");
	if (!hundred) return belowHundred(word);
	const [many, rest] = [hundred[0] === "" ? 1 : digits.get(hundred[0]), restOf(hundred[1], belowHundred)];
	return many === undefined || rest === undefined ? undefined : 100 * many + rest;
}

function belowHundred(word: string): number | undefined {
	const known = digits.get(word) ?? tens.get(word);
	if (known !== undefined) return known;
	const joint = split(word, "und");
	const [one, ten] = joint ? [digits.get(joint[0]), tens.get(joint[1])] : [];
	return one === undefined || ten === undefined || one > 9 || one === 0 ? undefined : ten + one;
}

const restOf = (word: string, read: (word: string) => number | undefined) =>
	word === "" ? 0 : read(word.replace(/^und/, ""));

/** What stands before and behind the first `part` of a word. */
function split(word: string, part: string): [string, string] | undefined {
	const at = word.indexOf(part);
	return at < 0 ? undefined : [word.slice(0, at), word.slice(at + part.length)];
}
