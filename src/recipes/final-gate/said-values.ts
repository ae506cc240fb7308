import type { Answer } from "#domain";
import { readDates, readQuantities } from "#scoring";
import type { Form } from "./said-forms.ts";
import { saidIn } from "./said-in.ts";
import { wordsIn } from "./words.ts";

type Unit = NonNullable<ReturnType<typeof readQuantities>[number]["unit"]>;

/** Numbers that texts are full of give nothing away. */
const tellingNumber = (value: number) => Math.abs(value) > 3 || !Number.isInteger(value);

/** A number or a date of the answer that the text says in any form: "seven", "1.100", "May 4th, 1912". */
export function valueSaidIn(written: string, answer: Answer, { language }: { language: string }): string | undefined {
	const text = inFigures(written);
	const period = answer.type === "string" || answer.type === "time" ? periodIn(answer.value) : undefined;
	if (period) {
		const said = periodsIn(written).find(({ of, start }) => of === period.of && areSame(start, period.start));
		if (said) return said.written;
	}
	const share = shareIn(answer.value);
	if (share !== undefined) {
		const said = sharesIn(written).find(({ value }) => Math.abs(value - share) < sameShare);
		if (said) return said.written;
	}
	const date = dateOf(answer);
	if (date) {
		const said = datesIn(text).find(
			(other) =>
				other.year === date.year &&
				(date.month === undefined || other.month === date.month) &&
				(date.day === undefined || other.day === date.day),
		);
		return said?.written ?? dateInWords(text, date);
	}
	const number = numberOf(answer, language);
	if (number === undefined || !tellingNumber(number)) return undefined;
	return (
		numbersIn(text, language).find(({ value }) => value === number)?.written ?? convertedIn(text, answer, language)
	);
}

/** Decades and centuries, by the year they begin with; of a bare "'20s" or "the twenties" the century is not known. */
interface Period {
	of: "decade" | "century";
	start: number;
	written: string;
}
const twoDigits = 100;
const areSame = (a: number, b: number): boolean =>
	a === b || ((a < twoDigits || b < twoDigits) && a % twoDigits === b % twoDigits);
const decades = "twenties thirties forties fifties sixties seventies eighties nineties".split(" ");
const centuryWord = "centur(?:y|ies)|Jahrhunderts?|Jh\\.|siglo|siècle|secolo|século";

