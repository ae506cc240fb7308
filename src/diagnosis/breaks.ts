/** Where chains are first seen to break. */
import { countName, type Diagnosis, type HopVerdict, type Task } from "#domain";
import { hiddenAt, possibleCauses } from "./causes.ts";
import { type BoundedShare, boundedShareIn, eachItsKind, type KindCounts, type Sight } from "./shares.ts";

/** Where the chain of one record is first seen to break. */
export interface Break {
	task: Task;
	/** From 1, in the order of dependency; 0: no hop is seen to be broken. */
	place: number;
	/** Places of hops with evidence that may have broken first though nothing shows it. */
	open: ReadonlySet<number>;
	/** Of the hop that broke. */
	verdict: HopVerdict | null;
}

/** Of a record with a judged hop. */
export function breakIn({ task, diagnosis }: { task: Task; diagnosis: Diagnosis }): Break {
	const places = new Map(diagnosis.hops.map(({ hop }, at) => [hop, at + 1]));
	const place = places.get(diagnosis.firstBroken ?? "") ?? 0;
	const hop = diagnosis.hops[place - 1];
	const { hidden } = possibleCauses(diagnosis, task);
	const open = new Set(hidden.size > 0 ? openPlaces(diagnosis, task, places) : []);
	return { task, place, open, verdict: hop?.is === "judged" ? hop.verdict : null };
}

interface Breaks {
	firstBroken: { place: number; share: BoundedShare; verdicts: Partial<Record<HopVerdict, number>> }[];
	unbroken: BoundedShare;
}

/**
 * Shares of the records whose chain is first seen to break at each place, up to the longest chain's; the rest has no hop
 * that is seen to be broken. A hop that was not observed may be the one that broke first ("or before").
 */
export const breaksOf = (broken: readonly Break[], longest: number): Breaks =>
	breaksIn(eachItsKind(broken), broken, longest);

/** The same of records that are counted by kind, null where a kind has no judged hop. */
export function breaksIn(counts: KindCounts, broken: readonly (Break | null)[], longest: number): Breaks {
	const sightAt = (place: number, { place: at, open }: Break): Sight =>
		at === place ? (open.size > 0 ? "named" : "shown") : open.has(place) ? "hidden" : "absent";
	const shareAt = (place: number) =>
		boundedShareIn(
			counts,
			broken.map((one) => (one ? [sightAt(place, one)] : [])),
		);
	const verdictsAt = (place: number) => {
		const verdicts: Partial<Record<HopVerdict, number>> = {};
		for (const [kind, one] of broken.entries())
			if (one?.place === place && one.verdict !== null) countName(verdicts, one.verdict, counts.totals[kind]);
		return verdicts;
	};
	return {
		firstBroken: Array.from({ length: longest }, (_, at) => at + 1).map((place) => ({
			place,
			share: shareAt(place),
			verdicts: verdictsAt(place),
		})),
		unbroken: shareAt(0),
	};
}

function openPlaces(diagnosis: Diagnosis, task: Task, places: ReadonlyMap<string, number>): number[] {
	const open = new Set(diagnosis.unobserved);
	return diagnosis.hops
		.filter((hop) => open.has(hop.hop) && hiddenAt(hop, task).length > 0)
		.flatMap(({ hop }) => places.get(hop) ?? []);
}
