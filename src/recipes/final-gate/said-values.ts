import type { Answer } from "#domain";
import { readDates, readQuantities } from "#scoring";
import { inFigures, ordinals, yearInWords } from "./number-words.ts";
import { areSame, periodIn, periodsIn } from "./periods.ts";
import type { Form } from "./said-forms.ts";
import { saidIn } from "./said-in.ts";
import { sameShare, shareIn, sharesIn } from "./shares.ts";
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

/** A year that the text says: in digits, within a date, or in words ("the year nineteen twelve"). */
export function yearSaidIn(text: string, year: number, { language }: { language: string }): string | undefined {
	const written = String(year);
	const digits =
		datesIn(text).find((date) => date.year === year) ?? numbersIn(text, language).find(({ value }) => value === year);
	if (digits) return digits.written;
	const inWords = yearInWords(written).map((words): Form => ({ text: words, is: "whole" }));
	return saidIn(text, inWords, { language, anywhere: true })?.found;
}
