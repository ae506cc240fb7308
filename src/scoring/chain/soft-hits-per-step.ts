import { z } from "zod";
import { defineMetric, ids, type MetricResult } from "../metric.ts";
import { similarityTable } from "./alignment.ts";
import { edgesOf } from "./hits-per-step.ts";
import { maximumMatching } from "./matching.ts";

/**
 * Soft HPS at tau, in [0, 1]: hit per step where evidence need not be the gold one, only as similar as `tau`.
 *
 * `gold[t]` holds the acceptable evidence ids of hop t, `steps[i]` the ids that step i brought back,
 * `similarity[t][i]` the similarity of their evidence (a cosine, -1 to 1; the best over a hop's and a step's ids). An
 * edge where the similarity is at least tau, or where the two share an id: the same evidence is as similar as can be,
 * whatever the table says. At tau = 1 only shared ids count, so that copies of a text under other ids do not, and soft
 * HPS is HPS. The value is the size of a maximum one-to-one matching over the hops with evidence; it never rises with
 * tau. No steps: 0. No hop with evidence: null. Source: MC-Search, Appendix J.
 */
export function softHitsPerStep(
	gold: readonly (readonly string[])[],
	steps: readonly (readonly string[])[],
	options: { similarity: readonly (readonly number[])[]; tau: number },
): { value: number | null; hits: number; gold: number } {
	const { similarity, tau } = options;
	const identical = edgesOf(gold, steps);
	const edges = gold.map((evidence, hop) => {
		if (evidence.length === 0) return [];
		const shared = new Set(identical[hop]);
		return [...steps.keys()].filter((step) => shared.has(step) || (tau < 1 && (similarity[hop]?.[step] ?? -1) >= tau));
	});
	const retrieving = gold.filter((evidence) => evidence.length > 0).length;
	const hits = maximumMatching(edges).filter((step) => step >= 0).length;
	return { value: retrieving === 0 ? null : hits / retrieving, hits, gold: retrieving };
}

const idLists = z.array(ids).max(1000);
// a cosine in floating point can pass 1 by a rounding error
const rounding = 1e-6;

export const softHpsMetric = defineMetric({
	name: "soft-hps",
	group: "chains",
	describe: "Hit per step where evidence at least as similar as tau counts as the gold one.",
	formula:
		"|maximum matching of gold and steps, an edge where similarity >= tau or an id is shared| / |gold with evidence|",
	range: "0 to 1, never rising with tau",
	edges:
		"similarity has a row for each gold hop, a column for each step. Shared ids count at any tau; at tau 1 nothing else does. No steps: 0. No gold hop with evidence: unscored.",
	source: "MC-Search, Appendix J",
	example: {
		gold: [["a"], ["b"]],
		steps: [["a"], ["c"]],
		similarity: [
			[1, 0.2],
			[0.3, 0.91],
		],
		tau: 0.9,
	},
	input: z
		.strictObject({
			gold: idLists,
			steps: idLists,
			similarity: similarityTable(-1 - rounding, 1 + rounding),
			tau: z.number().min(0).max(1),
		})
		.refine(
			({ gold, steps, similarity }) =>
				similarity.length === gold.length && (gold.length === 0 || similarity[0]?.length === steps.length),
			{ message: "there must be a row for each gold hop and a column for each step", path: ["similarity"] },
		),
	compute: ({ gold, steps, similarity, tau }): MetricResult => {
		const { value, ...beside } = softHitsPerStep(gold, steps, { similarity, tau });
		return value === null
			? { value, reason: "no gold hop needs retrieval", ...beside, tau }
			: { value, ...beside, tau };
	},
});
