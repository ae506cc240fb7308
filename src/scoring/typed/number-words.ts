/** Numbers written in words, English and Spanish, without accents; the other languages have a file each. */
import { arabicScales, digitsForArabic } from "./arabic-number-words.ts";
import { digitsForFrench } from "./french-number-words.ts";
import { digitsForGerman } from "./german-number-words.ts";
import { digitsForHan } from "./han-numbers.ts";

const small: Record<string, number> = {};
const english =
	"zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen";
const spanish =
	"cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis diecisiete dieciocho diecinueve veinte veintiuno veintidos veintitres veinticuatro veinticinco veintiseis veintisiete veintiocho veintinueve";
for (const list of [english, spanish]) for (const [value, word] of list.split(" ").entries()) small[word] = value;
for (const [index, word] of "twenty thirty forty fifty sixty seventy eighty ninety".split(" ").entries())
	small[word] = 20 + 10 * index;
for (const [index, word] of "treinta cuarenta cincuenta sesenta setenta ochenta noventa".split(" ").entries())
	small[word] = 30 + 10 * index;
Object.assign(small, { una: 1, un: 1, veintiun: 21, veintiuna: 21 });
const spanishHundreds = "cien doscient trescient cuatrocient quinient seiscient setecient ochocient novecient".split(
	" ",
);
const hundreds: Record<string, number> = { ciento: 100 };
for (const [index, stem] of spanishHundreds.entries())
	for (const word of index === 0 ? [stem] : [`${stem}os`, `${stem}as`]) hundreds[word] = 100 * (index + 1);

/** Words that multiply the number before them. Spanish "billon" is the long scale's million millions. */
export const scales: Record<string, number> = {
	dozen: 12,
	docena: 12,
	dizaine: 10,
	dizaines: 10,
	douzaine: 12,
	douzaines: 12,
	vingtaine: 20,
	trentaine: 30,
	cinquantaine: 50,
	centaine: 100,
	centaines: 100,
	hundred: 100,
	thousand: 1e3,
	mil: 1e3,
	k: 1e3,
	million: 1e6,
	millions: 1e6,
	millon: 1e6,
	millones: 1e6,
	mn: 1e6,
	billion: 1e9,
	billions: 1e9,
	bn: 1e9,
	millardo: 1e9,
	trillion: 1e12,
	trillions: 1e12,
	billon: 1e12,
	billones: 1e12,
	mille: 1e3,
	millier: 1e3,
	milliers: 1e3,
	mio: 1e6,
	milliard: 1e9,
	milliards: 1e9,
	md: 1e9,
	mds: 1e9,
	tausend: 1e3,
	hundert: 100,
	dutzend: 12,
	millionen: 1e6,
	milliarde: 1e9,
	milliarden: 1e9,
	mrd: 1e9,
	billionen: 1e12,
	...Object.fromEntries(arabicScales),
};

const smallOf = (word: string) => (Object.hasOwn(small, word) ? small[word] : undefined);
const hundredsOf = (word: string) => (Object.hasOwn(hundreds, word) ? hundreds[word] : undefined);
const scaleOf = (word: string) => (word.length > 2 && Object.hasOwn(scales, word) ? scales[word] : undefined);

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
	const parts = [...halves.matchAll(/\p{L}+|[^\p{L}]+/gu)].map((match) => match[0]);
	let result = "";
	for (let at = 0; at < parts.length; ) {
		const read = readWords(parts, at);
		const scaled = read && !plain ? scaledAt(parts, at, read) : undefined;
		result += scaled ?? (read ? String(read.value) : (parts[at] ?? ""));
		at = read ? read.end : at + 1;
	}
	return result;
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
