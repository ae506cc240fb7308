import { clusteredError, clusterIndex, isRounding, sumsBy } from "./clusters.ts";
import { mean } from "./moments.ts";
import { studentQuantile } from "./student-t.ts";

/** How sure a difference of paired shares is, also where hardly any pair differs. */

/** n pairs of values in [0, 1]: `gained` and `lost` are the sums of the differences above and below 0. */
export interface PairedShares {
	n: number;
	gained: number;
	lost: number;
}

/**
 * The score interval of a paired difference (gained - lost) / n, each side missing it with the probability that `quantile`
 * of the normal or t distribution leaves. It has a width where no pair differs, and keeps its level where few do, as an
 * interval of the spread seen does not. Sums of shares between 0 and 1 vary less than counts: for them it is too wide rather
 * than too narrow. Source: Tango 1998 (Statistics in Medicine 17: 891-908).
 */
export function tangoInterval(pairs: PairedShares, quantile: number): { low: number; high: number } {
	const difference = (pairs.gained - pairs.lost) / pairs.n;
	return {
		low: crossing(-1, difference, (at) => distance(pairs, at) < quantile),
		high: crossing(difference, 1, (at) => distance(pairs, at) < -quantile),
	};
}

/** Standard errors, at its most likely spread, from a true difference `at` to the one seen. */
function distance({ n, gained, lost }: PairedShares, at: number): number {
	// the likeliest share of pairs lost, were `at` the difference
	const b = (2 * n - gained + lost) * at - gained - lost;
	const c = -lost * at * (1 - at);
	const share = (Math.sqrt(Math.max(0, b * b - 8 * n * c)) - b) / (4 * n);
	const variance = n * (2 * share + at * (1 - at));
	const apart = gained - lost - n * at;
	if (variance <= 0) return apart === 0 ? 0 : Math.sign(apart) * Number.POSITIVE_INFINITY;
	return apart / Math.sqrt(variance);
}

/** Where `holds` begins to be true, between two points. */
function crossing(from: number, to: number, holds: (at: number) => boolean): number {
	let [low, high] = [from, to];
	if (holds(low)) return low;
	for (let step = 0; step < 60; step += 1) {
		const middle = (low + high) / 2;
		if (holds(middle)) high = middle;
		else low = middle;
	}
	return high;
}

/**
 * The same of pairs whose clusters share their luck, each side missing the truth with the chance `tail` (0.025: an interval
 * of 95 %): as many pairs count as would tell as much if each were independent. `size`: of so many pairs that came out as
 * these did. None of one cluster, which has no spread.
 */
export function clusteredTango(
	differences: readonly number[],
	clusters: readonly string[],
	{ tail = 0.025 }: { tail?: number } = {},
): ((size: number) => { low: number; high: number }) | undefined {
	const n = differences.length;
	const index = clusterIndex(n, clusters);
	if (index.groups < 2) return undefined;
	const middle = mean(differences);
	const deviations = differences.map((difference) => difference - middle);
	const error = clusteredError(sumsBy(index, deviations), n);
	const independent = clusteredError(Float64Array.from(deviations), n);
	// where no pair differs nothing says how alike a cluster is: then a cluster counts once
	const design = isRounding(independent, 1) ? n / index.groups : Math.max(1, (error / independent) ** 2);
	const sumOf = (sign: 1 | -1) => differences.reduce((sum, difference) => sum + Math.max(0, sign * difference), 0);
	const [gained, lost] = [sumOf(1), sumOf(-1)];
	const quantile = studentQuantile(1 - tail, index.groups - 1);
	return (size) => {
		const scale = size / n / design;
		return tangoInterval({ n: n * scale, gained: gained * scale, lost: lost * scale }, quantile);
	};
}
