/** Questions about the letters, digits or days of an answer: the operation is taken off, the rest is asked as usual. */
import { utc } from "../reading/quantities.ts";
import type { Value } from "../reading/values.ts";
import { fold } from "../reading/words.ts";

/** What is made of an answer; undefined where it has not what it takes. */
export type Transform = (value: Value) => string | undefined;

/** Each rule matches the start of a question; what follows the match is asked first. */
const rules: { pattern: RegExp; make(match: RegExpExecArray): Transform }[] = [
	{
		pattern: /^(?:what is )?the (first|last) (?:name|word in the name) of /i,
		make:
			([, part]) =>
			({ text }) =>
				text
					.replace(/,.*$/, "")
					.trim()
					.split(/\s+/)
					.at(part === "last" ? -1 : 0),
	},
	{
		pattern: /^(?:what is )?the (first|last) (letter|vowel|consonant)s? (?:of|in) (?:the name of )?/i,
		make:
			([, at, kind]) =>
			({ text }) =>
				lettersOf(text, kind).at(at === "last" ? -1 : 0),
	},
	{
		pattern:
			/^(?:how many|what is the (?:total )?number of) (unique |distinct |different )?(letter|vowel|consonant)s (?:are there |are )?in (?:the name of )?/i,
		make:
			([, unique, kind]) =>
			({ text }) => {
				const letters = lettersOf(text.toLowerCase(), kind);
				return String(unique ? new Set(letters).size : letters.length);
			},
	},
	{
		pattern: /^what is the (?:ascii|binary) code of /i,
		make:
			([code]) =>
			({ text }) =>
				text.codePointAt(0)?.toString(/binary/i.test(code) ? 2 : 10),
	},
	{
		pattern: /^what is the (?:date|year) (\d{1,4}|[a-z]{2,6}) (day|week|month|year)s? (before|after) /i,
		make: ([, amount = "", unit = "", way]) => {
			const count = smallNumbers.indexOf(amount) + 1 || Number(amount);
			return (value) => shifted(value, { count: way === "before" ? -count : count, unit });
		},
	},
];

const smallNumbers = "one two three four five six seven eight nine ten".split(" ");

/** The transform that a question starts with, and the question for what it is made of. */
export function splitTransform(question: string): { transform: Transform; inner: string } | undefined {
	for (const { pattern, make } of rules) {
		const match = pattern.exec(question);
		if (!match) continue;
		const rest = question.slice(match[0].length).replace(/^(?:the (?:year|date) )?when /i, "");
		const verb = /\b(?:die|died|born|released|founded|opened|formed|published)\b\W*$/i.test(rest);
		return { transform: make(match), inner: `${verb ? "When did" : "What is"} ${rest}` };
	}
	return undefined;
}

function lettersOf(text: string, kind = "letter"): string[] {
	const letters = text.normalize("NFC").match(/\p{L}/gu) ?? [];
	return kind === "letter" ? letters : letters.filter((letter) => /[aeiou]/.test(fold(letter)) === (kind === "vowel"));
}

function shifted({ date }: Value, { count, unit }: { count: number; unit: string }): string | undefined {
	if (!date || !Number.isFinite(count)) return undefined;
	const year = date.year + (unit === "year" ? count : 0);
	if (!date.month || !date.day) return unit === "year" ? String(year) : undefined;
	const month = date.month + (unit === "month" ? count : 0);
	// the 31st a month later is the last day of that month
	const day = Math.min(date.day, utc(year, month + 1, 0).getUTCDate());
	const days = unit === "day" ? count : unit === "week" ? 7 * count : 0;
	return utc(year, month, day + days)
		.toISOString()
		.slice(0, 10);
}
