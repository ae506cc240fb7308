import { z } from "zod";
import { defineMetric, idsByHop } from "../metric.ts";
import { defineScorer, scoredOr } from "../record-metric.ts";
import { noRetrieval } from "../scorer.ts";
import { maximumMatching } from "./matching.ts";

export const hpsModes = ["matching", "coverage"] as const;
export type HpsMode = (typeof hpsModes)[number];

/** `value` is null when no gold hop needs retrieval. `matched` pairs gold hops with steps (mode `matching` only). */
export interface HitsPerStep {
	value: number | null;
	reason?: string;
	hits: number;
	gold: number;
	/** For each gold hop, as given, the step it was matched with or first covered by; null if none. */
	steps: (number | null)[];
}

/**
 * HPS, in [0, 1]: how much of the gold chain was retrieved, one step for each hop.
 *
 * `gold[t]` holds the acceptable evidence ids of hop t, `steps[i]` all ids that predicted retrieval step i brought back.
 * Mode `matching` (default): size of a maximum one-to-one matching of hops and steps, an edge where a step brought
 * acceptable evidence of a hop, over T. Mode `coverage`: hops whose evidence any step brought back, over T.
 * T counts the hops with acceptable evidence; hops without (they only compute) are left out. No steps: 0. T = 0: null.
 * Worked: gold {a}, {b}, {b}, {c}, steps {b}, {x}, {a}: 2/4 by matching, 3/4 by coverage.
 * Source: MC-Search eq. 4; matching follows its step alignment, so that one step cannot count for two hops.
 */
export function hitsPerStep(
	gold: readonly (readonly string[])[],
	steps: readonly (readonly string[])[],
	options: { mode?: HpsMode | undefined } = {},
): HitsPerStep {
	const { mode = "matching" } = options;
	const edges = edgesOf(gold, steps);
	const retrieving = gold.filter((evidence) => evidence.length > 0).length;
	const taken = mode === "matching" ? maximumMatching(edges) : edges.map((reached) => reached[0] ?? -1);
	const hits = taken.filter((step) => step >= 0).length;
	const shared = { hits, gold: retrieving, steps: taken.map((step) => (step < 0 ? null : step)) };
	if (retrieving === 0) return { value: null, reason: "no gold hop needs retrieval", ...shared };
	return { value: hits / retrieving, ...shared };
}

/** For each gold hop the steps, ascending, that brought acceptable evidence of it. */
export function edgesOf(gold: readonly (readonly string[])[], steps: readonly (readonly string[])[]): number[][] {
	const hopsOf = hopsByEvidence(gold);
	const edges = gold.map((): number[] => []);
	for (const [step, ids] of steps.entries()) {
		for (const id of ids) {
			for (const hop of hopsOf.get(id) ?? []) {
				const reached = edges[hop];
				if (reached && reached.at(-1) !== step) reached.push(step);
			}
		}
	}
	return edges;
}

/** The hops that each evidence id is acceptable for, by their places. */
export function hopsByEvidence(gold: readonly (readonly string[])[]): Map<string, number[]> {
	const hopsOf = new Map<string, number[]>();
	for (const [hop, evidence] of gold.entries()) {
		for (const id of evidence) {
			const hops = hopsOf.get(id);
			if (!hops) hopsOf.set(id, [hop]);
			else if (hops.at(-1) !== hop) hops.push(hop);
		}
	}
	return hopsOf;
}

export const hpsMetric = defineMetric({
	name: "hps",
	group: "chains",
	describe: "Hit per step: gold hops matched one to one with retrieval steps that brought back their evidence.",
	formula: "|maximum matching of gold and steps, an edge where they share an id| / |gold hops with evidence|",
	range: "0 to 1",
	edges:
		"No steps: 0. No gold hop with evidence: unscored. Mode coverage counts hops whose evidence any step brought back.",
	source: "MC-Search, equation 4",
	example: { gold: [["a"], ["b"], ["b"], ["c"]], steps: [["b"], ["x"], ["a"]] },
	input: z.strictObject({ gold: idsByHop, steps: idsByHop, mode: z.enum(hpsModes).optional() }),
	compute: ({ gold, steps, mode }) => {
		const { value, reason = "undefined", hits, gold: counted } = hitsPerStep(gold, steps, { mode });
		const beside = { mode: mode ?? "matching", hits, gold: counted };
		return value === null ? { value, reason, ...beside } : { value, ...beside };
	},
	record: {
		heading: "HPS",
		meaning:
			"Hits per step: share of the gold hops whose evidence a retrieval step brought back, each step counting for one hop at most.",
		needs: ["chain", "steps", "matching"],
		direction: "higher",
		unit: "percent",
		aggregation: "share",
		tables: ["terminal", "page", "compare"],
		example: 1,
		score(record) {
			const { value, hits, gold, steps } = hitsPerStep(record.gold(), record.found());
			return scoredOr(value, noRetrieval, { hits, gold, steps });
		},
	},
});

export const hpsCoverageScorer = defineScorer({
	name: "hps-coverage",
	group: "chains",
	heading: "HPS (coverage)",
	meaning: "Share of the gold hops whose evidence any retrieval step brought back, however many hops a step served.",
	formula: "|gold hops whose evidence any step brought back| / |gold hops with evidence|",
	edges: "No steps: 0. No gold hop with evidence, or only the web was searched: unscored.",
	source: "MC-Search, equation 4, without its alignment",
	needs: ["chain", "steps", "matching"],
	direction: "higher",
	unit: "percent",
	aggregation: "share",
	tables: [],
	example: 1,
	score(record) {
		const { value, hits, gold } = hitsPerStep(record.gold(), record.found(), { mode: "coverage" });
		return scoredOr(value, noRetrieval, { hits, gold });
	},
});
