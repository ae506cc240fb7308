/**
 * InfoSeek's numeric rule as its released script has it, quirks and all, for comparison with published figures:
 * multipliers and units are ignored, a leading point is stripped (".5" reads as 5), only the first two numbers count,
 * text without a number reads as the range [0, 0], and a single negative gold number has an empty interval.
 * Source: `infoseek_eval.py` of edchengg/infoseek_eval (2023).
 */
export type NumberOrRange = number | readonly [number, number];

/** Reads a prediction: the first number, or the first two as a range when they ascend. */
export function readInfoseekNumber(text: string): NumberOrRange {
	const ascii = text.replace(/\p{Nd}/gu, asciiDigit);
	// a minus after a digit is a dash: "9-10" is a range, "-5" stays negative
	const dashed = ascii.replace(/(?<=\d)-/g, " - ");
	const found = dashed.match(/[-+]?[.]?\d+(?:,\d\d\d)*\.?\d*(?:[eE][-+]?\d+)?/g) ?? [];
	const [first, second] = found.slice(0, 2).map(toNumber);
	if (first === undefined) return [0, 0];
	return second !== undefined && first <= second ? [first, second] : first;
}

/** 1 or 0. A number is right inside the gold range, a range if inside it or with intersection over union >= 0.5. */
export function infoseekNumberScore(prediction: NumberOrRange, gold: NumberOrRange): 0 | 1 {
	const [low, high] = typeof gold === "number" ? [0.9 * gold, 1.1 * gold] : gold;
	if (typeof prediction === "number") return low <= prediction && prediction <= high ? 1 : 0;
	const [from, to] = prediction;
	if (low <= from && from <= high && low <= to && to <= high) return 1;
	const tiny = 1e-12;
	const overlap = Math.max(0, Math.min(high, to) - Math.max(low, from));
	const union = high - low + tiny + (to - from + tiny) - overlap;
	return overlap / union >= 0.5 - tiny ? 1 : 0;
}

function toNumber(token: string): number {
	const bare = token.replaceAll(",", "").replace(/^\.+|\.+$/g, "");
	const parts = bare.split(".");
	return Number(parts.length > 2 ? parts[0] : bare);
}

/** The ASCII form of a Unicode decimal digit: Unicode lays them out in runs of ten that start at zero. */
export function asciiDigit(digit: string): string {
	if (digit >= "0" && digit <= "9") return digit;
	const code = digit.codePointAt(0) ?? 0;
	let start = code;
	while (/^\p{Nd}$/u.test(String.fromCodePoint(start - 1))) start -= 1;
	return String((code - start) % 10);
}
