/**
 * Numbers written in French words, without accents: "quatre-vingt-dix-sept", "deux cent mille", "trois virgule cinq",
 * "un million et demi"; also "septante", "huitante", "octante", "nonante".
 */
import { countedWords, withDigits, wordValues } from "./word-values.ts";

const small = new Map([
	...countedWords("zero un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize"),
	...wordValues({ une: 1, "vingt vingts": 20, trente: 30, quarante: 40, cinquante: 50, soixante: 60 }),
	...wordValues({ septante: 70, "huitante octante": 80, nonante: 90 }),
]);
const scales = wordValues({
	mille: 1e3,
	"million millions": 1e6,
	"milliard milliards": 1e9,
	"billion billions": 1e12,
});
const scaleOf = (word: string) => scales.get(word);

/** Words that another language has as well, or that mean something else in it: alone they are not read as French. */
const shared = new Set("un une six sept cent cents million millions billion billions zero seize dix mille".split(" "));

/** Rewrites French number words as digits. Unless the text is known to be French, a number needs a French word of its own. */
export function digitsForFrench(text: string, { french }: { french: boolean }): string {
	return withDigits(text, (parts, at) => readFrench(parts, at, french));
}

interface Reading {
	value: number;
	/** The first part after the number. */
	end: number;
}

function readFrench(parts: string[], start: number, french: boolean): Reading | undefined {
	let total = 0;
	let current = 0;
	let end = -1;
	let own = french;
	for (let at = start; at < parts.length; at += 2) {
		const word = parts[at] ?? "";
		const next = parts[at + 2] ?? "";
		const value = small.get(word);
		const scale = scaleOf(word);
		if (value === 20 && current % 100 === 4) current += 76;
		else if (value !== undefined && (end < 0 || fits(current, value))) current += value;
		else if (/^cents?$/.test(word) && current < 10) current = (current || 1) * 100;
		else if (scale !== undefined && (current > 0 || word === "mille")) {
			total += (current || 1) * scale;
			current = 0;
		} else if (end >= 0 && word === "et" && scaleOf(parts[at - 2] ?? "") && /^demie?$/.test(next)) {
			const half = (scaleOf(parts[at - 2] ?? "") ?? 0) / 2;
			return own ? { value: total + half, end: at + 3 } : undefined;
		} else if (end >= 0 && word === "et" && current % 10 === 0 && current >= 20 && /^(?:une?|onze)$/.test(next))
			continue;
		else if (end >= 0 && word === "virgule" && own)
			return withDecimals(total + current, parts, at) ?? { value: total + current, end };
		else break;
		own ||= !shared.has(word);
		end = at + 1;
		// words of one number stand beside one another or are hyphenated
		if (!/^(?: |-)$/.test(parts[at + 1] ?? "")) break;
	}
	return end < 0 || !own ? undefined : { value: total + current, end };
}

/** Whether `value` may follow `current`: 20 + 1, 60 + 10, 80 + 19, 10 + 7, 100 + anything. */
function fits(current: number, value: number): boolean {
	const rest = current % 100;
	if (value === 0) return false;
	if (rest === 0) return true;
	if (rest === 60 || rest === 80) return value < 20;
	if (rest % 10 !== 0) return false;
	return value < 10 && (rest !== 10 || value >= 7);
}

function withDecimals(whole: number, parts: string[], point: number): Reading | undefined {
	let zeros = "";
	let at = point + 2;
	for (; parts[at] === "zero"; at += 2) zeros += "0";
	const rest = readFrench(parts, at, true);
	if (!rest) return zeros === "" ? undefined : { value: whole, end: at - 1 };
	return { value: Number(`${whole}.${zeros}${rest.value}`), end: rest.end };
}
