import type { Step } from "#domain";
import { type Aimed, lookingOf, type SearchModality } from "#scoring";
import { foldedWords, holdsWords } from "./folded-words.ts";
import type { GoldReading } from "./gold-reading.ts";
import { splitWords, stemsOf } from "./query-words.ts";
import { givenValue } from "./value.ts";

/** A step that looked something up, or was handed evidence without a call. */
export interface Seeking {
	/** Its place among the trajectory's steps. */
	place: number;
	step: Step;
	/** What it searched; undefined where it was handed its results. */
	modality: SearchModality | undefined;
	/** Query and sub-question, folded; each by itself. */
	said: readonly string[];
	/** Their stems. */
	stems: readonly (readonly string[])[];
	/** The question image that it searched with, by its index. */
	image: number | undefined;
	/** The tool failed: the call was sound and ended in an error. */
	failed: boolean;
	/** The hops that it was made for, most alike first. */
	aimed: readonly Aimed[];
}

export const isMadeFor = ({ aimed }: Seeking, { id }: { id: string }): boolean => aimed.some(({ hop }) => hop === id);

export const saysValue = ({ said }: Pick<Seeking, "said">, value: string): boolean =>
	said.some((text) => holdsWords(text, value));

/** Longer queries are cut. */
const longest = 2000;

/** What a step looks for, before anything is known of what it aims at. */
export function seekingOf(step: Step, place: number, modality: SearchModality | undefined): Seeking {
	const { words, image } = lookingOf(step);
	const said = words.map((text) => foldedWords(text.slice(0, longest)));
	const failed = step.error !== undefined && step.call?.valid === true && step.results.length === 0;
	return {
		place,
		step,
		modality,
		said,
		stems: said.map(stemsOf),
		image,
		failed,
		aimed: [],
	};
}

/**
 * Fixed by the measured prototype: a query is like a hop by the share of what the hop asks that stands in it, more so where
 * it carries a value that the hop needs, and a little more where the hop's evidence came back. Below `least` it aims at
 * nothing; a second hop that it asks as much as the first, nearly whole, shares it.
 */
const bonus = { carried: 0.35, brought: 0.15 };
export const least = 0.5;
const attempt = 0.3;
export const whole = 0.75;
const breath = 0.4;

interface Candidate {
	hop: GoldReading["hops"][number];
	likeness: number;
	carried: boolean;
	score: number;
}

/** Finds the hops that each step was made for, in the order of the steps. */
export function aimSteps(
	seekings: readonly Seeking[],
	gold: GoldReading,
	isBrought: (seeking: Seeking, hop: GoldReading["hops"][number]) => boolean,
): Seeking[] {
	const { retrieving, byId, asked } = gold;
	/** Values that steps gave for a hop, right or wrong, where they can be told when they are carried on. */
	const given = new Map<string, Set<string>>();
	/** By hop the last step made for it, and whether one asked with a value that it needs. */
	const last = new Map<string, { place: number; carried: boolean }>();
	const aims = new Map<string, readonly Aimed[]>();
	let before: Seeking | undefined;
	return seekings.map((seeking) => {
		const { said, stems, image, place, step } = seeking;
		const shown = image === undefined ? undefined : gold.identified.get(image);
		const subQuestion = foldedWords(step.subQuestion ?? "");
		let aimed: readonly Aimed[];
		if (shown !== undefined) aimed = [{ hop: shown, similarity: 1 }];
		else {
			const candidates = retrieving.map((hop): Candidate => {
				const likeness = Math.max(0, ...stems.map((some) => gold.likeness(some, hop)));
				const isAnchored = said.some((text) => gold.anchorsOf(hop).some((name) => text.includes(` ${name} `)));
				const carried =
					isAnchored ||
					hop.needs.some((need) => {
						const needed = byId.get(need.hop);
						if (!needed) return false;
						const values = [...(given.get(need.hop) ?? [])];
						return said.some(
							(text) => gold.carries(text, needed) !== undefined || values.some((value) => holdsWords(text, value)),
						);
					});
				const brought = isBrought(seeking, hop);
				const score = likeness + (carried ? bonus.carried : 0) + (brought ? bonus.brought : 0);
				return { hop, likeness, carried, score };
			});
			const apart = (one: Candidate, other: Candidate) =>
				Math.max(0, ...stems.map((some) => gold.likeness(some, one.hop, { besides: other.hop })));
			aimed = chosenOf(candidates, { last, byId, apart });
			if (!aimed.some(({ similarity }) => similarity >= least)) aimed = asThought(step, aimed, gold) ?? aimed;
			// several searches for one sub-question are made for the same hop, whatever their words
			if (aimed.length === 0 && subQuestion.trim() !== "") aimed = aims.get(subQuestion) ?? [];
			if (aimed.length === 0) aimed = asBefore(said, before, gold);
			for (const { hop } of aimed) {
				const carried = candidates.find((one) => one.hop.id === hop)?.carried ?? false;
				last.set(hop, { place, carried: carried || (last.get(hop)?.carried ?? false) });
			}
		}
		before = { ...seeking, aimed };
		if (aimed.length > 0 && subQuestion.trim() !== "" && !aims.has(subQuestion)) aims.set(subQuestion, aimed);
		const value = foldedWords(givenValue(step.subAnswer) ?? "");
		if (isCarriable(value) && !holdsWords(asked, value))
			for (const { hop } of aimed) given.set(hop, (given.get(hop) ?? new Set()).add(value));
		return { ...seeking, aimed };
	});
}

