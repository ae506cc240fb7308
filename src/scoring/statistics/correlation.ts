/**
 * Pearson's correlation of `a[i]` and `b[i]`, each counting `weights[i]` times, in [-1, 1], or why there is none. Throws a
 * RangeError where the lengths differ.
 */
export function correlation(a: readonly number[], b: readonly number[], weights?: readonly number[]): number | string {
	if (a.length !== b.length) throw new RangeError("both columns must have as many values");
	if (a.length < 2) return "fewer than two pairs";
	for (const [name, column] of Object.entries({ a, b }))
		if (column.every((value) => value === column[0]))
			return `${name} has one value only, so it cannot vary with the other`;
	const left = deviations(a, weights);
	const right = deviations(b, weights);
	let product = 0;
	for (const [index, deviation] of left.entries()) product += deviation * (right[index] ?? 0);
	if (!Number.isFinite(product)) return "the values are too far apart to be compared";
	return Math.min(1, Math.max(-1, product));
}

/** Deviations from the mean, scaled to length 1. The widest comes down to 1 first, so that no square overflows. */
function deviations(values: readonly number[], weights?: readonly number[]): number[] {
	const whole = weights ? weights.reduce((sum, weight) => sum + weight, 0) : values.length;
	const mean = values.reduce((sum, value, at) => sum + (value * (weights?.[at] ?? 1)) / whole, 0);
	const raw = values.map((value, at) => (value - mean) * Math.sqrt(weights?.[at] ?? 1));
	const widest = raw.reduce((most, deviation) => Math.max(most, Math.abs(deviation)), 0);
	const scaled = raw.map((deviation) => deviation / widest);
	const length = Math.sqrt(scaled.reduce((sum, deviation) => sum + deviation ** 2, 0));
	return scaled.map((deviation) => deviation / length);
}
