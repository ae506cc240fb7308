/** Values read from texts, and what can be computed from them. */
import { type CalendarDate, datesIn, dayNumber, quantitiesIn, writeNumber } from "./quantities.ts";
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
