import { z } from "zod";
import { defineMetric, ids } from "../metric.ts";

const sizes = ["hops", "nodes"] as const;

/**
 * Diversity of a chain, in [0, 1]: D(c) = 0.6 min(1, distinct entities / |c|) + 0.4 min(1, distinct relations / |c|).
 *
 * The paper leaves |c| open: `hops` (default) is the number of hops, `nodes` one more, the entities on a path of that
 * many hops. |c| = 0: null. Entities and relations are compared as they are written; ids are best.
 * Worked: 4 entities, 2 relations, 3 hops: 0.6 + 0.4 * 2/3 = 0.8667; by nodes 0.6 + 0.4 * 2/4 = 0.8.
 * Source: VistaHop, equation 2.
 */
export function chainDiversity(
	chain: { entities: readonly string[]; relations: readonly string[]; hops: number },
	options: { by?: (typeof sizes)[number] | undefined } = {},
): number | null {
	const size = options.by === "nodes" ? chain.hops + 1 : chain.hops;
	if (size === 0) return null;
	const share = (names: readonly string[]) => Math.min(1, new Set(names).size / size);
	return 0.6 * share(chain.entities) + 0.4 * share(chain.relations);
}

export const chainDiversityMetric = defineMetric({
	name: "chain-diversity",
	group: "construction",
	describe: "How varied the entities and relation types of an evidence chain are.",
	formula: "0.6 min(1, distinct entities / |c|) + 0.4 min(1, distinct relations / |c|), |c| = hops",
	range: "0 to 1",
	edges: "by nodes: |c| = hops + 1. |c| = 0: unscored.",
	source: "VistaHop, equation 2",
	example: { entities: ["Q1", "Q2", "Q3", "Q4"], relations: ["part-whole", "temporal", "temporal"], hops: 3 },
	input: z.strictObject({
		entities: ids,
		relations: ids,
		hops: z.int().min(0).max(100_000),
		by: z.enum(sizes).optional(),
	}),
	compute: ({ by = "hops", ...chain }) => {
		const value = chainDiversity(chain, { by });
		return value === null ? { value, reason: "hops: the chain has none", by } : { value, by };
	},
});