/** So much of a thought's end says what is looked for next. */
const end = 300;

/** The hop that a thought asks for nearly whole, where the query behind it says little; of two alike the query's own. */
function asThought({ thought }: Step, aimed: readonly Aimed[], gold: GoldReading): Aimed[] | undefined {
	if (thought === undefined || thought.trim() === "") return undefined;
	const stems = stemsOf(foldedWords(thought.slice(-end)));
	const all = gold.retrieving.map((hop) => ({ hop: hop.id, similarity: gold.likeness(stems, hop) }));
	const most = Math.max(0, ...all.map(({ similarity }) => similarity));
	if (most < whole) return undefined;
	const best = all.filter(({ similarity }) => similarity === most);
	const own = best.filter(({ hop }) => aimed.some((one) => one.hop === hop));
	return own.length > 0 ? own : best.slice(0, 1);
}

const leastShared = 4;

/** What is asked at once in other words, with a name of the search before it, is another attempt at the same. */
function asBefore(said: readonly string[], before: Seeking | undefined, gold: GoldReading): Aimed[] {
	if (!before || before.image !== undefined || before.aimed.length === 0) return [];
	const words = new Set(before.said.flatMap(splitWords));
	const shared = said
		.flatMap(splitWords)
		.some((word) => word.length >= leastShared && words.has(word) && !gold.isEmpty(word) && !gold.isRelation(word));
	return shared ? before.aimed.map(({ hop }) => ({ hop, similarity: 0 })) : [];
}

/** Whether a step says what it asks for: it is like a hop by its words alone, or searched with an image. */
export const isTelling = ({ aimed, image }: Seeking): boolean =>
	image !== undefined || aimed.some(({ similarity }) => similarity >= least);

/** The hops that a step was made for, of all with their scores. */
function chosenOf(
	candidates: readonly Candidate[],
	{
		last,
		byId,
		apart,
	}: {
		last: ReadonlyMap<string, { place: number; carried: boolean }>;
		byId: GoldReading["byId"];
		/** How much of what only the one asks, of the two, is said. */
		apart(one: Candidate, other: Candidate): number;
	},
): Aimed[] {
	// a hop that was asked with its value before is not meant by words alone, where the value of another stands
	const someCarried = candidates.some(({ carried }) => carried);
	const meant = candidates.filter((one) => one.carried || !someCarried || !last.get(one.hop.id)?.carried);
	const top = Math.max(0, ...meant.map(({ score }) => score));
	const tied = meant.filter(({ score }) => score > 0 && score >= top - 1e-9);
	// of two hops that ask the same, the one not asked yet, whose own need was worked on last
	const asked = ({ hop }: Candidate) => (last.get(hop.id)?.carried ? 1 : 0);
	const needed = ({ hop }: Candidate) =>
		Math.max(-1, ...hop.needs.map(({ hop: id }) => (byId.has(id) ? (last.get(id)?.place ?? -1) : -1)));
	const [best] = tied.sort((a, b) => asked(a) - asked(b) || needed(b) - needed(a));
	if (!best) return [];
	// too short or too far off to say what it asks, but nearer to this hop than to any other: an attempt at it
	if (best.score < least) return best.score >= attempt ? [{ hop: best.hop.id, similarity: best.likeness }] : [];
	const shares = candidates.filter((one) => {
		if (one === best) return false;
		// asked in one breath with the hop that needs it
		if (!best.carried && isNeededBy(one, best))
			return apart(one, best) >= breath || (one.carried && one.score >= least);
		if (one.likeness < whole || one.likeness < best.likeness - 1e-9) return false;
		return (
			one.carried ||
			one.hop.needs.every((need) => !byId.has(need.hop)) ||
			(isNeededBy(best, one) && apart(one, best) >= whole)
		);
	});
	return [best, ...shares].map(({ hop, likeness }) => ({ hop: hop.id, similarity: likeness }));
}

const isNeededBy = (one: Candidate, other: Candidate): boolean =>
	other.hop.needs.some((need) => need.hop === one.hop.id);

/** Letters and words of a value that can be told when it is carried on. */
const leastCarried = 3;
const mostCarried = 6;
const isCarriable = (value: string) => value.trim().length >= leastCarried && splitWords(value).length <= mostCarried;
