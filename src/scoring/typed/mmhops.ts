import { isWritten } from "../asserted/asserted-answer.ts";
import { assertedIdentifier, assertedNumber } from "../asserted/number-reading.ts";
import { assertedTime } from "../asserted/time-reading.ts";
import type { CalendarDate } from "./date-text.ts";
import { exactKinds } from "./exact-kinds.ts";
import { type GoldAnswer, goldDate, goldNumber } from "./gold-answer.ts";
import { writesDecimalComma } from "./separators.ts";
import type { TypedVerdict } from "./typed-verdict.ts";

/**
 * MMhops-R1's typed protocol for numbers and times; undefined for what it compares by its words.
 *
 * number: the gold's range, else [0.9a, 1.1a] sorted; a predicted range that lies in it or has IoU of at least 0.5; counts,
 * years, ordinals and identifiers exactly. A gold in millions accepts the bare number where the question asks "in
 * millions". time: the lists of the paper: a year and its neighbours; a month also as its year, and in a neighbouring year;
 * a day also as its year, a neighbouring year, or the same day of one.
 * Source: MMhops-R1 (Evaluation Metrics; prompts for time-based and numerical answers).
 */
export function mmhopsAccuracy(
	prediction: string,
	gold: GoldAnswer,
	{ language, question }: { language?: string | undefined; question?: string | undefined },
): TypedVerdict | undefined {
	const { type } = gold;
	const accepted = gold.accepted ?? (gold.value === undefined ? [] : [gold.value]);
	const written = isWritten(prediction, accepted);
	if (type === "number") {
		const reading = { decimalComma: writesDecimalComma(language), language };
		const number = goldNumber(gold, reading);
		if (!number) return { value: null, reason: "the gold number cannot be read", details: { type } };
		const exact = number.kind !== undefined && exactKinds.has(number.kind);
		const { value: middle, range } = number;
		const rule = exact ? "exact" : range ? "range" : "relative-10";
		const ends = exact ? [middle, middle] : (range ?? [0.9 * middle, 1.1 * middle]);
		const interval = ends.toSorted((a, b) => a - b) as [number, number];
		if (number.kind === "identifier")
			return {
				value: written ? 1 : assertedIdentifier(prediction, accepted[0] ?? String(middle)),
				details: { type, rule },
			};
		const said = assertedNumber(prediction, { ...number, interval }, { ...reading, question });
		const read = said.read ? { read: said.read } : {};
		return {
			value: written ? 1 : said.value,
			details: { type, rule, gold: interval, ...read },
		};
	}
	if (type !== "time") return undefined;
	const date = goldDate(gold);
	if (!date) return { value: null, reason: "the gold date cannot be read", details: { type } };
	const value = written ? 1 : assertedTime(prediction, (said) => isListed(said, date), { question });
	return { value, details: { type, gold: date } };
}

function isListed(said: CalendarDate, gold: CalendarDate): boolean {
	const apart = Math.abs(ordinalYear(said.year) - ordinalYear(gold.year));
	if (apart > 1) return false;
	if (gold.month === undefined || said.month === undefined) return true;
	return said.month === gold.month && (gold.day === undefined || said.day === gold.day);
}

/** Years counted through, with 1 BC before 1. */
const ordinalYear = (year: number) => (year < 0 ? year + 1 : year);
