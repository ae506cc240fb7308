import { fusedValue as workedOut } from "#benchmarks";
import type { Answer } from "#domain";
import { readQuantities } from "#scoring";

/** A way of making a number of an answer that everyone who has the answer can repeat. */
interface Extractor {
	/** What it does, for the model that chooses. */
	does: string;
	/** What it asks for, about "{}". */
	asks: string;
	/** The number, or undefined where the answer has none of the kind. `year` is the one to count back from. */
	of(answer: Answer, options: { year: number }): number | undefined;
}

/** The words of an answer that has some of its own: a number, a measure or a date can be written in many ways. */
const wordsOf = ({ type, value }: Answer): string => (type === "number" || type === "time" ? "" : value);

const letters = (text: string) => [...text.normalize("NFD").replace(/\p{M}/gu, "")].filter((one) => /[a-z]/i.test(one));

/** The one year that an answer is or holds. */
export function yearOf(answer: Answer): number | undefined {
	if (answer.type === "time") {
		const match = /^(-?)(\d+)/.exec(answer.time.iso);
		return match ? Number(`${match[1]}${match[2]}`) : undefined;
	}
	const years = [...new Set(answer.value.match(/(?<!\d)[12]\d{3}(?!\d)/g) ?? [])];
	return years.length === 1 ? Number(years[0]) : undefined;
}

/**
 * The published extractors by their published names, and `value` for what is a number already. The paper's rules call
 * three of them by other names: see `aliases`. Source: VistaHop, Table 26.
 */
export const extractors: Readonly<Record<string, Extractor>> = {
	value: {
		does: "the number itself, of an answer that is a number, in its unit",
		asks: "What is the number in {}?",
		of(answer) {
			if (answer.type === "number") return answer.number.value;
			const [quantity, ...others] = readQuantities(answer.value);
			return quantity && others.length === 0 && quantity.low === quantity.high && /^\W*\d/.test(answer.value)
				? quantity.low
				: undefined;
		},
	},
	first_letter_ascii: {
		does: "the ASCII code of the first letter, as written",
		asks: "What is the ASCII code of the first letter of {}?",
		of: (answer) => letters(wordsOf(answer))[0]?.codePointAt(0),
	},
	first_letter_alphabet: {
		does: "the place of the first letter in the English alphabet (A is 1, Z is 26)",
		asks: "What is the place of the first letter of {} in the English alphabet?",
		of(answer) {
			const code = letters(wordsOf(answer))[0]?.toLowerCase().codePointAt(0);
			return code === undefined ? undefined : code - 96;
		},
	},
	character_count: {
		does: "how many letters and digits there are, spaces and punctuation left out",
		asks: "How many letters and digits does {} have?",
		of: (answer) =>
			[...wordsOf(answer).normalize("NFC")].filter((one) => /[\p{L}\p{N}]/u.test(one)).length || undefined,
	},
	word_count: {
		does: "how many words there are, parted by spaces",
		asks: "How many words does {} have?",
		of: (answer) =>
			wordsOf(answer)
				.trim()
				.split(/\s+/)
				.filter((word) => /[\p{L}\p{N}]/u.test(word)).length || undefined,
	},
	vowel_count: {
		does: "how many vowels (a, e, i, o, u) there are, accents and case aside",
		asks: "How many vowels does {} have?",
		of(answer) {
			const all = letters(wordsOf(answer));
			return all.length === 0 ? undefined : all.filter((one) => /[aeiou]/i.test(one)).length;
		},
	},
	digit_sum: {
		does: "the sum of all digits",
		asks: "What is the sum of the digits of {}?",
		of: ({ value }) => value.match(/\d/g)?.reduce((sum, digit) => sum + Number(digit), 0),
	},
	founding_year: {
		does: "the year that the answer is or holds",
		asks: "Which year does {} give?",
		of: (answer) => yearOf(answer),
	},
	founding_year_diff: {
		does: "how many years before {year} the year of the answer lies",
		asks: "How many years before {year} does {} lie?",
		of(answer, { year }) {
			const own = yearOf(answer);
			return own === undefined ? undefined : year - own;
		},
	},
};

/** Names that the paper's own rules use for extractors that its list calls otherwise. */
export const aliases: Readonly<Record<string, string>> = {
	first_letter_ascii_sum: "first_letter_ascii",
	founded_year: "founding_year",
	founded_year_diff: "founding_year_diff",
};

/** Extractors that give an answer's year, or what can be counted back to it. */
const ofYear: readonly string[] = ["value", "founding_year", "founding_year_diff"];

/**
 * The year that a number was made of, by which a question that says it gives the number away. Table 26 has founding years
 * extracted "only if the year is NOT present in the question"; a year taken as it is comes to the same.
 */
export const yearBehind = (method: string, answer: Answer): number | undefined =>
	ofYear.includes(method) ? yearOf(answer) : undefined;

/** The published names, and ours. */
export const extractorNames = Object.keys(extractors) as [string, ...string[]];

/** Operations on the values of several chains, as the paper names them. Source: VistaHop, Table 27. */
export const fusionOperations = ["ADD", "SUBTRACT", "MULTIPLY", "DIVIDE", "MAX", "MIN", "AVG"] as const;
export type FusionOperation = (typeof fusionOperations)[number];

/** The same in the words of hop graphs. */
export const computeOf = {
	ADD: "add",
	SUBTRACT: "subtract",
	MULTIPLY: "multiply",
	DIVIDE: "divide",
	MAX: "max",
	MIN: "min",
	AVG: "mean",
} as const satisfies Record<FusionOperation, string>;

/** Significant digits of a result: more would be the dust of binary fractions. */
const digits = 6;

/**
 * The result, computed here whatever a model says; undefined where it has none: subtraction and division take two values,
 * nothing is divided by 0.
 */
export function fusedValue(operation: FusionOperation, values: readonly number[]): number | undefined {
	const result = workedOut(operation, values);
	if (!("value" in result) || !Number.isFinite(result.value)) return undefined;
	return Number.isInteger(result.value) ? result.value : Number(result.value.toPrecision(digits));
}
