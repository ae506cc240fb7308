import { z } from "zod";
import { defineMetric } from "../metric.ts";

/**
 * pass@k of one task, in [0, 1]: the chance that at least one of k attempts drawn from the `n` made is right, when `c`
 * were: 1 - C(n-c, k) / C(n, k), as a product, since the binomials overflow. k > n: not defined, NaN.
 * Source: Chen et al. 2021 (Evaluating Large Language Models Trained on Code), the unbiased estimator.
 */
export function passAtK({ n, c, k }: { n: number; c: number; k: number }): number {
	if (k > n) return Number.NaN;
	return 1 - shareDrawn({ from: n, of: n - c, k });
}

/** pass^k of one task: the chance that all k attempts drawn are right, C(c, k) / C(n, k). Source: tau-bench. */
export function passAllK({ n, c, k }: { n: number; c: number; k: number }): number {
	return k > n ? Number.NaN : shareDrawn({ from: n, of: c, k });
}

/** C(of, k) / C(from, k). */
function shareDrawn({ from, of, k }: { from: number; of: number; k: number }): number {
	let share = 1;
	for (let drawn = 0; drawn < k && share > 0; drawn++) share *= Math.max(0, of - drawn) / (from - drawn);
	return share;
}

const count = z.number().int().min(0).max(1_000_000);

export const passAtKMetric = defineMetric({
	name: "pass-at-k",
	group: "answers",
	describe: "Chance that one of k attempts is right, from c right of n; beside it `all`, the chance that all k are.",
	formula: "1 - C(n-c, k) / C(n, k); all = C(c, k) / C(n, k)",
	range: "0 to 1",
	edges: "k greater than n: unscored. Fewer than k wrong attempts: 1.",
	source: "Chen et al. 2021, the unbiased estimator; pass^k: tau-bench",
	example: { n: 5, c: 2, k: 3 },
	input: z.strictObject({ n: count, c: count, k: count.min(1) }).refine(({ n, c }) => c <= n, {
		message: "c cannot exceed n",
		path: ["c"],
	}),
	compute: ({ n, c, k }) =>
		k > n
			? { value: null, reason: `k is ${k}, but only ${n} attempts were made` }
			: { value: passAtK({ n, c, k }), all: passAllK({ n, c, k }) },
});
