import { z } from "zod";
import { defineMetric } from "../metric.ts";
import { asResult } from "../statistics/as-result.ts";
import { sum } from "../statistics/moments.ts";
import { studentQuantile } from "../statistics/student-t.ts";
import { type Estimate, estimate, undefinedEstimate } from "./estimate.ts";

/**
 * Fleiss' kappa of several raters: (P - Pe) / (1 - Pe), P the mean share of agreeing pairs of raters an item, Pe the sum of
 * squared shares of the categories. `counts[i][k]` says how many raters put item i into category k; every item has as many
 * ratings, at least two.
 *
 * The interval is value +- t SE on n - 1 degrees of freedom, SE by Gwet 2021 over items, kept in [-1, 1].
 * No items, fewer than two ratings an item, unequal numbers of ratings, one category in all (chance agreement 1): null.
 * Worked: [3,0], [2,1], [0,3], [1,2] is 0.3333. Source: Fleiss 1971.
 */
export function fleissKappa(counts: readonly (readonly number[])[]): Estimate {
	const n = counts.length;
	if (n === 0) return undefinedEstimate(n, "no items");
	const raters = sum(counts[0] ?? []);
	if (raters < 2) return undefinedEstimate(n, "fewer than two ratings an item");
	if (counts.some((row) => sum(row) !== raters))
		return undefinedEstimate(n, "items differ in their numbers of ratings");
	const categories = counts.reduce((most, row) => Math.max(most, row.length), 0);
	const shares = Array.from({ length: categories }, (_, category) => {
		return counts.reduce((total, row) => total + (row[category] ?? 0), 0) / (n * raters);
	});
	const chance = shares.reduce((total, share) => total + share ** 2, 0);
	if (shares.filter((share) => share > 0).length === 1) return undefinedEstimate(n, "agreement by chance is 1");
	const agreed = counts.map(
		(row) => row.reduce((total, count) => total + count * (count - 1), 0) / raters / (raters - 1),
	);
	const value = (sum(agreed) / n - chance) / (1 - chance);
	if (agreed.every((share) => share === 1)) return estimate(1, { n, half: 0, method: "none" });
	// what each item adds, less what it adds to agreement by chance
	const squares = counts.map((row, item) => {
		const own = ((agreed[item] ?? 0) - chance) / (1 - chance);
		const ownChance = row.reduce((total, count, category) => total + (count / raters) * (shares[category] ?? 0), 0);
		return (own - (2 * (1 - value) * (ownChance - chance)) / (1 - chance) - value) ** 2;
	});
	const variance = n > 1 ? sum(squares) / (n * (n - 1)) : 0;
	const half = variance > 1e-18 ? studentQuantile(0.975, n - 1) * Math.sqrt(variance) : 0;
	return estimate(value, { n, half, method: "gwet-2021" });
}

export const fleissKappaMetric = defineMetric({
	name: "kappa-fleiss",
	group: "agreement",
	describe: "Fleiss' kappa: agreement of several raters beyond chance, from counts of their ratings.",
	formula: "(P - Pe) / (1 - Pe), P the mean share of agreeing pairs an item, Pe = sum over categories of share^2",
	range: "-1 to 1",
	edges: "No items, one category in all, or fewer than two ratings: unscored. Perfect agreement has no interval.",
	source: "Fleiss 1971; interval: Gwet 2021 (Large-sample variance of Fleiss generalized kappa)",
	example: {
		counts: [
			[3, 0],
			[2, 1],
			[0, 3],
			[1, 2],
		],
	},
	input: z
		.strictObject({ counts: z.array(z.array(z.int().min(0).max(1_000_000)).max(10_000)).max(1_000_000) })
		.refine(({ counts }) => new Set(counts.map((row) => row.length)).size <= 1, {
			message: "every row must have as many categories",
			path: ["counts"],
		})
		.refine(({ counts }) => new Set(counts.map(sum)).size <= 1, {
			message: "every item must have as many ratings; alpha-krippendorff takes missing ones",
			path: ["counts"],
		}),
	compute: ({ counts }) => asResult(fleissKappa(counts)),
});
