import { z } from "zod";
import { scored } from "#domain";
import { defineMetric, ids, idsByHop } from "../metric.ts";
import { defineScorer } from "../record-metric.ts";

/**
 * hit@k of a task, 0 or 1: 1 if for every hop the first k of `ranked` hold one of the hop's acceptable evidence ids.
 *
 * Hops without acceptable evidence (they only compute) are left out; null when none remains. A list shorter than k is
 * taken as it is. Source: Double-Bench section 2.1 (one hop: any evidence page; several: every hop).
 */
export function hitAt(hops: readonly (readonly string[])[], ranked: readonly string[], k: number): 0 | 1 | null {
	const retrieving = hops.filter((evidence) => evidence.length > 0);
	if (retrieving.length === 0) return null;
	const shown = new Set(ranked.slice(0, k));
	return retrieving.every((evidence) => evidence.some((id) => shown.has(id))) ? 1 : 0;
}

export const hitMetric = defineMetric({
	name: "hit",
	group: "retrieval",
	describe: "hit@k: whether the first k results hold acceptable evidence of every hop.",
	formula: "1 if for every hop the first k of ranked hold one of its ids, else 0",
	range: "0 or 1",
	edges: "Hops without ids do not count; none left: unscored. A list shorter than k is taken as it is.",
	source: "Double-Bench, section 2.1",
	example: { hops: [["p1", "p7"], ["p4"]], ranked: ["p4", "p9", "p7"], k: 3 },
	input: z.strictObject({ hops: idsByHop, ranked: ids, k: z.int().positive() }),
	compute: ({ hops, ranked, k }) => {
		const value = hitAt(hops, ranked, k);
		return value === null ? { value, reason: "no hop needs retrieval" } : { value };
	},
	record: {
		heading: "Hit",
		meaning: "Share of tasks for which the results of all steps together hold evidence for every hop.",
		needs: ["chain", "steps", "matching"],
		direction: "higher",
		unit: "percent",
		aggregation: "share",
		tables: ["page"],
		example: 1,
		score: (record) => scored(Number.isFinite(record.worstPlace()) ? 1 : 0),
	},
});

/** Double-Bench's cuts. With one search hit@k is of its ranked list; with several, each step's list is cut to k. */
export const hitAtScorers = [1, 3, 5].map((k) =>
	defineScorer({
		name: `hit@${k}`,
		group: "retrieval",
		heading: `hit@${k}`,
		meaning: `Share of tasks for which the first ${k} results of the steps together hold evidence for every hop.`,
		formula: `1 if for every hop the first ${k} results of some step hold one of its ids, else 0`,
		edges: "Rankings that a pipeline puts into one count as that one. No hop with evidence: unscored.",
		source: "Double-Bench, section 2.1",
		needs: ["chain", "steps", "matching"],
		direction: "higher",
		unit: "percent",
		aggregation: "share",
		tables: [],
		example: k < 2 ? 0 : 1,
		score: (record) => scored(record.worstPlace() < k ? 1 : 0),
	}),
);
