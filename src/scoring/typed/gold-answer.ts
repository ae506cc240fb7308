import { z } from "zod";
import { type Answer, NumberKind, type ScoringMode } from "#domain";
import { type CalendarDate, readDates } from "./date-text.ts";
import { foldText } from "./fold-text.ts";
import { readHanScale } from "./han-numbers.ts";
import { chooseQuantity, goldUnit } from "./number-accuracy.ts";
import { readQuantities } from "./number-text.ts";
import { scales } from "./number-words.ts";

const text = z.string().max(100_000);
const written = z.union([text, z.number()]).transform(String);
const common = {
	value: written,
	accepted: z.array(text).min(1).max(10_000).optional(),
	keyEntities: z.array(text).max(10_000).optional(),
};

export const numberPart = z.strictObject({
	value: z.number().optional(),
	range: z.tuple([z.number(), z.number()]).optional(),
	unit: z.string().max(200).optional(),
	tolerance: z.number().min(0).optional(),
	kind: NumberKind.optional(),
});
const timePart = z.strictObject({
	iso: z
		.string()
		.max(20)
		.regex(/^-?\d{4,6}(-\d{2}(-\d{2})?)?$/),
	precision: z.enum(["year", "month", "day"]).optional(),
});

/** A gold number with its type, as it stands in a task. */
export const numberAnswer = z.strictObject({
	type: z.literal("number"),
	...common,
	value: written.optional(),
	number: numberPart.optional(),
});

/**
 * A gold answer as a caller may write it: the domain's `Answer`, where `accepted` may be left out (the value alone
 * counts), and `number`, `time` and `items` where they can be read from the value.
 */
export const GoldAnswer = z.discriminatedUnion("type", [
	z.strictObject({ type: z.literal("string"), ...common }),
	numberAnswer,
	z.strictObject({ type: z.literal("time"), ...common, time: timePart.optional() }),
	z.strictObject({
		type: z.literal("boolean"),
		...common,
		value: z.union([z.enum(["yes", "no"]), z.boolean().transform((value) => (value ? "yes" : "no"))]),
	}),
	z.strictObject({
		type: z.literal("list"),
		...common,
		value: text.optional(),
		items: z.array(text).min(1).max(10_000).optional(),
	}),
	z.strictObject({ type: z.literal("text"), ...common }),
	z.strictObject({ type: z.literal("none"), ...common, value: text.optional() }),
]);
/** `Answer` is one of these, as a type and as a value. */
export type GoldAnswer = z.output<typeof GoldAnswer> | Answer;
/** One that an answer can be compared with. */
export type KnownAnswer = Exclude<GoldAnswer, { type: "unknown" }>;

/**
 * The accepted answers that a mode's exact match and F1 compare with: all of them, and in `tracer-official` only the
 * record's `final_answer`, which an import keeps as the value and which is all that the script hands them.
 */
export function acceptedIn(gold: GoldAnswer, mode: ScoringMode): string[] {
	const accepted = gold.accepted ?? [];
	if (gold.value === undefined || (mode !== "tracer-official" && accepted.length > 0)) return [...accepted];
	return [gold.value];
}

/** The gold number, read from the written value where it is not given; undefined when it cannot be. */
export function goldNumber(
	gold: Extract<GoldAnswer, { type: "number" }>,
	options: { decimalComma: boolean; language?: string | undefined; plain?: boolean },
) {
	const { value, range, unit: named, tolerance, kind } = gold.number ?? {};
	const own = named ?? unitOf(gold.value);
	const known = own === undefined ? undefined : goldUnit(own);
	const kelvin = known?.dimension === "temperature" || / K(?! ?[\p{L}\d])/u.test(gold.value ?? "");
	const read = chooseQuantity(readQuantities(gold.value ?? "", { ...options, kelvin }), known);
	// "about 12-15 km" has its unit too, which only reading finds
	const unit = named === undefined && known === undefined ? (read?.unitName ?? own) : own;
	const middle = range ? (range[0] + range[1]) / 2 : undefined;
	const stated = value ?? middle;
	if (stated !== undefined) return { value: stated, range, unit, tolerance, kind };
	if (!read) return undefined;
	const readRange = read.low === read.high ? undefined : ([read.low, read.high] as const);
	return { value: (read.low + read.high) / 2, range: readRange, unit, tolerance, kind };
}

/** The date that a gold time states, to its precision; undefined when it cannot be read. */
export function goldDate(gold: Extract<GoldAnswer, { type: "time" }>): CalendarDate | undefined {
	const [date] = readDates(gold.time?.iso ?? gold.value);
	const precision = gold.time?.precision;
	if (!date || precision === undefined) return date;
	const { year, month, day } = date;
	if (precision === "year" || month === undefined) return { year };
	return precision === "month" || day === undefined ? { year, month } : { year, month, day };
}

/** What follows the digits of a written number, for golds that do not name their unit apart. */
function unitOf(value: string | undefined): string | undefined {
	const rest = /^[^\p{L}\d]*[\d.,'’ ]+(?<unit>[\p{L}°%‰][^\d]*[²³]?)$/u.exec(value?.trim() ?? "")?.groups?.unit;
	// "5K" is five thousand, "5 K" five kelvins
	if (rest === undefined || /\d[kK]$/.test(value ?? "")) return undefined;
	return withoutScale(rest.trim());
}

/** "万平方公里" and "millions de km²" name a unit after what multiplies the digits. */
function withoutScale(name: string): string {
	const han = readHanScale(name);
	if (han) return name.slice(han.length);
	const [word, after] = /^(\p{L}+) (?:de |d['’]|of )?(?=.)/u.exec(name) ?? [];
	return word !== undefined && after !== undefined && scales.has(foldText(after))
		? withoutScale(name.slice(word.length))
		: name;
}
