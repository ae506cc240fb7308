/**
 * Quantile of Student's t distribution: the t below which a share `probability` lies, for `freedom` >= 1 degrees.
 *
 * Found by bisection on the distribution function, which is a regularised incomplete beta function (continued fraction
 * by Lentz's method, DLMF 8.17.22); for 97.5 % from 1,000 degrees on by the Cornish-Fisher expansion around the normal quantile
 * (Abramowitz and Stegun 26.7.5), whose error there is below 1e-10. The test pins both to printed tables.
 */
export function studentQuantile(probability: number, freedom: number): number {
	if (!(probability > 0 && probability < 1) || !(freedom >= 1)) return Number.NaN;
	if (probability < 0.5) return -studentQuantile(1 - probability, freedom);
	if (probability === 0.5) return 0;
	if (probability === 0.975 && freedom >= 1000) return expansion(z95, freedom);
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

function studentDistribution(t: number, freedom: number): number {
	return 1 - incompleteBeta(freedom / (freedom + t * t), freedom / 2, 0.5) / 2;
}

function expansion(z: number, freedom: number): number {
	const z2 = z * z;
	const first = (z * (z2 + 1)) / 4;
	const second = (z * (5 * z2 * z2 + 16 * z2 + 3)) / 96;
	const third = (z * (3 * z2 ** 3 + 19 * z2 * z2 + 17 * z2 - 15)) / 384;
	return z + first / freedom + second / freedom ** 2 + third / freedom ** 3;
}

/** Regularised incomplete beta function I_x(a, b). */
function incompleteBeta(x: number, a: number, b: number): number {
	if (x <= 0) return 0;
	if (x >= 1) return 1;
	if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
	const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x)) / a;
	const tiny = 1e-300;
	let c = 1;
	let d = 1 / (1 - ((a + b) * x) / (a + 1) || tiny);
	let fraction = d;
	for (let m = 1; m < 10_000; m++) {
		const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
		d = 1 / (1 + even * d || tiny);
		c = 1 + even / c || tiny;
		fraction *= c * d;
		const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
		d = 1 / (1 + odd * d || tiny);
		c = 1 + odd / c || tiny;
		fraction *= c * d;
		if (Math.abs(c * d - 1) < 1e-16) break;
	}
	return front * fraction;
}

/** Logarithm of the gamma function for positive arguments: Stirling's series after shifting the argument above 15. */
function logGamma(x: number): number {
	let shift = 0;
	let y = x;
	while (y < 15) {
		shift += Math.log(y);
		y += 1;
	}
	const inverse = 1 / (y * y);
	const series = (1 / 12 - inverse * (1 / 360 - inverse * (1 / 1260 - inverse / 1680))) / y;
	return (y - 0.5) * Math.log(y) - y + Math.log(2 * Math.PI) / 2 + series - shift;
}
