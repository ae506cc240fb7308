import { type Evidence, type Hop, isSearch, type Step, searchTools, type Task, type Trajectory } from "#domain";
import { type Aimed, aimsAt, leastSimilarity, lookingOf, type SearchModality, storedAs } from "#scoring";
import { alignSteps, documentInId } from "./alignment.ts";
import type { FindEvidence } from "./came-back.ts";
import { foldedWords, holdsWords, wordCount } from "./folded-words.ts";
import { type GivenValue, givenValues } from "./given-values.ts";
import { type GoldReading, goldReading } from "./gold-reading.ts";
import type { Seeking } from "./seeking.ts";
import { givenValue } from "./value.ts";

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
	const gold = goldReading(task);
	const { hops, retrieving, aim, isRightFor } = gold;
	const steps = trajectory.steps.slice(0, mostSteps);
	const seekings = steps.flatMap((step, place): Seeking[] => {
		const modality = modalityOf(step);
		if (modality === undefined && (step.call || step.results.length === 0)) return [];
		return [{ place, step, modality, aimed: aim.at(lookingOf(step)) }];
	});
	shareAims(seekings);
	followValues(seekings, gold);
	const brought = broughtBy(retrieving, seekings);
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
		searches: seekings.filter(({ modality }) => modality !== undefined),
		tied,
		hops: hops.map((hop): HopReading => {
			const match = alignedWith.get(hop);
			const fits = ({ aimed, step }: Seeking) => aimed.length === 0 || isRightFor(hop, step.subAnswer);
			const own = seekings.filter((seeking) => aimsAt(seeking.aimed, hop) || (seeking === match && fits(seeking)));
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

/** Lets steps whose words aim at nothing aim where others of the same sub-question do: one search of several for it. */
function shareAims(seekings: Seeking[]): void {
	const aims = new Map<string, readonly Aimed[]>();
	const keyOf = ({ step }: Seeking) => foldedWords(step.subQuestion ?? "");
	for (const seeking of seekings)
		if (seeking.aimed.length > 0 && !aims.has(keyOf(seeking))) aims.set(keyOf(seeking), seeking.aimed);
	aims.delete(foldedWords(""));
	for (const [index, seeking] of seekings.entries())
		if (seeking.aimed.length === 0) seekings[index] = { ...seeking, aimed: aims.get(keyOf(seeking)) ?? [] };
}

/**
 * Lets steps aim at the hop that needs the value they carry on, right or wrong: where their words aim at nothing, the one
 * of these hops whose sub-question is most like them; where they aim at a hop that has nothing to do with the value, the
 * one that they are like enough too ("the area of Chad" is asked for the hop before which Chad was found). Values that
 * stand in the question are carried by anything and tell nothing.
 */
function followValues(seekings: Seeking[], { hops, retrieving, aim, asked, formsOf }: GoldReading): void {
	const carried = new Map(hops.map((hop) => [hop.id, new Set(formsOf(hop))]));
	const dependents = retrieving.flatMap((hop) => {
		const bridges = hop.needs.filter(({ role }) => role === "bridge");
		return bridges.length > 0 ? [{ hop: hop.id, bridges }] : [];
	});
	for (const [index, seeking] of seekings.entries()) {
		const { words, image } = lookingOf(seeking.step);
		if (image === undefined && dependents.length > 0) {
			const folded = words.map(foldedWords);
			const holds = (hop: string) =>
				[...(carried.get(hop) ?? [])].some((form) => folded.some((text) => holdsWords(text, form)));
			const least = seeking.aimed.length === 0 ? 0 : leastSimilarity;
			const next = dependents
				.filter(({ bridges }) => bridges.some((need) => holds(need.hop)))
				.map(({ hop }) => ({ hop, similarity: Math.max(0, ...words.map((text) => aim.similarity(text, hop))) }))
				.filter(({ similarity }) => similarity >= least)
				.sort((a, b) => b.similarity - a.similarity);
			const settled = seeking.aimed.some(({ hop }) => holds(hop) || next.some((one) => one.hop === hop));
			if (next.length > 0 && !settled) seekings[index] = { ...seeking, aimed: next.slice(0, 1) };
		}
		const value = foldedWords(givenValue(seeking.step.subAnswer) ?? "");
		if (value.trim().length < leastCarried || wordCount(value) > mostCarried || holdsWords(asked, value)) continue;
		for (const { hop } of seekings[index]?.aimed ?? []) carried.get(hop)?.add(value);
	}
}

/** Letters and words of a value that can be told when it is carried on. */
const leastCarried = 3;
const mostCarried = 6;

function modalityOf({ call }: Step): SearchModality | undefined {
	return call?.valid && isSearch(call.tool) ? searchTools[call.tool] : undefined;
}

function broughtBy(hops: readonly Hop[], seekings: readonly Seeking[]): Map<Hop, Seeking[]> {
	const hopsOf = new Map<string, Hop[]>();
	for (const hop of hops)
		for (const id of new Set(hop.evidence)) {
			const sharing = hopsOf.get(id);
			if (sharing) sharing.push(hop);
			else hopsOf.set(id, [hop]);
		}
	const brought = new Map<Hop, Seeking[]>(hops.map((hop) => [hop, []]));
	for (const seeking of seekings)
		for (const { id } of seeking.step.results)
			for (const hop of hopsOf.get(id) ?? []) {
				const some = brought.get(hop);
				if (some && some.at(-1) !== seeking) some.push(seeking);
			}
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
