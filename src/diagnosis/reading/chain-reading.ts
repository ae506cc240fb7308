import {
	type Evidence,
	grouped,
	type Hop,
	isSearch,
	type Step,
	searchTools,
	type Task,
	type Trajectory,
} from "#domain";
import { type SearchModality, storedAs } from "#scoring";
import { alignSteps, documentInId } from "./alignment.ts";
import type { FindEvidence } from "./came-back.ts";
import { type GivenValue, givenValues } from "./given-values.ts";
import { type GoldReading, goldReading } from "./gold-reading.ts";
import { aimSteps, isMadeFor, type Seeking, seekingOf } from "./seeking.ts";

/** Trajectories beyond this are not read whole. */
export const mostSteps = 1000;

/** A gold hop with all that a trajectory's steps have to do with it. */
export interface HopReading {
	hop: Hop;
	retrieves: boolean;
	/** Steps made for it: they aim at it, or are aligned with it and aim at nothing or give its right answer. */
	own: Seeking[];
	/** The own step that it is aligned with. */
	aligned: Seeking | undefined;
	/** Steps that brought back acceptable evidence of it, its own or not. */
	brought: Seeking[];
	/** Acceptable evidence that came back. */
	evidence: string[];
	/** Modalities in which its evidence can be searched. */
	modalities: ReadonlySet<SearchModality>;
	/** Values given for it by its steps, in order. */
	given: GivenValue[];
}

export interface ChainReading {
	/** In the order of dependency. */
	hops: HopReading[];
	gold: GoldReading;
	/** All steps that looked something up or were handed evidence. */
	seekings: Seeking[];
	searches: Seeking[];
	/** Searches that brought acceptable evidence, aim at a hop, or are aligned with one by its document. */
	tied: ReadonlySet<Seeking>;
}

/** What the steps of a trajectory have to do with the hops of its task's chain. */
export async function readChain(
	task: Task,
	trajectory: Trajectory,
	{ evidence: find }: { evidence?: FindEvidence | undefined } = {},
): Promise<ChainReading> {
	const gold = await goldReading(task, find);
	const { hops, retrieving, isRightFor } = gold;
	const steps = trajectory.steps.slice(0, mostSteps);
	const sought = steps.flatMap((step, place): Seeking[] => {
		const modality = modalityOf(step);
		if (modality === undefined && step.results.length === 0) return [];
		return [seekingOf(step, place, modality)];
	});
	const hopsBrought = bringing(retrieving);
	const seekings = aimSteps(sought, gold, ({ step }, hop) => hopsBrought(step).has(hop));
	const brought = broughtBy(retrieving, { seekings, hopsBrought });
	const looked = await lookUp(retrieving, { seekings, brought, find });
	const aligned = alignSteps(
		retrieving.map((hop) =>
			seekings.map((seeking) => {
				const aimed = seeking.aimed.find((one) => one.hop === hop.id);
				const evidence = brought.get(hop)?.includes(seeking) ?? false;
				return {
					evidence,
					document: !evidence && looked.sharesDocument(hop, seeking),
					aimed,
					right: (evidence || aimed !== undefined) && isRightFor(hop, seeking.step.subAnswer),
				};
			}),
		),
	);
	const tied = new Set<Seeking>(seekings.filter(({ aimed }) => aimed.length > 0));
	for (const some of brought.values()) for (const one of some) tied.add(one);
	const alignedWith = new Map(retrieving.map((hop, row) => [hop, seekings[aligned[row] ?? -1]]));
	return {
		...{ gold, seekings },
		searches: seekings.filter(({ modality }) => modality !== undefined),
		tied,
		hops: hops.map((hop): HopReading => {
			const match = alignedWith.get(hop);
			const fits = ({ aimed, step }: Seeking) => aimed.length === 0 || isRightFor(hop, step.subAnswer);
			const own = seekings.filter((seeking) => isMadeFor(seeking, hop) || (seeking === match && fits(seeking)));
			const came = brought.get(hop) ?? [];
			return {
				hop,
				retrieves: hop.evidence.length > 0,
				own,
				aligned: match && own.includes(match) ? match : undefined,
				brought: came,
				evidence: came.length === 0 ? [] : acceptableOf(hop, came),
				modalities: looked.modalities(hop),
				given: givenValues(hop, { steps, own, seekings, alignedWith, gold }),
			};
		}),
	};
}

