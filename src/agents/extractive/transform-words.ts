import { ownField } from "#domain";
/** Questions about the letters, digits or days of an answer: the operation is taken off, the rest is asked as usual. */
import type { Ask, Transform } from "./ask.ts";
import { lex, type Word } from "./lexer.ts";

const small: Record<string, number> = {
	one: 1,
	two: 2,
	three: 3,
	four: 4,
	five: 5,
	six: 6,
	seven: 7,
	eight: 8,
	nine: 9,
	ten: 10,
	un: 1,
	una: 1,
	dos: 2,
	tres: 3,
	cuatro: 4,
	cinco: 5,
	seis: 6,
	siete: 7,
	ocho: 8,
	nueve: 9,
	diez: 10,
};

/** Each rule matches the start of a question, in lower case without accents; what follows the match is asked first. */
const rules: { pattern: RegExp; make(match: RegExpExecArray): Transform }[] = [
	{
		pattern: /^(?:what is )?the (first|last) (?:name|word in the name) of /,
		make: ([, part]) => ({ do: "name-part", part: part === "last" ? "last" : "first" }),
	},
	{
		pattern: /^(?:what is )?the (first|last) (letter|vowel|consonant) (?:of|in) (?:the name of )?/,
		make: ([, at, among]) => ({
			do: "letter",
			at: at === "last" ? "last" : "first",
			among: among === "vowel" ? "vowels" : among === "consonant" ? "consonants" : "letters",
		}),
	},
	{
		pattern:
			/^(?:how many|what is the (?:total )?number of) (unique |distinct |different )?(letters|vowels|consonants) (?:are there |are )?in (?:the name of )?/,
		make: ([, unique, what]) => ({
			do: "count",
			what: what === "vowels" || what === "consonants" ? what : "letters",
			unique: unique !== undefined,
		}),
	},
	{
		pattern: /^what is the (ascii|binary) code of /,
		make: ([, code]) => ({ do: "code", base: code === "binary" ? 2 : 10 }),
	},
	{
		pattern:
			/^what is the (date|year) (\d{1,4}|[a-z]{2,6}) (day|week|month|year)s? (before|after) (?:the year when |the date when |when |the year of )?/,
		make: ([, result, amount, unit, way]) => ({
			do: "shift",
			amount: (ownField(small, amount ?? "") ?? Number(amount)) * (way === "before" ? -1 : 1),
			unit: unit as "day" | "week" | "month" | "year",
			result: result === "year" ? "year" : "date",
		}),
	},
	{ pattern: /^(?:which|what) day of the week was /, make: () => ({ do: "weekday" }) },
];

/** The transform a question starts with, over what `parse` makes of the rest; undefined when it starts with none. */
export function parseTransform(words: Word[], parse: (rest: Word[]) => Ask): Ask | undefined {
	const keys = words.map((word) => word.key);
	const text = keys.join(" ");
	for (const { pattern, make } of rules) {
		const match = pattern.exec(`${text} `);
		if (!match) continue;
		const transform = make(match);
		if (transform.do === "shift" && !Number.isFinite(transform.amount)) return undefined;
		const taken = match[0].trim().split(" ").length;
		let rest = words.slice(taken);
		if (rest.length === 0) return undefined;
		const lowered = keys.slice(-2).join(" ") === "in lowercase";
		if (lowered) rest = rest.slice(0, -2);
		const inner = parse(asked(rest));
		return {
			is: "transform",
			transform,
			of: lowered ? { is: "transform", transform: { do: "case", lower: true }, of: inner } : inner,
		};
	}
	return undefined;
}

/** What is left is a noun phrase or a clause without its question word. */
function asked(rest: Word[]): Word[] {
	const clause = rest.findLast((word) => !word.name);
	const verbs = /^(?:die|died|born|released|founded|opened|formed|published)$/;
	const last = rest.at(-1);
	if (clause && last && verbs.test(last.key) && !last.quoted) return [...lex("when"), ...rest];
	return [...lex("what is"), ...rest];
}
