import { incompleteBeta } from "./beta.ts";

/**
 * Quantile of Student's t distribution: the t below which a share `probability` lies, for `freedom` >= 1 degrees.
 *
 * Found by bisection on the distribution function, which is a regularised incomplete beta function; for 97.5 % from
 * 1,000 degrees on by the Cornish-Fisher expansion around the normal quantile (Abramowitz and Stegun 26.7.5), whose
 * error there is below 1e-10. The test pins both to printed tables.
 */
export function studentQuantile(probability: number, freedom: number): number {
	if (!(probability > 0 && probability < 1) || !(freedom >= 1)) return Number.NaN;
	if (probability < 0.5) return -studentQuantile(1 - probability, freedom);
	if (probability === 0.5) return 0;
	if (probability === 0.975 && freedom >= 1000) return expansion(z95, freedom);
	const key = `${probability} ${freedom}`;
	const known = found.get(key) ?? bisected(probability, freedom);
	if (found.size < mostFound) found.set(key, known);
	return known;
}

/** A report asks for the same few quantiles hundreds of times, and bisecting one takes half a millisecond. */
const found = new Map<string, number>();
const mostFound = 10_000;

function bisected(probability: number, freedom: number): number {
	let low = 0;
	let high = 1;
	while (studentDistribution(high, freedom) < probability && high < 1e9) high *= 2;
	for (let round = 0; round < 200 && high - low > 1e-13 * high; round++) {
		const middle = (low + high) / 2;
		if (studentDistribution(middle, freedom) < probability) low = middle;
		else high = middle;
	}
	return (low + high) / 2;
}

/** The normal quantile for 97.5 %, which every 95 % interval here uses. */
export const z95 = 1.959963984540054;

/** The share of Student's t distribution below `t`. */
export function studentDistribution(t: number, freedom: number): number {
	const tail = bothTails(t, freedom) / 2;
	return t < 0 ? tail : 1 - tail;
}

/** The share of Student's t distribution farther from 0 than `t`: the two-sided p of a t statistic. */
export function bothTails(t: number, freedom: number): number {
	return incompleteBeta(freedom / (freedom + t * t), freedom / 2, 0.5);
}

function expansion(z: number, freedom: number): number {
	const z2 = z * z;
	const first = (z * (z2 + 1)) / 4;
	const second = (z * (5 * z2 * z2 + 16 * z2 + 3)) / 96;
	const third = (z * (3 * z2 ** 3 + 19 * z2 * z2 + 17 * z2 - 15)) / 384;
	return z + first / freedom + second / freedom ** 2 + third / freedom ** 3;
}
