import { hashOf } from "../judging/hash-of.ts";
import { mean } from "./moments.ts";
import { studentQuantile } from "./student-t.ts";

/** Above so many clusters, they are left out in groups. */
const mostGroups = 100;

/** The group, from 0, that each cluster is left out with; by the names alone, and as even as can be. */
export function jackknifeGroups(clusters: readonly string[]): Map<string, number> {
	const ranked = [...new Set(clusters)]
		.map((name) => ({ name, rank: hashOf(["group", name]) }))
		.sort((a, b) => (a.rank < b.rank ? -1 : 1));
	return new Map(ranked.map(({ name }, index) => [name, index % mostGroups]));
}

/**
 * Half the width of a figure's 95 % interval; `without[g]` is the figure with group g left out.
 *
 *     SE^2 = (G - 1) / G * sum over groups of (f_g - mean f)^2,  t quantile on G - 1 degrees of freedom
 *
 * Null for fewer than two groups, or where no spread was seen. Source: Efron and Tibshirani 1993, chapter 11.
 */
export function jackknifeHalfWidth(without: readonly number[]): number | null {
	const groups = without.length;
	if (groups < 2) return null;
	const centre = mean(without);
	const squares = without.reduce((sum, value) => sum + (value - centre) ** 2, 0);
	const error = Math.sqrt(((groups - 1) / groups) * squares);
	return error < 1e-12 ? null : studentQuantile(0.975, groups - 1) * error;
}
