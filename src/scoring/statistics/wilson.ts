import { z95 } from "./student-t.ts";

/**
 * Wilson's score interval at 95 % for a proportion of `n` independent outcomes: unlike the normal one it stays inside
 * [0, 1] and has a width when all outcomes are equal. Source: Wilson 1927; `n` >= 1.
 */
export function wilson(proportion: number, n: number): { low: number; high: number } {
	const z2 = z95 * z95;
	const centre = (proportion + z2 / (2 * n)) / (1 + z2 / n);
	const half = (z95 / (1 + z2 / n)) * Math.sqrt((proportion * (1 - proportion)) / n + z2 / (4 * n * n));
	// rounding must not push the bound past the outcome itself
	return {
		low: Math.min(proportion, Math.max(0, centre - half)),
		high: Math.max(proportion, Math.min(1, centre + half)),
	};
}