function periodsIn(text: string): Period[] {
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
const periodIn = (value: string): Period | undefined => (wordsIn(value).length > 4 ? undefined : periodsIn(value)[0]);

/** Shares of a whole: "30%", "3 parts in 10", "three tenths", "3/10", "a third". */
const sameShare = 0.0005;
const parts: Record<string, number> = {
	half: 2,
	halves: 2,
	third: 3,
	quarter: 4,
	fourth: 4,
	fifth: 5,
	sixth: 6,
	seventh: 7,
	eighth: 8,
	ninth: 9,
	tenth: 10,
	twelfth: 12,
	twentieth: 20,
	hundredth: 100,
};
function sharesIn(text: string): { value: number; written: string }[] {
	const found: { value: number; written: string }[] = [];
	const read = (word: string) =>
		/^\d/.test(word)
			? Number(word.replace(",", "."))
			: upTo19.indexOf(word.toLowerCase()) >= 0
				? upTo19.indexOf(word.toLowerCase())
				: word.toLowerCase() === "twenty"
					? 20
					: word.toLowerCase() === "hundred"
						? 100
						: Number.NaN;
	const add = (value: number, written: string) => value > 0 && value <= 1 && found.push({ value, written });
	for (const { 0: written, 1: number = "" } of text.matchAll(/(\d+(?:[.,]\d+)?)\s?(?:%|per ?cent|percent|Prozent)/giu))
		add(read(number) / 100, written);
	for (const { 0: written, 1: number = "" } of text.matchAll(/(?<!\p{L})(\p{L}+) (?:per ?cent|percent)(?!\p{L})/giu))
		add(read(number) / 100, written);
	for (const { 0: written, 1: a = "", 2: b = "" } of text.matchAll(
		/(?<![\p{L}\p{N}])(\p{L}+|\d+)\s+(?:parts?\s+|units?\s+|ones?\s+)?(?:in|out of|of every|in every|von|per|to the)\s+(?:every\s+|a\s+)?(\p{L}+|\d+)(?![\p{L}\p{N}])/giu,
	))
		add(read(a) / read(b), written);
	for (const { 0: written, 1: a = "", 2: b = "" } of text.matchAll(
		/(?<![\p{L}\p{N}/])(\d{1,3})\s?[/⁄]\s?(\d{1,3})(?![\p{N}/])/gu,
	))
		add(read(a) / read(b), written);
	for (const { 0: written, 1: a = "", 2: b = "" } of text.matchAll(
		/(?<!\p{L})(a|an|one|two|three|four|five|six|seven|eight|nine)[ -](half|halves|third|quarter|fourth|fifth|sixth|seventh|eighth|ninth|tenth|twelfth|twentieth|hundredth)s?(?!\p{L})/giu,
	))
		add((/^an?$/iu.test(a) ? 1 : read(a)) / (parts[b.toLowerCase()] ?? Number.NaN), written);
	if (/(?<!\p{L})half(?: of)?(?!\p{L})/iu.test(text)) found.push({ value: 0.5, written: "half" });
	return found;
}
const shareIn = (value: string): number | undefined =>
	wordsIn(value).length > 4 || !/%|per ?cent|\/|\b(?:half|thirds?|quarters?|tenths?|fifths?|in|out of)\b/iu.test(value)
		? undefined
		: sharesIn(value)[0]?.value;

/** The text with ordinals in words, large Roman numerals and a few words of quantity in figures or plain numbers. */
function inFigures(text: string): string {
	return text
		.replace(/(?<![\p{L}\p{N}]|\p{Lu}\p{Ll}+ )[MDCLX][MDCLXVI]{2,}(?![\p{L}\p{N}])/gu, (roman) =>
			String(romanOf(roman) ?? roman),
		)
		.replace(
			/(?<!\p{L})((?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)[ -])(\p{L}+)(?!\p{L})/giu,
			(whole, ten: string, one: string) => {
				const at = ordinals.indexOf(one.toLowerCase());
				return at >= 0 && at < 9 ? `${ten}${upTo19[at + 1]}` : whole;
			},
		)
		.replace(/(?<![\p{L}\p{N}])(\d{2,})(?:st|nd|rd|th)(?!\p{L})/gu, "$1")
		.replace(/(?<!\p{L})(?:anderthalb|eineinhalb)(?!\p{L})/giu, "1,5")
		.replace(/(?<!\p{L})(?:one and a half|a \p{L}+ and a half)(?!\p{L})/giu, "1.5");
}

const romanDigits: Record<string, number> = { M: 1000, D: 500, C: 100, L: 50, X: 10, V: 5, I: 1 };
function romanOf(roman: string): number | undefined {
	if (!/^M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})$/.test(roman)) return undefined;
	const digits = [...roman].map((letter) => romanDigits[letter] ?? 0);
	return digits.reduce((sum, digit, at) => sum + (digit < (digits[at + 1] ?? 0) ? -digit : digit), 0);
}

/** A measure of the answer in another unit of its kind: "389,000 metres" for 389 kilometres. */
function convertedIn(text: string, answer: Answer, language: string): string | undefined {
	const [own] = readQuantities(answer.value, { language });
	if (!own?.unit || own.unit.doubtful || own.low !== own.high) return undefined;
	const inBase = (value: number, unit: Unit) => value * unit.factor + unit.offset;
	const wanted = inBase(own.low, own.unit);
	const found = readQuantities(text, { language }).find(
		({ low, high, unit }) =>
			unit !== null &&
			!unit.doubtful &&
			unit.dimension === own.unit?.dimension &&
			low === high &&
			Math.abs(inBase(low, unit) - wanted) <= Math.abs(wanted) * sameMeasure,
	);
	return found && `${found.low} ${found.unitName}`;
}

/** Of two measures that differ by less than this share, one is the other rounded: "241.7 miles" for 389 kilometres. */
const sameMeasure = 0.002;

/** "May fourteen, eighteen sixty-eight": a year in words tells the date where its month stands beside it. */
function dateInWords(
	text: string,
	{ year, month, day }: { year: number; month?: number; day?: number },
): string | undefined {
	const plain = ` ${wordsIn(text)
		.map((word) => word.plain)
		.join(" ")} `;
	const name = month === undefined ? "" : (monthNames[month - 1] ?? "");
	const ordinal = day === undefined ? undefined : ordinals[day - 1];
	if (ordinal && plain.includes(` ${ordinal} `) && plain.includes(` ${name} `) && plain.includes(` ${year} `))
		return ordinal;
	const said = yearInWords(String(year)).find((words) => plain.includes(` ${words.replaceAll("-", " ")} `));
	if (said === undefined) return undefined;
	return name === "" || plain.includes(` ${name} `) ? said : undefined;
}
const ordinals =
	"first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth".split(
		" ",
	);
for (const ten of ["twenty", "thirty"]) for (const one of ordinals.slice(0, 9)) ordinals.push(`${ten} ${one}`);
ordinals.splice(29, 0, "thirtieth");
const monthNames = "january february march april may june july august september october november december".split(" ");

