import { z } from "zod";
import { asManyClusters, clusterNames, defineMetric, values } from "../metric.ts";
import { asResult } from "./as-result.ts";
import { clusteredWilson } from "./clustered-wilson.ts";
import { clusteredError } from "./clusters.ts";
import { seededRandom } from "./random.ts";
import { studentQuantile } from "./student-t.ts";
import { wilson } from "./wilson.ts";

/** A ratio of two sums with its 95 % interval, in the shape of `Interval`. */
export interface RatioInterval {
	value: number | null;
	low: number | null;
	high: number | null;
	/** Parts summed. */
	n: number;
	groups: number;
	method: "cluster-bootstrap" | "clustered-delta" | "wilson" | "clustered-wilson" | "none";
	reason?: string;
}

/** One task's share in the two sums. */
export interface RatioPart {
	numerator: number;
	denominator: number;
	cluster: string | number;
}

const mostClustersResampled = 1000;

/**
 * Sum of numerators over sum of denominators (hop-level ratios such as modality coverage) with a 95 % interval.
 *
 * A share of whole things (whole denominators, and numerators that cannot exceed them, as hops covered of gold hops):
 * `clusteredWilson` over the things, those of a task and its cluster together, inside [0, 1].
 * Others: SE^2 = C/(C-1) * sum over clusters of (N_c - R D_c)^2 / (sum of D)^2, the delta method on cluster sums. Up to
 * 1,000 clusters: bootstrap-t, which redraws whole clusters, seeded, 10,000 times, and reads the quantiles of
 * (R* - R) / SE* instead of Student's t. Above, and where clusters are so few and so equal that draws without spread are
 * common: t quantile on C-1 degrees of freedom. Parts that cannot exceed their whole stay in [0, 1], and at exactly 0 or
 * 1 are Wilson's over the clusters.
 * No denominator: null. One cluster: no interval, unless the ratio is 0 or 1.
 *
 * Measured on hop hits of correlation 0.3 in clusters of 1 to 9 tasks: docs/guides/scoring.md (coverage.test.ts).
 * Source: as `clusteredWilson`; Davison and Hinkley 1997 (bootstrap-t); Cochran 1977 (ratios of cluster sums).
 */
export function ratioInterval(
	parts: readonly RatioPart[],
	options: {
		seed?: number | undefined;
		resamples?: number | undefined;
		/** False: parts that happen to lie within their whole are no share, as those of a slope. */
		share?: boolean | undefined;
	} = {},
): RatioInterval {
	const { seed = 20240611, resamples = 10_000 } = options;
	// 0 of 0 says nothing; a cost without a success does
	const used = parts.filter((part) => part.denominator > 0 || part.numerator !== 0);
	const n = used.length;
	const clusters = clustersOf(used);
	const groups = clusters.length;
	const none = { low: null, high: null, n, groups, method: "none" } as const;
	if (groups === 0) return { value: null, ...none, reason: "nothing to cover" };
	const total = clusters.reduce((sum, cluster) => sum + cluster.denominator, 0);
	if (total === 0) return { value: null, ...none, reason: "the denominators sum to 0" };
	const value = clusters.reduce((sum, cluster) => sum + cluster.numerator, 0) / total;
	if (!Number.isFinite(value)) return { value: null, ...none, reason: "the sums have no finite ratio" };
	const share =
		options.share !== false && used.every((part) => part.numerator >= 0 && part.numerator <= part.denominator);
	const decided = value === 0 || value === 1;
	if (share && (groups > 1 || decided) && used.every((part) => Number.isInteger(part.denominator))) {
		const { low, high } = clusteredWilson({
			sizes: Float64Array.from(clusters, ({ denominator }) => denominator),
			sums: Float64Array.from(clusters, ({ numerator }) => numerator),
			squares: value * total,
		});
		const method = groups === total ? "wilson" : "clustered-wilson";
		return { value, low: Math.min(low, value), high: Math.max(high, value), n, groups, method };
	}
	if (share && decided) return { value, ...wilson(value, groups), n, groups, method: "wilson" };
	if (groups === 1) return { value, ...none, reason: "all parts belong to one cluster, which has no spread" };
	const deviations = Float64Array.from(clusters, ({ numerator, denominator }) => numerator - value * denominator);
	const error = clusteredError(deviations, total);
	const t = studentQuantile(0.975, groups - 1);
	if (!Number.isFinite(t * error)) return { value, ...none, reason: "the sums have no finite spread" };
	if (error <= 1e-12 * Math.abs(value)) {
		const reason = "no spread was seen, so the width is unknown";
		return { value, low: value, high: value, n, groups, method: "clustered-delta", reason };
	}
	const denominators = Float64Array.from(clusters, ({ denominator }) => denominator);
	const drawn = groups > mostClustersResampled ? undefined : drawnRatios(deviations, { denominators, seed, resamples });
	// the quantiles change sides: draws far above the ratio say that it may itself lie far above the truth
	const [below, above] = drawn ? [quantile(drawn, 0.975), -quantile(drawn, 0.025)] : [t, t];
	const low = value - Math.max(0, below) * error;
	const high = value + Math.max(0, above) * error;
	return {
		value,
		low: share ? Math.max(0, low) : low,
		high: share ? Math.min(1, high) : high,
		n,
		groups,
		method: drawn ? "cluster-bootstrap" : "clustered-delta",
	};
}

