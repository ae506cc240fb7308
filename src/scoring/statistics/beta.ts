/**
 * Regularised incomplete beta function I_x(a, b), by its continued fraction with Lentz's method (DLMF 8.17.22). The
 * distributions of t and of binomial counts are values of it.
 */
export function incompleteBeta(x: number, a: number, b: number): number {
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
export function logGamma(x: number): number {
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
