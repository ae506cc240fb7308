import { type Evidence, type Hop, type SeenBy, shownAs } from "#domain";
import type { ChainReading, HopReading } from "../reading/chain-reading.ts";
import { foldedWords, holdsApart, holdsWords } from "../reading/folded-words.ts";
import { otherEvidenceOf } from "../reading/other-evidence.ts";
import { isMadeFor, saysValue } from "../reading/seeking.ts";
import { type ValueSeen, valuesSeen } from "../reading/values-seen.ts";
import type { VerdictInput } from "./hop-judged.ts";

/** The value that was stated for a hop, or for the sink the final answer. */
interface Value {
	text: string;
	right: boolean;
	/** Undefined where it is the final answer. */
	place?: number;
}

/** What is known of a hop before its verdict. */
export interface State {
	reading: HopReading;
	value: Value | undefined;
	seen: ValueSeen;
	others: readonly Evidence[];
	/** Places of the steps that brought what states it, gold or not. */
	came: readonly number[];
	got: { is: "solved" | "known"; by: SeenBy; place: number | undefined; used?: string | undefined } | undefined;
	/** Another value was used, by what is seen best. */
	wrong: { by: SeenBy; place: number | undefined; value: string; words?: readonly string[] } | undefined;
}

/** What is known of each hop of the chain, in its order. */
export function hopStates(input: VerdictInput): State[] {
	const { chain, right } = input;
	const seen = valuesSeen(input);
	const states = chain.hops.map((reading) => stateOf(reading, seen.get(reading.hop), input));
	if (right === true && chain.searches.length === 0) for (const state of states) implyKnown(state);
	return states;
}

function stateOf(reading: HopReading, seen: ValueSeen = { jumped: false }, input: VerdictInput): State {
	const { chain, texts, task, right } = input;
	const { hop, brought, retrieves } = reading;
	const value = valueFor(reading, input);
	const others =
		retrieves && brought.length === 0 && texts
			? otherEvidenceOf(hop, { gold: chain.gold, texts, used: seen.right !== undefined || right === true })
			: [];
	const other = new Set(others.map(({ id }) => id));
	const came = (
		other.size === 0
			? brought
			: chain.seekings.filter(({ step }) => step.results.some((result) => other.has(shownAs(result))))
	).map(({ place }) => place);
	const state: State = { reading, value, seen, others, came, got: undefined, wrong: undefined };
	const stated = value?.place === undefined ? undefined : value;
	const isSink = task.chain?.sink === hop.id;
	if (value?.right)
		got(
			state,
			{ by: value.place === undefined ? "answer" : "sub-answer", place: value.place, used: value.text },
			chain,
		);
	else if (seen.right && !(stated && !isApart(seen.right, stated, { hop, chain }))) got(state, seen.right, chain);
	if (state.got) return state;
	if (stated) state.wrong = { by: "sub-answer", place: stated.place, value: stated.text };
	else if (seen.wrong) state.wrong = seen.wrong;
	else if (isSink && value && !value.right) state.wrong = { by: "answer", place: undefined, value: value.text };
	return state;
}

/** Its right value was seen: solved where what states it had come back by then, else known. */
function got(
	state: State,
	{ by, place, used }: { by: SeenBy; place: number | undefined; used?: string | undefined },
	{ gold }: ChainReading,
): void {
	const { reading, came, value } = state;
	if (!reading.retrieves) {
		state.got = { is: "solved", by, place, used };
		return;
	}
	const had = came.some((at) => place === undefined || at < place || (by !== "query" && at === place));
	// a search of its own may say the value and find what states it at once
	const later = by === "sub-answer" && came.length > 0;
	if (had || later) state.got = { is: "solved", by, place: place ?? came[0], used };
	else if (by !== "sub-answer" && by !== "answer") state.got = { is: "known", by, place, used };
	else if (gold.tells(reading.hop) || !value?.right) state.got = { is: "known", by, place, used };
}

/** Whether a query that carries the right value says it elsewhere than within the wrong one that was stated. */
function isApart(
	{ by, place }: { by: SeenBy; place: number },
	stated: Value,
	{ hop, chain }: { hop: Hop; chain: ChainReading },
): boolean {
	if (by === "answer") return true;
	const said = by === "query" ? chain.seekings.find((seeking) => seeking.place === place)?.said : undefined;
	const wrong = foldedWords(stated.text);
	return said?.some((text) => chain.gold.formsOf(hop).some((form) => holdsApart(text, form, [wrong]))) ?? false;
}

/**
 * Of several values stated for a hop the one that was used: the final answer for the sink, the one that later searches
 * carry on for others; where that tells nothing the first right one, else the last.
 */
function valueFor(reading: HopReading, { task, chain, right, answer }: VerdictInput): Value | undefined {
	const { given, hop } = reading;
	const sink = task.chain?.sink === hop.id;
	const final = sink && answer !== undefined && right !== undefined ? { text: answer, right } : undefined;
	const fitting = given.find((one) => one.right);
	const wrong = given.filter((one) => !one.right);
	if (final?.right) return fitting ?? final;
	if (fitting) {
		const ended = final && wrong.findLast(({ text }) => foldedWords(text) === foldedWords(final.text));
		if (ended) return ended;
		if (wrong.length === 0 || isCarriedOn(fitting.text, hop, chain)) return fitting;
		return wrong.findLast(({ text }) => isCarriedOn(text, hop, chain)) ?? fitting;
	}
	return given.at(-1) ?? final;
}

/** Whether a search made for a hop that needs this one carries a value that the question does not hold. */
function isCarriedOn(value: string, hop: Hop, { gold, seekings }: ChainReading): boolean {
	const folded = foldedWords(value);
	if (holdsWords(gold.asked, folded)) return false;
	return gold.needing(hop).some((next) => seekings.some((one) => isMadeFor(one, next) && saysValue(one, folded)));
}

function implyKnown(state: State): void {
	if (!state.got && !state.wrong) state.got = { is: "known", by: "implied", place: undefined };
}
