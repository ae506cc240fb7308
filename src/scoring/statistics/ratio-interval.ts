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
	method: "cluster-bootstrap" | "clustered-delta" | "wilson" | "none";
	reason?: string;
}

/** One task's share in the two sums. */
export interface RatioPart {
	numerator: number;
	denominator: number;
	cluster: string;
}

const resamples = 10_000;
const mostClustersResampled = 1000;

/**
 * Sum of numerators over sum of denominators (hop-level ratios such as modality coverage) with a 95 % interval.
 *
 * Up to 1,000 clusters: percentile bootstrap that redraws whole clusters, 10,000 times, seeded. Above: the delta method
 * on cluster sums, SE^2 = C/(C-1) * sum of (N_c - R D_c)^2 / (sum of D)^2, t quantile on C-1 degrees of freedom. A
 * ratio of exactly 0 or 1 (of parts that cannot exceed their whole): Wilson over the clusters. No denominator: null.
 * One cluster: no interval.
 */
export function ratioInterval(parts: readonly RatioPart[], options: { seed?: number } = {}): RatioInterval {
	const { seed = 20240611 } = options;
	const used = parts.filter((part) => part.denominator > 0);
	const n = used.length;
	const sums = new Map<string, { numerator: number; denominator: number }>();
	for (const { numerator, denominator, cluster } of used) {
		const sum = sums.get(cluster) ?? { numerator: 0, denominator: 0 };
		sum.numerator += numerator;
		sum.denominator += denominator;
		sums.set(cluster, sum);
	}
	const clusters = [...sums.values()];
	const groups = clusters.length;
	const none = { low: null, high: null, n, groups, method: "none" } as const;
	if (groups === 0) return { value: null, ...none, reason: "nothing to cover" };
	const total = clusters.reduce((sum, cluster) => sum + cluster.denominator, 0);
	const value = clusters.reduce((sum, cluster) => sum + cluster.numerator, 0) / total;
	const whole = used.every((part) => part.numerator >= 0 && part.numerator <= part.denominator);
	if (whole && (value === 0 || value === 1)) return { value, ...wilson(value, groups), n, groups, method: "wilson" };
	if (groups === 1) return { value, ...none, reason: "all parts belong to one cluster, which has no spread" };
	if (groups > mostClustersResampled) {
		const squares = clusters.reduce(
			(sum, { numerator, denominator }) => sum + (numerator - value * denominator) ** 2,
			0,
		);
		const error = Math.sqrt((groups / (groups - 1)) * squares) / total;
		const half = studentQuantile(0.975, groups - 1) * error;
		return { value, low: value - half, high: value + half, n, groups, method: "clustered-delta" };
	}
	const drawn = drawRatios(clusters, seed);
	// a skewed bootstrap can miss its own estimate by rounding; the interval must hold it
	const low = Math.min(value, drawn[Math.floor(0.025 * (resamples - 1))] ?? value);
	const high = Math.max(value, drawn[Math.ceil(0.975 * (resamples - 1))] ?? value);
	return { value, low, high, n, groups, method: "cluster-bootstrap" };
}

function drawRatios(clusters: { numerator: number; denominator: number }[], seed: number): Float64Array {
	const random = seededRandom(seed);
	// flat arrays: ten million draws should not chase objects
	const numerators = Float64Array.from(clusters, (cluster) => cluster.numerator);
	const denominators = Float64Array.from(clusters, (cluster) => cluster.denominator);
	const count = clusters.length;
	const ratios = new Float64Array(resamples);
	for (let draw = 0; draw < resamples; draw++) {
		let numerator = 0;
		let denominator = 0;
		for (let pick = 0; pick < count; pick++) {
			const index = Math.floor(random() * count);
			numerator += numerators[index] ?? 0;
			denominator += denominators[index] ?? 0;
		}
		ratios[draw] = numerator / denominator;
	}
	return ratios.sort();
}
