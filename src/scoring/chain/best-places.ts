import { hopsByEvidence } from "./hits-per-step.ts";

/**
 * For each hop the best place, from 0, at which any of the lists shows acceptable evidence of it; infinite where none does.
 * Where every list is cut to k, a hop is hit if its place is below k: one walk answers for every k.
 */
export function bestPlaces(gold: readonly (readonly string[])[], lists: readonly (readonly string[])[]): number[] {
	const hopsOf = hopsByEvidence(gold);
	const places = gold.map(() => Number.POSITIVE_INFINITY);
	for (const list of lists) {
		for (const [place, id] of list.entries())
			for (const hop of hopsOf.get(id) ?? []) places[hop] = Math.min(place, places[hop] ?? place);
	}
	return places;
}