function modalityOf({ call }: Step): SearchModality | undefined {
	return call?.valid && isSearch(call.tool) ? searchTools[call.tool] : undefined;
}

/** Which hops' acceptable evidence a step brought back. */
function bringing(hops: readonly Hop[]): (step: Step) => ReadonlySet<Hop> {
	const held = hops.flatMap((hop) => [...new Set(hop.evidence)].map((id) => ({ id, hop })));
	const hopsOf = grouped(held, ({ id }) => id);
	const known = new Map<Step, ReadonlySet<Hop>>();
	return (step) => {
		const found =
			known.get(step) ?? new Set(step.results.flatMap(({ id }) => (hopsOf.get(id) ?? []).map(({ hop }) => hop)));
		known.set(step, found);
		return found;
	};
}

function broughtBy(
	hops: readonly Hop[],
	{ seekings, hopsBrought }: { seekings: readonly Seeking[]; hopsBrought: ReturnType<typeof bringing> },
): Map<Hop, Seeking[]> {
	const brought = new Map<Hop, Seeking[]>(hops.map((hop) => [hop, []]));
	for (const seeking of seekings) for (const hop of hopsBrought(seeking.step)) brought.get(hop)?.push(seeking);
	return brought;
}

function acceptableOf(hop: Hop, came: readonly Seeking[]): string[] {
	const acceptable = new Set(hop.evidence);
	return [...new Set(came.flatMap(({ step }) => step.results.map(({ id }) => id)))].filter((id) => acceptable.has(id));
}

interface SeenBeside {
	seekings: readonly Seeking[];
	brought: ReadonlyMap<Hop, readonly Seeking[]>;
	find: FindEvidence | undefined;
}

/** Documents and kinds of evidence, looked up only where some hop's evidence did not come back. */
async function lookUp(hops: readonly Hop[], { seekings, brought, find }: SeenBeside) {
	const missed = hops.filter((hop) => (brought.get(hop) ?? []).length === 0);
	const known = new Map<string, Evidence>();
	if (find && missed.length > 0 && seekings.length > 0) {
		const shown = seekings.flatMap(({ step }) => step.results.map(({ id }) => id));
		const ids = [...new Set([...missed.flatMap((hop) => hop.evidence), ...shown])];
		await Promise.all(
			ids.map(async (id) => {
				const evidence = await find(id);
				if (evidence) known.set(id, evidence);
			}),
		);
	}
	const documentOf = (id: string) => known.get(id)?.document ?? documentInId(id);
	const documents = new Map(missed.map((hop) => [hop, new Set(hop.evidence.map(documentOf))]));
	const shown = new Map(
		missed.length === 0
			? []
			: seekings.map((seeking) => [seeking, new Set(seeking.step.results.map(({ id }) => documentOf(id)))]),
	);
	return {
		sharesDocument(hop: Hop, seeking: Seeking): boolean {
			const wanted = documents.get(hop);
			return wanted !== undefined && [...(shown.get(seeking) ?? [])].some((document) => wanted.has(document));
		},
		modalities(hop: Hop): ReadonlySet<SearchModality> {
			const found = new Set([storedAs(hop.modality)]);
			if (known.size > 0)
				for (const id of hop.evidence) {
					const kind = known.get(id)?.kind;
					if (kind !== undefined) found.add(kind === "passage" ? "text" : kind);
				}
			return found;
		},
	};
}
