import { z } from "zod";
import { defineMetric } from "../metric.ts";
import { asResult } from "../statistics/as-result.ts";
import { seededRandom } from "../statistics/random.ts";
import { type Estimate, Label, undefinedEstimate } from "./estimate.ts";

export const alphaLevels = ["nominal", "ordinal", "interval"] as const;
export type AlphaLevel = (typeof alphaLevels)[number];

const resamples = 2000;
const mostRatingsResampled = 20_000;

/**
 * Krippendorff's alpha: 1 - Do / De, Do the disagreement seen between ratings of one item, De that between all ratings.
 * `ratings[r][i]` is what rater r says of item i, null where missing; a row that is short misses the rest.
 *
 * Two ratings disagree by 0 or 1 at level nominal, by the squared difference of numbers at interval, and at ordinal by the
 * squared difference of their mean ranks among all pairable ratings, which is Krippendorff's ordinal metric.
 * Items with one rating count for nothing. The interval redraws items, 2,000 times, seeded (percentiles; Zapf et al. 2016);
 * none with one item, without any disagreement, or above 20,000 ratings.
 * No item with two ratings, all ratings the same, or ratings that are no numbers where numbers are needed: null.
 * Source: Krippendorff 2011 (Computing Krippendorff's Alpha-Reliability).
 */
export function krippendorffAlpha(
	ratings: readonly (readonly (Label | null)[])[],
	{ level = "nominal", seed = 20240611 }: { level?: AlphaLevel | undefined; seed?: number } = {},
): Estimate {
	const items = itemsOf(ratings);
	const n = items.length;
	if (n === 0) return undefinedEstimate(n, "no item has two ratings");
	const labels = [...new Set(items.flat())];
	if (level !== "nominal" && !labels.every((label) => typeof label === "number" && Number.isFinite(label)))
		return undefinedEstimate(n, `level ${level} needs ratings that are numbers`);
	if (labels.length === 1) return undefinedEstimate(n, "all ratings are the same, so none could disagree");
	if (level !== "nominal") labels.sort((a, b) => Number(a) - Number(b));
	const place = new Map(labels.map((label, index) => [label, index]));
	const units = items.map((item) => Int32Array.from(item, (label) => place.get(label) ?? 0));
	const numbers = level === "interval" ? centred(labels.map(Number)) : new Float64Array(0);
	const value = alphaOf(units, { level, numbers, count: labels.length });
	const none = { value, low: null, high: null, n, method: "none" };
	if (value === null) return undefinedEstimate(n, "the ratings cannot be squared in double precision");
	if (value === 1) return { ...none, reason: "no spread was seen, so the width is unknown" };
	if (n === 1) return { ...none, reason: "one item has no spread" };
	if (items.reduce((sum, item) => sum + item.length, 0) > mostRatingsResampled)
		return { ...none, reason: "more than 20,000 ratings are not redrawn" };
	const random = seededRandom(seed);
	const drawn: number[] = [];
	for (let draw = 0; draw < resamples; draw++) {
		const again = units.map((unit) => units[Math.floor(random() * n)] ?? unit);
		const alpha = alphaOf(again, { level, numbers, count: labels.length });
		if (alpha !== null) drawn.push(alpha);
	}
	if (drawn.length < resamples / 2) return { ...none, reason: "most redrawn samples hold one label only" };
	drawn.sort((a, b) => a - b);
	// a skewed bootstrap can miss its own estimate; the interval must hold it
	const low = Math.min(value, drawn[Math.floor(0.025 * (drawn.length - 1))] ?? value);
	const high = Math.max(value, drawn[Math.ceil(0.975 * (drawn.length - 1))] ?? value);
	return { value, low, high, n, method: "item-bootstrap" };
}

/** The ratings of each item that has at least two. */
function itemsOf(ratings: readonly (readonly (Label | null)[])[]): Label[][] {
	const count = ratings.reduce((most, row) => Math.max(most, row.length), 0);
	const items = Array.from({ length: count }, (_, item) => ratings.flatMap((row) => row[item] ?? []));
	return items.filter((item) => item.length > 1);
}

