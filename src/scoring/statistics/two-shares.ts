import { type ClusteredShares, clusteredWilson } from "./clustered-wilson.ts";
import { studentQuantile } from "./student-t.ts";

/** A share less another one, of different things, with an interval. */
export interface SharesDifference {
	/** Null where either share has nothing. */
	value: number | null;
	low: number | null;
	high: number | null;
}

/** The normal quantile, by a t distribution that is no other. */
const manyDegrees = 1e9;

/**
 * The share of `a` less that of `b`, two samples that do not depend on one another, each of clusters that share their luck.
 * Either interval is Wilson's on the effective number of outcomes (`clusteredWilson`); `miss` is the chance that the interval
 * of the difference leaves the truth out, on both sides together.
 * Source: Newcombe 1998, method 10 (Statistics in Medicine 17: 873-890).
 */
export function sharesDifference(
	a: ClusteredShares,
	b: ClusteredShares,
	{ miss = 0.05 }: { miss?: number | undefined } = {},
): SharesDifference {
	if (a.sizes.length === 0 || b.sizes.length === 0) return { value: null, low: null, high: null };
	const z = -studentQuantile(miss / 2, manyDegrees);
	const [one, other] = [shareWithin(a, z), shareWithin(b, z)];
	const value = one.share - other.share;
	return {
		value,
		low: value - Math.hypot(one.share - one.low, other.high - other.share),
		high: value + Math.hypot(one.high - one.share, other.share - other.low),
	};
}

function shareWithin(shares: ClusteredShares, z: number) {
	const sum = (numbers: Float64Array) => numbers.reduce((total, each) => total + each, 0);
	const share = sum(shares.sums) / sum(shares.sizes);
	const n = Math.max(1, clusteredWilson(shares).effective);
	const centre = (share + z ** 2 / (2 * n)) / (1 + z ** 2 / n);
	const half = (z / (1 + z ** 2 / n)) * Math.sqrt((share * (1 - share)) / n + z ** 2 / (4 * n * n));
	return { share, low: Math.max(0, centre - half), high: Math.min(1, centre + half) };
}
