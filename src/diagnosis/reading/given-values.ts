import type { Hop, Step } from "#domain";
import { aimsAt } from "#scoring";
import { foldedWords } from "./folded-words.ts";
import type { GoldReading } from "./gold-reading.ts";
import { isMadeFor, type Seeking, saysValue } from "./seeking.ts";
import { givenValue } from "./value.ts";

/** A value that a step gave for a hop. */
export interface GivenValue {
	place: number;
	text: string;
	right: boolean;
}

interface Given {
	steps: readonly Step[];
	own: readonly Seeking[];
	seekings: readonly Seeking[];
	alignedWith: ReadonlyMap<Hop, Seeking | undefined>;
	gold: GoldReading;
}

/**
 * The values given for a hop, in order. A step that takes two hops at once answers the later one, which is no wrong answer
 * to the first, unless the later one is then asked with it in the first one's place; a yes or a 1 is no sign of it.
 */
export function givenValues(hop: Hop, { steps, own, seekings, alignedWith, gold }: Given): GivenValue[] {
	const { hops, ancestors, formsOf, isRightFor } = gold;
	return valuesOf(hop, { steps, own, gold }).flatMap((one) => {
		const right = isRightFor(hop, one.text);
		const of = (other: Hop) => ancestors.get(other.id)?.has(hop.id) || alignedWith.get(other)?.place === one.place;
		const anothers = hops.some(
			(other) =>
				other !== hop &&
				formsOf(other).length > 0 &&
				of(other) &&
				isRightFor(other, one.text) &&
				!asksWith(one, { hop, other, seekings }),
		);
		return !right && anothers ? [] : [{ ...one, right }];
	});
}

/** Whether a hop that needs another is asked later with a value in the place of the other's answer. */
function asksWith(
	{ place, text }: { place: number; text: string },
	{ hop, other, seekings }: { hop: Hop; other: Hop; seekings: readonly Seeking[] },
): boolean {
	if (!other.needs.some((need) => need.hop === hop.id && need.role === "bridge")) return false;
	const value = foldedWords(text);
	const asking = seekings.filter((seeking) => seeking.place > place && isMadeFor(seeking, other));
	return asking.some(
		(seeking) =>
			saysValue(seeking, value) && !hop.answer.accepted.some((form) => saysValue(seeking, foldedWords(form))),
	);
}

/**
 * What a hop's steps say its answer is. A value also stands on a step without a call: it belongs to the hop at which
 * that step's sub-question aims, or without one to the hops of the step before.
 */
function valuesOf(
	hop: Hop,
	{ steps, own, gold }: Pick<Given, "steps" | "own" | "gold">,
): { place: number; text: string }[] {
	const places = new Set(own.map(({ place }) => place));
	return steps.flatMap((step, place) => {
		const text = givenValue(step.subAnswer);
		if (text === undefined) return [];
		const said = step.call === undefined && !places.has(place);
		const belongs = said
			? step.subQuestion === undefined
				? places.has(place - 1)
				: aimsAt(gold.aim.at({ words: [step.subQuestion] }, { computing: true }), hop)
			: places.has(place);
		return belongs ? [{ place, text }] : [];
	});
}
