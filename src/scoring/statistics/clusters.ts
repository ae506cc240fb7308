import type { Numbers } from "./moments.ts";

/** Clusters by their names, or by numbers from 0. */
export type Clusters = readonly string[] | Int32Array;

/** For each cluster, in the order of first sight, the indices of its members; without names each index is its own. */
export function clusterIndex(length: number, clusters: Clusters | undefined): { of: Int32Array; groups: number } {
	const of = new Int32Array(length);
	if (!clusters) {
		for (let at = 0; at < length; at++) of[at] = at;
		return { of, groups: length };
	}
	if (clusters instanceof Int32Array) return { of, groups: renumbered(clusters, of) };
	const seen = new Map<string, number>();
	for (let at = 0; at < length; at++) {
		const name = clusters[at] ?? `\u0000${at}`;
		let index = seen.get(name);
		if (index === undefined) {
			index = seen.size;
			seen.set(name, index);
		}
		of[at] = index;
	}
	return { of, groups: seen.size };
}

/** Writes the numbers anew, those first seen first, and says how many there are. */
function renumbered(numbers: Int32Array, to: Int32Array): number {
	let most = 0;
	for (const number of numbers) if (number > most) most = number;
	const seen = new Int32Array(most + 1).fill(-1);
	let groups = 0;
	for (let at = 0; at < to.length; at++) {
		const number = numbers[at] ?? 0;
		if (seen[number] === -1) seen[number] = groups++;
		to[at] = seen[number] ?? 0;
	}
	return groups;
}

/** Sums of values by cluster. */
export function sumsBy(index: { of: Int32Array; groups: number }, values: Numbers): Float64Array {
	const sums = new Float64Array(index.groups);
	for (let at = 0; at < values.length; at++) {
		const group = index.of[at] ?? 0;
		sums[group] = (sums[group] ?? 0) + (values[at] ?? 0);
	}
	return sums;
}

/**
 * Sums of values by cluster, where what only rounding leaves of values that cancel out (0.1 + 0.2 - 0.3) is 0: twenty
 * clusters of such remainders would otherwise look like twenty wins.
 */
export function cleanSumsBy(index: { of: Int32Array; groups: number }, values: readonly number[]): Float64Array {
	const sizes = sumsBy(
		index,
		values.map((value) => Math.abs(value)),
	);
	return sumsBy(index, values).map((sum, at) => (isRounding(sum, sizes[at] ?? 0) ? 0 : sum));
}

/** Whether a number is no more than what rounding leaves of numbers of this size. */
export const isRounding = (value: number, size: number): boolean => Math.abs(value) <= 1e-12 * size;

/** The largest distance from 0. */
export function widest(values: Numbers): number {
	let most = 0;
	for (const value of values) most = Math.max(most, Math.abs(value));
	return most;
}

/**
 * Standard error of a sum of values over `whole`, from sums of deviations by cluster: SE^2 = C/(C-1) * sum of squares /
 * whole^2. Source: Miller 2024, with the small-sample factor. Infinite for one cluster.
 */
export function clusteredError(deviations: Float64Array, whole: number): number {
	let squares = 0;
	for (const deviation of deviations) squares += deviation * deviation;
	const groups = deviations.length;
	return Math.sqrt((groups / (groups - 1)) * squares) / whole;
}
