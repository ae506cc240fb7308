/** Numbers written in words, English and Spanish, without accents; the other languages have a file each. */
import { arabicScales, digitsForArabic } from "./arabic-number-words.ts";
import { digitsForFrench } from "./french-number-words.ts";
import { digitsForGerman } from "./german-number-words.ts";
import { digitsForHan } from "./han-numbers.ts";
import { countedWords, withDigits, wordValues } from "./word-values.ts";

const tens = { first: 20, step: 10 };
const small = new Map([
	...countedWords("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"),
	...countedWords("sixteen seventeen eighteen nineteen", { first: 16 }),
	...countedWords("twenty thirty forty fifty sixty seventy eighty ninety", tens),
	...countedWords("cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince"),
	...countedWords("dieciseis diecisiete dieciocho diecinueve veinte veintiuno veintidos veintitres", { first: 16 }),
	...countedWords("veinticuatro veinticinco veintiseis veintisiete veintiocho veintinueve", { first: 24 }),
	...countedWords("treinta cuarenta cincuenta sesenta setenta ochenta noventa", { first: 30, step: 10 }),
	...wordValues({ "una un": 1, "veintiun veintiuna": 21 }),
]);
const spanishHundreds = countedWords(
	"doscient trescient cuatrocient quinient seiscient setecient ochocient novecient",
	{ first: 200, step: 100 },
);
const hundreds = new Map([
	...wordValues({ "ciento cien": 100 }),
	...spanishHundreds.flatMap(([stem, value]) => [`${stem}os`, `${stem}as`].map((word) => [word, value] as const)),
]);

/** Words that multiply the number before them. Spanish "billon" is the long scale's million millions. */
export const scales = new Map([
	...wordValues({ "dizaine dizaines": 10, "dozen docena douzaine douzaines dutzend": 12, vingtaine: 20 }),
	...wordValues({ trentaine: 30, cinquantaine: 50, "centaine centaines hundred hundert": 100 }),
	...wordValues({
		"thousand mil k mille millier milliers tausend": 1e3,
		"million millions millon millones mn mio millionen": 1e6,
		"billion billions bn millardo milliard milliards md mds milliarde milliarden mrd": 1e9,
		"trillion trillions billon billones billionen": 1e12,
	}),
	...arabicScales,
]);

const smallOf = (word: string) => small.get(word);
const hundredsOf = (word: string) => hundreds.get(word);
const scaleOf = (word: string) => (word.length > 2 ? scales.get(word) : undefined);

/**
 * Rewrites number words as digits ("two hundred and five" to "205"), leaving all else. Takes folded text. `language`
 * (BCP 47) settles what languages share: "six cents" are 600 in French only. With `plain` no scale is kept apart.
 */
export function digitsForWords(
	text: string,
	{ language = "", plain = false }: { language?: string | undefined; plain?: boolean | undefined } = {},
): string {
	const german = digitsForGerman(text, { german: /^de\b/i.test(language) });
	const french = digitsForFrench(german, { french: /^fr\b/i.test(language) });
	const rest = digitsForArabic(digitsForHan(french, { chinese: /^zh\b/i.test(language) }));
	return digitsForEnglishAndSpanish(rest, { plain });
}

/**
 * "six hundred thousand" becomes "6 hundred thousand", so that a range that goes before may share the words; with
 * `plain` "600000".
 */
function digitsForEnglishAndSpanish(text: string, { plain }: { plain: boolean }): string {
	const halves = text.replace(/\b(?:half an?|medi[oa]) (?=\p{L})/gu, (half, offset: number) =>
		scaleOf(/^\p{L}+/u.exec(text.slice(offset + half.length))?.[0] ?? "") ? "0.5 " : half,
	);
	return withDigits(halves, (parts, at) => {
		const read = readWords(parts, at);
		const scaled = read && !plain ? scaledAt(parts, at, read) : undefined;
		return read && { value: scaled ?? read.value, end: read.end };
	});
}

/** A number below a hundred with nothing but scales behind it, these left as words; undefined for any other. */
function scaledAt(parts: string[], start: number, read: { value: number; end: number }): string | undefined {
	let first = start;
	while (first < read.end && smallOf(parts[first] ?? "") !== undefined) first += 2;
	if (first === start || first >= read.end) return undefined;
	const words = parts.slice(first, read.end).filter((_, index) => index % 2 === 0);
	const factors = words.map(scaleOf);
	if (factors.some((factor) => factor === undefined)) return undefined;
	const scale = factors.reduce<number>((product, factor) => product * (factor ?? 1), 1);
	return `${Number((read.value / scale).toPrecision(12))} ${words.join(" ")}`;
}

/** Reads the longest number that starts at `parts[start]`; `end` is the first part after it. */
function readWords(parts: string[], start: number): { value: number; end: number } | undefined {
	let total = 0;
	let current = 0;
	let end = -1;
	let previous = "";
	for (let at = start; at < parts.length; at += 2) {
		const word = parts[at] ?? "";
		const next = parts[at + 2] ?? "";
		const value = smallOf(word);
		const hundred = hundredsOf(word);
		const scale = scaleOf(word);
		if (value !== undefined && fits(current, value)) current += value;
		else if (hundred !== undefined && current === 0) current = hundred;
		else if (scale !== undefined && (end >= 0 || word === "mil")) {
			if (scale === 100 || scale === 12) current = (current || 1) * scale;
			else if (total > 0 && total < scale) {
				total = (total + current) * scale;
				current = 0;
			} else {
				total += (current || 1) * scale;
				current = 0;
			}
		} else if ((word === "a" || word === "an") && end < 0 && scaleOf(next) !== undefined) current = 1;
		else if (!(joins(word, previous, next) && end >= 0)) {
			if ((word === "point" || word === "punto" || word === "coma") && end >= 0)
				return withDecimals(total + current, parts, at) ?? { value: total + current, end };
			break;
		} else {
			previous = word;
			continue;
		}
		end = at + 1;
		previous = word;
		// words of one number stand beside one another or are hyphenated
		if (!/^[ -]$/.test(parts[at + 1] ?? "")) break;
	}
	return end < 0 ? undefined : { value: total + current, end };
}

/** Whether `value` may follow within the same hundred: after nothing, after full hundreds, or a digit after tens. */
function fits(current: number, value: number): boolean {
	if (current % 100 === 0) return current === 0 || value > 0;
	return current % 10 === 0 && current % 100 >= 20 && value > 0 && value < 10;
}

/** "and" joins after hundred or a scale, "y" a digit to tens; elsewhere they stand between two numbers. */
function joins(word: string, previous: string, next: string): boolean {
	const following = smallOf(next);
	if (following === undefined) return false;
	if (word === "and") return scaleOf(previous) !== undefined;
	return word === "y" && (smallOf(previous) ?? 0) >= 30 && following > 0 && following < 10;
}

function withDecimals(whole: number, parts: string[], point: number): { value: number; end: number } | undefined {
	let digits = "";
	let end = -1;
	for (let at = point + 2; at < parts.length; at += 2) {
		const digit = smallOf(parts[at] ?? "");
		if (digit === undefined || digit > 9 || parts[at - 1] !== " ") break;
		digits += String(digit);
		end = at + 1;
	}
	return digits === "" ? undefined : { value: Number(`${whole}.${digits}`), end };
}
