import {
	type Chain,
	isSearch,
	type Modality,
	retrievalHops,
	retrievalSteps,
	searchTools,
	type Trajectory,
} from "#domain";

/** What a step can search and a hop can live in. Tables and triples are stored and searched as text. */
export const searchModalities = ["text", "image", "page"] as const;
export type SearchModality = (typeof searchModalities)[number];

/** For one modality: gold hops in it, steps that searched it, and how many of the hops such steps could have served. */
export interface Covered {
	gold: number;
	steps: number;
	covered: number;
}

/**
 * Modality coverage of one task: for each modality m, covered = min(steps that searched m, gold hops of m).
 *
 * It asks whether the agent searched the right kinds of source often enough, not whether it found anything. Over tasks
 * the covered and the gold counts are summed before dividing. Hops that only compute do not count; modalities that
 * neither the chain nor the steps touch are left out. Source: MC-Search Table 4.
 */
export function modalityCoverage(chain: Chain, trajectory: Trajectory): Partial<Record<SearchModality, Covered>> {
	const gold = retrievalHops(chain).map((hop) => storedAs(hop.modality));
	const steps = retrievalSteps(trajectory).flatMap((step) =>
		step.call && isSearch(step.call.tool) ? [searchTools[step.call.tool]] : [],
	);
	const counts: Partial<Record<SearchModality, Covered>> = {};
	for (const modality of searchModalities) {
		const wanted = gold.filter((found) => found === modality).length;
		const made = steps.filter((found) => found === modality).length;
		if (wanted + made > 0) counts[modality] = { gold: wanted, steps: made, covered: Math.min(wanted, made) };
	}
	return counts;
}

/** The searchable form that evidence of a hop's modality is stored in. */
export function storedAs(modality: Modality): SearchModality {
	return modality === "image" || modality === "page" ? modality : "text";
}
