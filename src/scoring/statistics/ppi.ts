import { type Corrected, clip, type JudgedLabels, problemOf, unanimous } from "./corrected.ts";
import { mean } from "./moments.ts";
import { studentQuantile } from "./student-t.ts";

export interface Ppi extends Corrected {
	/** How far the judge was trusted: 0, the labels alone, to 1. */
	lambda: number | null;
}

/**
 * Mean of what people would say of all items, from labels of some and a judge's values of all (PPI++).
 *
 * With L the m labelled items and U the others, n of them: value = lambda mean f_U + mean(Y_L - lambda f_L),
 * lambda = Cov(Y_L, f_L) / (Var f_L + (m/n) Var f_U), in [0, 1] unless given; SE^2 = Var(Y_L - lambda f_L) / m +
 * lambda^2 Var(f_U) / n; t quantile on m - 1 degrees. Graded values are welcome. It asks nothing of the judge's errors,
 * only that the labelled items are a fair sample of this system's. Items are taken as independent: labels of clustered
 * tasks say less than the interval claims.
 *
 * Under `weights`, labels drawn by strata: the same estimate with weighted means, as a survey's difference estimator;
 * its error takes the labels as drawn with replacement, so it is on the wide side. All labels 0 or all 1: the labels
 * alone, by Wilson. One label: no interval. Values are clipped to [0, 1].
 * Source: Angelopoulos, Duchi and Zrnic 2023 (arXiv 2311.01453); weights: Saerndal et al. 1992.
 */
export function ppi(labels: JudgedLabels & { lambda?: number | undefined }): Ppi {
	const { judge, human } = labels;
	const beside = { n: judge.length, labelled: human.length };
	const none = { low: null, high: null, ...beside, clipped: false } as const;
	const problem = problemOf(labels);
	if (problem !== undefined) return { value: null, lambda: null, ...none, reason: problem };
	const weights = labels.weights ?? human.map(() => 1);
	if (!(weights.reduce((sum, weight) => sum + weight, 0) > 0))
		return { value: null, lambda: null, ...none, reason: "the weights sum to 0" };
	const first = human[0] ?? 0;
	if ((first === 0 || first === 1) && human.every((label) => label === first) && labels.lambda === undefined)
		return { ...clip(unanimous(first, weights)), ...beside, lambda: 0 };
	const { value, error, lambda } = labels.weights ? weighted(labels, weights) : unweighted(labels);
	if (human.length < 2)
		return { ...none, value: Math.min(1, Math.max(0, value)), lambda, reason: "one label has no spread" };
	const half = studentQuantile(0.975, human.length - 1) * error;
	const found = clip({ value, low: value - half, high: value + half });
	return {
		...found,
		...beside,
		lambda,
		...(half > 0 ? {} : { reason: "no spread was seen, so the width is unknown" }),
	};
}

interface Estimate {
	value: number;
	error: number;
	lambda: number;
}

function unweighted({ judge, human, judged, lambda: given }: Parameters<typeof ppi>[0]): Estimate {
	const m = human.length;
	const n = judge.length - m;
	const centre = mean(judge);
	// the others' mean and variance from those of all and of the labelled: nobody has to say which are which
	const power = (values: readonly number[], exponent: number) =>
		values.reduce((sum, value) => sum + (value - centre) ** exponent, 0);
	const meanOthers = n === 0 ? centre : centre + (power(judge, 1) - power(judged, 1)) / n;
	const squares = power(judge, 2) - power(judged, 2) - n * (meanOthers - centre) ** 2;
	const varianceOthers = n < 2 ? 0 : Math.max(0, squares) / (n - 1);
	const best = n === 0 ? 0 : covariance(human, judged) / (covariance(judged, judged) + (m / n) * varianceOthers);
	const lambda = given ?? clamp(best);
	const residuals = human.map((label, at) => label - lambda * (judged[at] ?? 0));
	const value = lambda * meanOthers + mean(residuals);
	const error = Math.sqrt(
		covariance(residuals, residuals) / m + (n === 0 ? 0 : (lambda * lambda * varianceOthers) / n),
	);
	return { value, error, lambda };
}

/**
 * With b = lambda N / (N - m): value = b mean f + weighted mean of e = Y - b f, over all N items; SE^2 = A(e, e) +
 * (S(Y, Y) - S(e, e)) / N, where S is the weighted covariance and A that of weighted means. Equal weights give the same
 * value as `unweighted`.
 */
function weighted(labels: Parameters<typeof ppi>[0], weights: readonly number[]): Estimate {
	const { judge, human, judged, lambda: given } = labels;
	const items = judge.length;
	const m = human.length;
	const others = (items - m) / items;
	const whole = weights.reduce((sum, weight) => sum + weight, 0);
	const meanOf = (values: readonly number[]) =>
		values.reduce((sum, value, at) => sum + (weights[at] ?? 0) * value, 0) / whole;
	const product = (x: readonly number[], y: readonly number[], exponent: 1 | 2) => {
		const [meanX, meanY] = [meanOf(x), meanOf(y)];
		const sum = x.reduce(
			(total, each, at) => total + (weights[at] ?? 0) ** exponent * (each - meanX) * ((y[at] ?? 0) - meanY),
			0,
		);
		return (sum / whole ** exponent) * (m / (m - 1));
	};
	const spread = (x: readonly number[], y: readonly number[]) => product(x, y, 2) - product(x, y, 1) / items;
	const best = others === 0 ? 0 : (spread(human, judged) / spread(judged, judged)) * others;
	const lambda = given ?? clamp(best);
	const slope = others === 0 ? 0 : lambda / others;
	const residuals = human.map((label, at) => label - slope * (judged[at] ?? 0));
	const value = slope * mean(judge) + meanOf(residuals);
	const variance = spread(residuals, residuals) + product(human, human, 1) / items;
	return { value, error: Math.sqrt(Math.max(0, variance)), lambda };
}

const clamp = (value: number) => (Number.isFinite(value) ? Math.min(1, Math.max(0, value)) : 0);

function covariance(x: readonly number[], y: readonly number[]): number {
	const [meanX, meanY] = [mean(x), mean(y)];
	return x.reduce((sum, each, at) => sum + (each - meanX) * ((y[at] ?? 0) - meanY), 0) / (x.length - 1);
}
