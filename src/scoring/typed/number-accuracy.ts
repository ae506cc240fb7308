import type { NumberKind, ScoringMode } from "#domain";
import { foldText } from "./fold-text.ts";
import { infoseekNumberScore, readInfoseekNumber } from "./infoseek-number.ts";
import { type Quantity, readQuantities } from "./number-text.ts";

import { convertUnit, readUnit, type Unit } from "./units.ts";

/** The gold number: a range that counts as right, or a value with what may be off. */
export interface GoldNumber {
	value: number;
	range?: readonly [number, number] | undefined;
	unit?: string | undefined;
	tolerance?: number | undefined;
	kind?: NumberKind | undefined;
}

export interface NumberVerdict {
	value: 0 | 1;
	/** What decided how far off a prediction may be. */
	rule: "exact" | "range" | "tolerance" | "relative-10" | "absolute-0.1" | "infoseek-2023";
	/** The interval that counts as right. */
	gold: [number, number];
	/** What was read in the prediction, in the gold's unit; absent when nothing could be. */
	read?: [number, number];
}

// lets 0.9 * a and 1.1 * a keep the ends that rounding would cut off
const slack = 1e-12;

/**
 * Whether a prediction states the gold number, 1 or 0; text without a readable number is wrong, not an error.
 *
 * The gold is an interval: its own range where the benchmark states one, else its own relative tolerance, else, by mode,
 * [0.9a, 1.1a] sorted or a +- 0.1. A predicted number is right inside it; a predicted range if contained in it or if
 * the intersection over the union is at least 0.5. Of several quantities the first in a unit of the gold's kind counts,
 * else the first that is not placed as a year. Units are converted; a unit of another kind is wrong; where either side
 * names none, the numbers are compared as they stand (a percentage against a gold below 1 without unit as a share).
 * `decimalComma` settles what "1.285" means (see `readQuantities`).
 * Source: InfoSeek evaluation; MMhops-R1 (Evaluation Metrics).
 */
export function numberAccuracy(
	prediction: string,
	gold: GoldNumber,
	options: {
		mode?: ScoringMode | undefined;
		decimalComma?: boolean | undefined;
		language?: string | undefined;
	} = {},
): NumberVerdict {
	const { mode = "relative-10" } = options;
	if (mode === "infoseek-2023") return numberAccuracyOf(readInfoseekNumber(prediction), gold, { mode });
	const { rule, interval } = goldInterval(gold, mode);
	const wanted = gold.unit === undefined ? undefined : goldUnit(gold.unit);
	const kelvin = wanted?.dimension === "temperature";
	const quantity = chooseQuantity(readQuantities(prediction, { ...options, kelvin, plain: true }), wanted);
	const read = quantity && inGoldUnit(quantity, wanted, gold.value);
	if (!read) return { value: 0, rule, gold: interval };
	return { value: lies(read, interval) ? 1 : 0, rule, gold: interval, read };
}

/** As `numberAccuracy`, of a number or range that was read already, in the gold's unit. */
export function numberAccuracyOf(
	read: number | readonly [number, number],
	gold: GoldNumber,
	options: { mode?: ScoringMode | undefined } = {},
): NumberVerdict {
	const { mode = "relative-10" } = options;
	const ends: [number, number] = typeof read === "number" ? [read, read] : [...read];
	if (mode === "infoseek-2023") {
		const interval: [number, number] = gold.range ? [...gold.range] : [0.9 * gold.value, 1.1 * gold.value];
		return { value: infoseekNumberScore(read, interval), rule: "infoseek-2023", gold: interval, read: ends };
	}
	ends.sort((a, b) => a - b);
	const { rule, interval } = goldInterval(gold, mode);
	return { value: lies(ends, interval) ? 1 : 0, rule, gold: interval, read: ends };
}

function goldInterval(
	gold: GoldNumber,
	mode: ScoringMode,
): { rule: NumberVerdict["rule"]; interval: [number, number] } {
	const sorted = (a: number, b: number): [number, number] => (a <= b ? [a, b] : [b, a]);
	if (gold.range) return { rule: "range", interval: sorted(...gold.range) };
	const { value, tolerance } = gold;
	if (tolerance !== undefined)
		return { rule: "tolerance", interval: sorted(value * (1 - tolerance), value * (1 + tolerance)) };
	if (mode === "absolute-0.1") return { rule: "absolute-0.1", interval: [value - 0.1, value + 0.1] };
	return { rule: "relative-10", interval: sorted(0.9 * value, 1.1 * value) };
}

/** The quantity of a text that is its answer (see `numberAccuracy`), of a kind where one is wanted. */
export function chooseQuantity(quantities: readonly Quantity[], wanted: Unit | undefined): Quantity | undefined {
	const alike = wanted && quantities.find(({ unit }) => unit?.dimension === wanted.dimension);
	return alike ?? quantities.find(({ year }) => !year) ?? quantities[0];
}

function inGoldUnit(
	{ low, high, unit }: Quantity,
	wanted: Unit | undefined,
	gold: number,
): [number, number] | undefined {
	if (!unit) return [low, high];
	if (!wanted) {
		const share = unit.dimension === "share" && Math.abs(gold) < 1;
		return share ? [low * unit.factor, high * unit.factor] : [low, high];
	}
	const from = convertUnit(low, unit, wanted);
	const to = convertUnit(high, unit, wanted);
	if (from !== undefined && to !== undefined) return [from, to];
	return unit.doubtful ? [low, high] : undefined;
}

/** Whether a number or range counts as right in an interval: inside it, or a range with IoU of a half. */
export function lies([from, to]: [number, number], [low, high]: [number, number]): boolean {
	const margin = slack * Math.max(Math.abs(low), Math.abs(high));
	const inside = (x: number) => x >= low - margin && x <= high + margin;
	if (inside(from) && inside(to)) return true;
	if (from === to) return false;
	const overlap = Math.max(0, Math.min(high, to) - Math.max(low, from));
	return overlap / (high - low + (to - from) - overlap) >= 0.5 - slack;
}

/** The unit a benchmark names, if it is one of those converted here ("people" is none). */
export function goldUnit(name: string): Unit | undefined {
	const plain = foldText(name).trim();
	const read = readUnit(plain);
	return read?.length === plain.length ? read.unit : undefined;
}
