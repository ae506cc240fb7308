import { incompleteBeta } from "./beta.ts";
import { z95 } from "./student-t.ts";

/** What is rare: from so many outcomes on, Wilson's bound lies outside the exact one; above such a share it covers alone. */
const rare = { count: 5, share: 1 / 8 };

/** One-sided chance of the exact bound; chosen so that three outcomes of 50 or of 100 do not leave out one. */
const oneSided = 0.077;

/**
 * Interval at 95 % for a proportion of `n` >= 1 independent outcomes, which need not be whole: Wilson's score interval,
 * whose bound below a rare outcome (fewer than five, and at most one in eight) is no higher than the exact one-sided bound
 * at 92.3 %. Inside [0, 1], and with a width when all outcomes are equal.
 *
 * Wilson's alone leaves out, after one outcome of a kind, shares below 0.18 / n, so that it holds 0.17 / n in 84 % only;
 * with the exact bound no share is held in less than 91.7 % by 20 outcomes or more, 89.3 % by 10 (enumerated, not drawn).
 * Source: Wilson 1927; Clopper and Pearson 1934; for mending the ends: Brown, Cai and DasGupta 2001.
 */
export function wilson(proportion: number, n: number): { low: number; high: number } {
	const z2 = z95 * z95;
	const centre = (proportion + z2 / (2 * n)) / (1 + z2 / n);
	const half = (z95 / (1 + z2 / n)) * Math.sqrt((proportion * (1 - proportion)) / n + z2 / (4 * n * n));
	// rounding must not push the bound past the outcome itself
	return {
		low: Math.min(proportion, Math.max(0, centre - half), exactLow(proportion, n)),
		high: Math.max(proportion, Math.min(1, centre + half), 1 - exactLow(1 - proportion, n)),
	};
}

/** The share under which as many outcomes or more have the one-sided chance; no bound where they are not rare. */
function exactLow(proportion: number, n: number): number {
	const count = proportion * n;
	if (proportion > rare.share || count >= rare.count) return 1;
	if (count <= 1e-9) return 0;
	let [low, high] = [0, proportion];
	for (let round = 0; round < 60 && high - low > 1e-13 * high; round++) {
		const middle = (low + high) / 2;
		if (incompleteBeta(middle, count, n - count + 1) < oneSided) low = middle;
		else high = middle;
	}
	return high;
}
