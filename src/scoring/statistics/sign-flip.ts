import { seededRandom } from "./random.ts";
import { bothTails } from "./student-t.ts";

const fewestDraws = 10_000;
/** So many draws a test that p is corrected for: the smallest p, times the tests, is then 1 / 25. */
const drawsForTest = 25;
/** More would take minutes for the thousands of pairs of a hundred runs. */
const mostDraws = 100_000;
/** Below, all ways of giving signs are counted; there are half as many as 2 to this. */
const mostCounted = 17;
/** Above, the draws would take seconds and agree with their limit. */
const mostDrawn = 10_000;

/**
 * Two-sided p of sums of paired differences, one a cluster, by flipping their signs: under the null either run could
 * have been the first, cluster by cluster. The share of sign patterns whose total is at least as far from 0 as that
 * seen.
 *
 * Clusters whose sum is 0 change nothing and are left out. Up to 17 others: every pattern, exactly. Up to 10,000: 10,000
 * seeded draws, or more where p is one of many `tests` to be corrected for, since p = (hits + 1) / (draws + 1) is never
 * below 1 / (draws + 1). Above: their limit, t of the total over the root of the sum of squares. No difference: 1.
 * Source: Fisher's randomisation test; Smucker et al. 2007 for its use in retrieval.
 */
export function signFlip(
	sums: Float64Array,
	options: { seed?: number | undefined; tests?: number | undefined } = {},
): number {
	const { seed = 20240611, tests = 1 } = options;
	const draws = Math.min(mostDraws, Math.max(fewestDraws, drawsForTest * tests));
	const used = sums.filter((sum) => sum !== 0);
	if (used.length === 0) return 1;
	let total = 0;
	let size = 0;
	for (const sum of used) {
		total += sum;
		size += Math.abs(sum);
	}
	// sums of the same numbers in another order differ by rounding
	const seen = Math.abs(total) - 1e-10 * size;
	if (used.length <= mostCounted) return counted(used, seen);
	if (used.length > mostDrawn) {
		const error = Math.sqrt(used.reduce((squares, sum) => squares + sum * sum, 0));
		return Math.min(1, Math.max(0, bothTails(total / error, used.length)));
	}
	return (drawn(used, { seen, seed, draws }) + 1) / (draws + 1);
}

/** Every pattern once, each a single flip from the one before (Gray code); the first sign is fixed by symmetry. */
function counted(sums: Float64Array, seen: number): number {
	const patterns = 2 ** (sums.length - 1);
	const signs = new Int8Array(sums.length).fill(1);
	let total = sums.reduce((sum, each) => sum + each, 0);
	let hits = Math.abs(total) >= seen ? 1 : 0;
	for (let pattern = 1; pattern < patterns; pattern++) {
		const at = 32 - Math.clz32(pattern & -pattern);
		const sign = signs[at] ?? 1;
		total -= 2 * sign * (sums[at] ?? 0);
		signs[at] = -sign;
		if (Math.abs(total) >= seen) hits += 1;
	}
	return hits / patterns;
}

function drawn(sums: Float64Array, options: { seen: number; seed: number; draws: number }): number {
	const random = seededRandom(options.seed);
	const tables = signedSums(sums);
	let hits = 0;
	for (let draw = 0; draw < options.draws; draw++) {
		let total = 0;
		let signs = 0;
		for (let start = 0, byte = 0; start < tables.length; start += 256, byte++) {
			// one random number signs four times eight sums
			signs = byte % 4 === 0 ? (random() * 4294967296) | 0 : signs >>> 8;
			total += tables[start + (signs & 255)] ?? 0;
		}
		if (Math.abs(total) >= options.seen) hits += 1;
	}
	return hits;
}

/** For every eight sums the 256 totals that their signs can give, one after the other. */
function signedSums(sums: Float64Array): Float64Array {
	const tables = new Float64Array(Math.ceil(sums.length / 8) * 256);
	for (let at = 0; at < tables.length; at++) {
		const first = (at >> 8) * 8;
		let total = 0;
		for (let bit = 0; bit < 8; bit++) total += (at >> bit) & 1 ? (sums[first + bit] ?? 0) : -(sums[first + bit] ?? 0);
		tables[at] = total;
	}
	return tables;
}
