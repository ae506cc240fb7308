/** What an ask resolved to, and what can be computed from it. */
import type { Transform } from "./ask.ts";
import { type CalendarDate, datesIn, dayNumber, quantitiesIn, utc, writeDate, writeNumber } from "./quantities.ts";
import { fold } from "./words.ts";

/** An answer as text, with the number or date that it holds. */
export interface Value {
	text: string;
	number?: number;
	unit?: string;
	date?: CalendarDate;
}

/** Reads a text as a value; numbers and dates are looked for in it. */
export function readValue(text: string, options: { language?: string } = {}): Value {
	const [date] = datesIn(text);
	const [quantity] = quantitiesIn(text, options);
	return {
		text,
		...(quantity ? { number: quantity.value, unit: quantity.unit } : {}),
		...(date ? { date } : {}),
	};
}

/** A place on a line by which values are ordered; undefined when the value has none of the kind. */
export function magnitude(value: Value, kind: "number" | "date"): number | undefined {
	if (kind === "date") return value.date ? dayNumber(value.date) : undefined;
	return value.number;
}

/** sum, difference (absolute), mean, product, ratio of numbers; of two dates the difference is in whole years. */
export function calculate(op: "sum" | "difference" | "mean" | "product" | "ratio", values: Value[]): Value | undefined {
	const dated = op === "difference" && values.every(({ date, unit }) => date && !unit);
	const numbers = values.map((value) => (dated ? value.date?.year : value.number));
	if (numbers.length < 2 || numbers.some((number) => number === undefined)) return undefined;
	const known = numbers.filter((number) => number !== undefined);
	const [first = 0, second = 0] = known;
	const sum = known.reduce((total, number) => total + number, 0);
	const result = {
		sum,
		mean: sum / known.length,
		difference: Math.abs(first - second),
		product: known.reduce((total, number) => total * number, 1),
		ratio: second === 0 ? Number.NaN : first / second,
	}[op];
	if (!Number.isFinite(result)) return undefined;
	const unit = dated || op === "ratio" ? "" : (values.find((value) => value.unit)?.unit ?? "");
	return { text: `${writeNumber(result)}${unit ? ` ${unit}` : ""}`, number: result, unit };
}

/** Whether two answers say the same: by number, by year and day where both have them, else by name. */
export function agree(a: Value, b: Value): boolean {
	if (a.number !== undefined && b.number !== undefined && /\d/.test(a.text) && /\d/.test(b.text))
		return a.number === b.number;
	const left = fold(a.text).replace(/^the /, "");
	const right = fold(b.text).replace(/^the /, "");
	return left === right || (Math.min(left.length, right.length) > 3 && (left.includes(right) || right.includes(left)));
}

const vowels = /[aeiou]/;
const lettersOf = (text: string) => [...text.normalize("NFC").matchAll(/\p{L}/gu)].map((match) => match[0]);
const isVowel = (letter: string) => vowels.test(fold(letter));

/** The letters, digits or days of an answer; undefined where it has none. */
export function transformed(transform: Transform, value: Value): Value | undefined {
	const text = (result: string | undefined) => (result ? { text: result } : undefined);
	const pick = (letters: string[], among: string) =>
		among === "letters" ? letters : letters.filter((letter) => isVowel(letter) === (among === "vowels"));
	switch (transform.do) {
		case "name-part": {
			const words = value.text.replace(/,.*$/, "").trim().split(/\s+/);
			return text(transform.part === "first" ? words[0] : words.at(-1));
		}
		case "letter": {
			const letters = pick(lettersOf(value.text), transform.among);
			return text(transform.at === "first" ? letters[0] : letters.at(-1));
		}
		case "count": {
			const letters = pick(lettersOf(value.text.toLowerCase()), transform.what);
			const count = transform.unique ? new Set(letters).size : letters.length;
			return { text: String(count), number: count };
		}
		case "code": {
			const code = value.text.codePointAt(0);
			return code === undefined ? undefined : text(code.toString(transform.base));
		}
		case "case":
			return text(transform.lower ? value.text.toLowerCase() : value.text.toUpperCase());
		case "shift":
			return shifted(transform, value);
		case "weekday": {
			const { date } = value;
			if (!date?.month || !date.day) return undefined;
			const days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
			return text(days[utc(date.year, date.month, date.day).getUTCDay()]);
		}
	}
}

function shifted({ amount, unit, result }: Extract<Transform, { do: "shift" }>, { date }: Value): Value | undefined {
	if (!date) return undefined;
	const year = unit === "year" ? date.year + amount : date.year;
	if (result === "year" || !date.month || !date.day)
		return unit === "year" ? { text: String(year), date: { ...date, year } } : undefined;
	const months = unit === "month" ? date.month + amount : date.month;
	// The 31st a month later is the last day of that month.
	const last = utc(year, months + 1, 0).getUTCDate();
	const days = unit === "day" ? amount : unit === "week" ? 7 * amount : 0;
	const moved = utc(year, months, Math.min(date.day, last) + days);
	const target = { year: moved.getUTCFullYear(), month: moved.getUTCMonth() + 1, day: moved.getUTCDate() };
	return { text: writeDate(target), date: { ...target, start: 0, end: 0 } };
}