/** A day with a time of day is more than a day. */
const timeOfDay = /\d:\d\d/;

function dateOf(answer: Answer): { year: number; month?: number; day?: number } | undefined {
	if (answer.type === "time") {
		const [, sign = "", year = "", month, day] = /^(-?)(\d+)(?:-(\d{2}))?(?:-(\d{2}))?/.exec(answer.time.iso) ?? [];
		const parts = { ...(month ? { month: Number(month) } : {}), ...(day ? { day: Number(day) } : {}) };
		return { year: Number(`${sign}${year}`), ...parts };
	}
	if (
		answer.type !== "string" ||
		timeOfDay.test(answer.value) ||
		!/\p{L}.*\d{4}|\d{4}.*\p{L}|^\d{4}[-/.]\d|年/u.test(answer.value) ||
		wordsIn(answer.value).length > 5
	)
		return undefined;
	const [date] = readDates(answer.value);
	return date?.month === undefined ? undefined : date;
}

/** All dates of a text: the fullest at each place that has a year. */
function datesIn(text: string): { year: number; month?: number; day?: number; written: string }[] {
	const found: { year: number; month?: number; day?: number; written: string }[] = [];
	for (const match of text.matchAll(/(?<!\p{Nd})\p{Nd}{3,4}(?!\p{Nd})/gu)) {
		const part = text.slice(Math.max(0, match.index - 25), match.index + 25);
		for (const one of [...readDates(part), ...readDates(match[0])]) found.push({ ...one, written: part.trim() });
	}
	return found;
}

function numberOf(answer: Answer, language: string): number | undefined {
	if (answer.type === "number") return answer.number.value;
	if (answer.type !== "string" || wordsIn(answer.value).length > 4) return undefined;
	const [one, ...more] = readQuantities(answer.value, { language });
	if (!one || more.length > 0 || one.low !== one.high) return undefined;
	// "MI6" and "Room 237" are names
	return /^[\s$€£¥]*[\p{Nd}.,\s]+(?:%|[\p{L}°²³/ ]{0,24})$/u.test(answer.value) ||
		!/\p{Nd}|\p{Lu}\p{Ll}+ \p{Lu}/u.test(answer.value)
		? one.low
		: undefined;
}

/** Numbers of a text in digits and in words: words are read apart from digits, which would keep them from being read. */
function numbersIn(text: string, language: string): { value: number; written: string }[] {
	// "GPT-4" and "A380" are names
	const plain = text
		.replace(/(?<![\p{L}\p{N}-])(\p{Nd}[\p{Nd}.,]*)-(?=\p{Ll})/gu, "$1 ")
		.replace(/[\p{L}\p{N}][\p{L}\p{N}-]*/gu, (word) => (/\p{L}/u.test(word) && /\p{Nd}/u.test(word) ? "·" : word));
	const parts = plain.split(/([\p{Nd}][\p{Nd}.,'’ {2}]*)/u).filter((part) => part.trim() !== "");
	return parts.flatMap((part) =>
		readQuantities(part, { language })
			.filter(({ low, high }) => low === high)
			.map(({ low }) => ({ value: low, written: part.trim() })),
	);
}

const upTo19 =
	"zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
		" ",
	);
const tens = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");

/** A year that the text says: in digits, within a date, or in words ("the year nineteen twelve"). */
export function yearSaidIn(text: string, year: number, { language }: { language: string }): string | undefined {
	const written = String(year);
	const digits =
		datesIn(text).find((date) => date.year === year) ?? numbersIn(text, language).find(({ value }) => value === year);
	if (digits) return digits.written;
	const inWords = yearInWords(written).map((words): Form => ({ text: words, is: "whole" }));
	return saidIn(text, inWords, { language, anywhere: true })?.found;
}

/** How English says a year of four digits that stands alone: "nineteen twelve", "nineteen hundred twelve". */
export function yearInWords(iso: string): string[] {
	if (!/^(?:1\d|20)\d{2}$/.test(iso)) return [];
	const inWords = (value: number) => {
		if (value < 20) return upTo19[value] ?? "";
		return `${tens[Math.floor(value / 10) - 2]}${value % 10 ? ` ${upTo19[value % 10]}` : ""}`;
	};
	const [century, rest] = [Number(iso.slice(0, 2)), Number(iso.slice(2))];
	const hundreds = `${inWords(century)} hundred`;
	if (rest === 0) return [hundreds];
	const end = rest < 10 ? `oh ${inWords(rest)}` : inWords(rest);
	return [`${inWords(century)} ${end}`, `${hundreds} ${inWords(rest)}`, `${hundreds} and ${inWords(rest)}`];
}