/** Null where no two of the ratings differ, or their squares leave the range of numbers. */
function alphaOf(
	units: readonly Int32Array[],
	{ level, numbers, count }: { level: AlphaLevel; numbers: Float64Array; count: number },
): number | null {
	const counts = new Float64Array(count);
	for (const unit of units) {
		for (let index = 0; index < unit.length; index++) {
			const label = unit[index] ?? 0;
			counts[label] = (counts[label] ?? 0) + 1;
		}
	}
	const total = counts.reduce((sum, each) => sum + each, 0);
	if (level === "nominal") {
		const seen = units.reduce((sum, unit) => sum + differingPairs(unit) / (unit.length - 1), 0);
		const expected = counts.reduce((sum, each) => sum + each * (total - each), 0);
		return expected > 0 ? 1 - ((total - 1) * seen) / expected : null;
	}
	const position = level === "ordinal" ? meanRanks(counts) : numbers;
	let seen = 0;
	for (const unit of units) {
		// from the first rating, so that equal ones differ by exactly 0
		const first = position[unit[0] ?? 0] ?? 0;
		let sum = 0;
		let squares = 0;
		for (let index = 1; index < unit.length; index++) {
			const difference = (position[unit[index] ?? 0] ?? 0) - first;
			sum += difference;
			squares += difference * difference;
		}
		seen += (2 * (unit.length * squares - sum * sum)) / (unit.length - 1);
	}
	const mean = counts.reduce((sum, each, label) => sum + (each * (position[label] ?? 0)) / total, 0);
	const squares = counts.reduce((sum, each, label) => sum + each * ((position[label] ?? 0) - mean) ** 2, 0);
	const differ = counts.filter((each) => each > 0).length > 1;
	const alpha = 1 - ((total - 1) * seen) / (2 * total * squares);
	return differ && Number.isFinite(squares) && Number.isFinite(alpha) ? alpha : null;
}

/** Ordered pairs of one item's ratings that differ. */
function differingPairs(unit: Int32Array): number {
	let pairs = 0;
	for (let one = 0; one < unit.length; one++)
		for (let other = 0; other < one; other++) if (unit[one] !== unit[other]) pairs += 2;
	return pairs;
}

/** The mean rank of each label's ratings, labels in ascending order. */
function meanRanks(counts: Float64Array): Float64Array {
	let before = 0;
	return counts.map((count) => {
		before += count;
		return before - count / 2;
	});
}

/** Numbers around their middle, so that squares of large ones do not swallow their differences. */
function centred(numbers: readonly number[]): Float64Array {
	const middle = (numbers[Math.floor(numbers.length / 2)] ?? 0) || 0;
	return Float64Array.from(numbers, (number) => number - middle);
}

export const krippendorffAlphaMetric = defineMetric({
	name: "alpha-krippendorff",
	group: "agreement",
	describe: "Krippendorff's alpha: agreement of any number of raters, ratings missing or not, beyond chance.",
	formula: "1 - Do / De, disagreement within items over disagreement among all ratings",
	range: "up to 1; below 0 is worse than chance",
	edges:
		"Items with one rating do not count. No item with two, or all ratings the same: unscored. No disagreement: no interval.",
	source: "Krippendorff 2011; interval: bootstrap over items, as Zapf et al. 2016",
	example: {
		ratings: [
			[1, 2, 3, 3, null],
			[1, 2, 3, 2, 1],
			[null, 2, 3, 3, 1],
		],
		level: "ordinal",
	},
	input: z
		.strictObject({
			ratings: z.array(z.array(Label.nullable()).max(1_000_000)).max(1000),
			level: z.enum(alphaLevels).optional(),
		})
		.refine(({ ratings }) => new Set(ratings.map((row) => row.length)).size <= 1, {
			message: "every rater must have as many items, null where a rating is missing",
			path: ["ratings"],
		})
		.refine(
			({ ratings, level }) =>
				level === undefined ||
				level === "nominal" ||
				ratings.every((row) => row.every((rating) => rating === null || typeof rating === "number")),
			{ message: "ordinal and interval ratings must be numbers", path: ["ratings"] },
		),
	compute: ({ ratings, level }) => ({ ...asResult(krippendorffAlpha(ratings, { level })), level: level ?? "nominal" }),
});
