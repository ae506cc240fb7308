import { ordinals, romanOf } from "./number-words.ts";
import { wordsIn } from "./words.ts";

/** Decades and centuries, by the year they begin with; of a bare "'20s" or "the twenties" the century is not known. */
interface Period {
	of: "decade" | "century";
	start: number;
	written: string;
}
const twoDigits = 100;
export const areSame = (a: number, b: number): boolean =>
	a === b || ((a < twoDigits || b < twoDigits) && a % twoDigits === b % twoDigits);
const decades = "twenties thirties forties fifties sixties seventies eighties nineties".split(" ");
const centuryWord = "centur(?:y|ies)|Jahrhunderts?|Jh\\.|siglo|siècle|secolo|século";

export function periodsIn(text: string): Period[] {
	const found: Period[] = [];
	for (const { 0: written, 1: year = "" } of text.matchAll(
		/(?<![\p{L}\p{N}])['’]?(\d{2}0|\d0|\d{4})['’]?(?:s|er)(?!\p{L})/gu,
	)) {
		const start = Number(year);
		if (year.length > 2 && start % 100 === 0) found.push({ of: "century", start, written });
		else if (start % 10 === 0) found.push({ of: "decade", start, written });
	}
	for (const [at, word] of decades.entries())
		if (new RegExp(`(?<!\\p{L})${word}(?!\\p{L})`, "iu").test(text))
			found.push({ of: "decade", start: (at + 2) * 10, written: word });
	const numbered = new RegExp(
		`(?<![\\p{L}\\p{N}])(\\d{1,2}|[IVX]+|${[...ordinals]
			.reverse()
			.map((one) => one.replace(" ", "[ -]"))
			.join("|")})(?:st|nd|rd|th|\\.|e|º|°)?[\\s-]+(?:${centuryWord})`,
		"giu",
	);
	for (const { 0: written, 1: number = "" } of text.matchAll(numbered)) {
		const ordinal = ordinals.indexOf(number.toLowerCase().replace("-", " ")) + 1;
		const nth = ordinal || Number(number) || (romanOf(number.toUpperCase()) ?? 0);
		if (nth > 0) found.push({ of: "century", start: (nth - 1) * 100, written });
	}
	return found;
}
export const periodIn = (value: string): Period | undefined =>
	wordsIn(value).length > 4 ? undefined : periodsIn(value)[0];
