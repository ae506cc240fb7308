/** Numbers in a row, of either kind of list. */
export type Numbers = readonly number[] | Float64Array;

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** The mean of values, kept within the smallest and the largest where rounding would leave them; NaN of none. */
export function mean(values: Numbers): number {
	let sum = 0;
	let smallest = Number.POSITIVE_INFINITY;
	let largest = Number.NEGATIVE_INFINITY;
	for (const value of values) {
		sum += value;
		if (value < smallest) smallest = value;
		if (value > largest) largest = value;
	}
	return meanOf(sum, { count: values.length, least: smallest, most: largest });
}

/** The mean of values whose sum is known, with the smallest and the largest of them; NaN of none. */
export function meanOf(sum: number, { count, least, most }: { count: number; least: number; most: number }): number {
	const found = sum / count;
	return Number.isFinite(found) ? Math.min(most, Math.max(least, found)) : found;
}

/** Variance of a sample, over n - 1; null of fewer than two values. */
export function sampleVariance(values: readonly number[]): number | null {
	if (values.length < 2) return null;
	const centre = mean(values);
	return values.reduce((total, value) => total + (value - centre) ** 2, 0) / (values.length - 1);
}