function clustersOf(parts: readonly RatioPart[]): { numerator: number; denominator: number }[] {
	const sums = new Map<string | number, { numerator: number; denominator: number }>();
	for (const { numerator, denominator, cluster } of parts) {
		const sum = sums.get(cluster) ?? { numerator: 0, denominator: 0 };
		sum.numerator += numerator;
		sum.denominator += denominator;
		sums.set(cluster, sum);
	}
	return [...sums.values()];
}

/**
 * (R* - R) / SE* of every draw of clusters, ascending; nothing where more than one in a hundred has no spread, since
 * leaving those out would make the rest look surer than it is.
 */
function drawnRatios(
	deviations: Float64Array,
	options: { denominators: Float64Array; seed: number; resamples: number },
): Float64Array | undefined {
	const { denominators, seed, resamples } = options;
	const random = seededRandom(seed);
	const count = deviations.length;
	const ratios = new Float64Array(resamples);
	let kept = 0;
	for (let draw = 0; draw < resamples; draw++) {
		let [sum, whole, squares, products, wholes] = [0, 0, 0, 0, 0];
		for (let pick = 0; pick < count; pick++) {
			const index = (random() * count) | 0;
			const deviation = deviations[index] ?? 0;
			const denominator = denominators[index] ?? 0;
			sum += deviation;
			whole += denominator;
			squares += deviation * deviation;
			products += deviation * denominator;
			wholes += denominator * denominator;
		}
		const difference = sum / whole;
		const around = squares - 2 * difference * products + difference * difference * wholes;
		if (around > 1e-12 * squares) {
			const error = Math.sqrt((count / (count - 1)) * around) / whole;
			ratios[kept] = difference / error;
			kept += 1;
		}
	}
	return kept >= 0.99 * resamples ? ratios.subarray(0, kept).sort() : undefined;
}

const quantile = (sorted: Float64Array, share: number) => sorted[Math.round(share * (sorted.length - 1))] ?? 0;

export const ratioMetric = defineMetric({
	name: "ratio",
	group: "uncertainty",
	describe: "Ratio of two sums, such as hops covered over gold hops, with its 95 % interval over clusters.",
	formula:
		"R = sum of numerators / sum of denominators; interval of a share of whole things as `interval` makes it, else by bootstrap-t over clusters, or the delta method",
	range: "that of the ratio; 0 to 1 where no numerator exceeds its denominator",
	edges:
		"Denominators that sum to 0: unscored. One cluster: no interval, unless the share is 0 or 1. No share, or denominators that are not whole: bootstrap-t; above 1,000 clusters the delta method.",
	source: "as `interval`; Davison and Hinkley 1997 (bootstrap-t); Cochran 1977 (ratios of cluster sums)",
	example: { numerators: [2, 1, 0, 3], denominators: [2, 2, 1, 4], clusters: ["a", "a", "b", "c"] },
	input: z
		.strictObject({
			numerators: values,
			denominators: z.array(z.number().min(0)).max(10_000_000),
			clusters: clusterNames.optional(),
			seed: z.number().int().optional(),
		})
		.refine(({ numerators, denominators }) => numerators.length === denominators.length, {
			message: "there must be as many denominators as numerators",
			path: ["denominators"],
		})
		.refine(...asManyClusters("numerators")),
	compute: ({ numerators, denominators, clusters, seed }) =>
		asResult(
			ratioInterval(
				numerators.map((numerator, at) => {
					return { numerator, denominator: denominators[at] ?? 0, cluster: clusters?.[at] ?? `${at}` };
				}),
				{ seed },
			),
		),
});
