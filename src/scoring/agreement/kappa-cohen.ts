import { z } from "zod";
import { defineMetric } from "../metric.ts";
import { asResult } from "../statistics/as-result.ts";
import { z95 } from "../statistics/student-t.ts";
import { asManyItems, type Estimate, estimate, Label, undefinedEstimate } from "./estimate.ts";

export const kappaWeights = ["linear", "quadratic"] as const;
export type KappaWeights = (typeof kappaWeights)[number];

/**
 * Cohen's kappa of two raters: (Po - Pe) / (1 - Pe), Po the weighted share of items on which they agree, Pe the share that
 * their own frequencies of labels would give by chance. `a[i]` and `b[i]` are the labels of item i.
 *
 * Without weights only equal labels agree. With weights the labels are numbers x and y that agree by 1 - d or 1 - d^2,
 * d = |x - y| over the widest distance seen; distances are those of the numbers themselves, not of their places among the
 * labels that happened to occur.
 * The interval is value +- 1.96 SE, SE by Fleiss, Cohen and Everitt 1969 (for a kappa that is not 0), kept in [-1, 1].
 * No items, chance agreement of 1 (both raters gave one and the same label throughout): null.
 * Throws a RangeError where the lengths differ. Source: Cohen 1960 and 1968.
 */
export function cohenKappa(
	a: readonly Label[],
	b: readonly Label[],
	{ weights }: { weights?: KappaWeights | undefined } = {},
): Estimate {
	if (a.length !== b.length) throw new RangeError("both raters must label the same items");
	const n = a.length;
	if (n === 0) return undefinedEstimate(n, "no items");
	const labels = [...new Set([...a, ...b])];
	if (weights && !labels.every((label) => typeof label === "number" && Number.isFinite(label)))
		return undefinedEstimate(n, "weighted kappa needs labels that are numbers");
	const agreement = agreementOf(labels, weights);
	if (!agreement) return undefinedEstimate(n, "the labels are too far apart to be compared");
	const place = new Map(labels.map((label, index) => [label, index]));
	const rows = new Float64Array(labels.length);
	const columns = new Float64Array(labels.length);
	const cells = new Map<number, number>();
	for (const [index, label] of a.entries()) {
		const row = place.get(label) ?? 0;
		const column = place.get(b[index] ?? label) ?? 0;
		rows[row] = (rows[row] ?? 0) + 1 / n;
		columns[column] = (columns[column] ?? 0) + 1 / n;
		const cell = row * labels.length + column;
		cells.set(cell, (cells.get(cell) ?? 0) + 1);
	}
	// the mean agreement of each label with what the other rater says
	const ofRow = rows.map((_, row) => columns.reduce((sum, share, column) => sum + share * agreement(row, column), 0));
	const ofColumn = rows.map((_, column) => rows.reduce((sum, share, row) => sum + share * agreement(row, column), 0));
	const chance = rows.reduce((sum, share, row) => sum + share * (ofRow[row] ?? 0), 0);
	if (labels.length === 1 || 1 - chance < 1e-12) return undefinedEstimate(n, "agreement by chance is 1");
	const found = [...cells].map(([cell, count]) => {
		const row = Math.floor(cell / labels.length);
		const column = cell % labels.length;
		return { agreed: agreement(row, column), margin: (ofRow[row] ?? 0) + (ofColumn[column] ?? 0), count };
	});
	if (found.every(({ agreed }) => agreed === 1)) return estimate(1, { n, half: 0, method: "none" });
	const observed = found.reduce((sum, { agreed, count }) => sum + agreed * count, 0) / n;
	const value = (observed - chance) / (1 - chance);
	const spread = found.reduce((sum, { agreed, margin, count }) => {
		return sum + (count / n) * (agreed - margin * (1 - value)) ** 2;
	}, 0);
	const variance = (spread - (value - chance * (1 - value)) ** 2) / (n * (1 - chance) ** 2);
	// rounding alone would show a width where there is none
	const half = variance > 1e-18 ? z95 * Math.sqrt(variance) : 0;
	return estimate(Math.max(-1, value), { n, half, method: "fleiss-1969" });
}

/** How far two labels, by their places, count as the same: 0 to 1. */
function agreementOf(labels: readonly Label[], weights: KappaWeights | undefined) {
	if (!weights) return (a: number, b: number) => (a === b ? 1 : 0);
	const numbers = labels.map(Number);
	const lowest = numbers.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY);
	const widest = numbers.reduce((most, value) => Math.max(most, value - lowest), 0);
	if (!Number.isFinite(widest)) return undefined;
	return (a: number, b: number) => {
		const distance = widest === 0 ? 0 : Math.abs((numbers[a] ?? 0) - (numbers[b] ?? 0)) / widest;
		return 1 - (weights === "linear" ? distance : distance ** 2);
	};
}

const labelsOfItems = z.array(Label).max(1_000_000);

export const cohenKappaMetric = defineMetric({
	name: "kappa-cohen",
	group: "agreement",
	describe: "Cohen's kappa: agreement of two raters beyond chance, with weights for ordered labels.",
	formula: "(Po - Pe) / (1 - Pe), Po the agreement seen, Pe that of the raters' own label frequencies",
	range: "-1 to 1",
	edges:
		"No items, or agreement by chance of 1: unscored. Perfect agreement has no interval. Weights take distances of the numbers themselves.",
	source: "Cohen 1960, 1968; interval: Fleiss, Cohen and Everitt 1969",
	example: { a: ["a", "a", "b", "b", "c"], b: ["a", "a", "b", "c", "c"] },
	input: z
		.strictObject({ a: labelsOfItems, b: labelsOfItems, weights: z.enum(kappaWeights).optional() })
		.refine(asManyItems.check, asManyItems.problem)
		.refine(({ a, b }) => new Set([...a, ...b]).size <= 2000, { message: "more than 2,000 labels", path: ["a"] }),
	compute: ({ a, b, weights }) => asResult(cohenKappa(a, b, { weights })),
});
