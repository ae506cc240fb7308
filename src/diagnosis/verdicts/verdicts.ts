import type { HopVerdict, Task } from "#domain";
import type { Standing } from "../reading/came-back.ts";
import type { ChainReading, HopReading } from "../reading/chain-reading.ts";
import { foldedWords } from "../reading/folded-words.ts";
import { goldReading } from "../reading/gold-reading.ts";
import type { Uses } from "../reading/uses.ts";

/** What became of one hop, with what the findings say of it. */
export type HopJudged = { reading: HopReading } & (
	| {
			is: "judged";
			verdict: HopVerdict;
			/** Place of the step by which it was solved. */
			solvedAt?: number | undefined;
			used?: string | undefined;
			/** Of `misread`: its evidence came back and no value was given for it. */
			unread?: true;
			/** Of `out-of-order`: the hop that was tried or solved too late. */
			late?: string;
			/** Of `misread`: why nobody can say whether the value stands in what came back. */
			unclear?: string;
	  }
	| { is: "not-judged"; reason: string }
);

export interface VerdictInput {
	task: Task;
	chain: ChainReading;
	uses: Uses;
	/** Whether the final answer is right; undefined where nobody can say, or the agent gives none by design. */
	right: boolean | undefined;
	/** The final answer, unless it declines. */
	answer: string | undefined;
	/** The protocol has sub-answers. */
	subAnswers: boolean;
	/** What broke the trajectory off, if something did. */
	broken: string | undefined;
	/** Where a value stands in what came back up to a step's place, in all of it without one. */
	standing(value: string, options?: { until?: number | undefined }): Promise<Standing>;
}

/** One verdict for each hop, in the order of dependency, by the order of cause before effect (`brokenOrder`). */
export async function judgeHops(input: VerdictInput): Promise<HopJudged[]> {
	const { chain, task } = input;
	const values = chain.hops.map((reading) => valueFor(reading, input));
	const states = chain.hops.map((reading, index) => solvedState(reading, values[index], input));
	supposeSolved(input, states, values);
	const { pairs } = goldReading(task);
	const placeOf = new Map(chain.hops.map(({ hop }, index) => [hop.id, index]));
	const neededBy = (id: string) =>
		pairs.flatMap(({ needed, needing }) => {
			const index = needing === id ? placeOf.get(needed) : undefined;
			const reading = index === undefined ? undefined : chain.hops[index];
			const state = index === undefined ? undefined : states[index];
			return reading ? [{ reading, state }] : [];
		});
	return Promise.all(
		chain.hops.map(async (reading, index): Promise<HopJudged> => {
			const state = states[index];
			const used = values[index]?.right ? values[index]?.text : undefined;
			if (state?.is === "solved") return { reading, is: "judged", verdict: "solved", solvedAt: state.at, used };
			if (state?.is === "known") return { reading, is: "judged", verdict: "skipped-known", used };
			if (!reading.retrieves)
				return { reading, is: "not-judged", reason: "it only computes, and its right value is stated nowhere" };
			return brokenVerdict(reading, { value: values[index], needs: neededBy(reading.hop.id), input });
		}),
	);
}

/** The value that was used for a hop. */
interface Value {
	text: string;
	right: boolean;
	/** Undefined where it is the final answer, or stands in a later query. */
	place?: number;
}

/**
 * Of several values given for a hop the one that was used: the final answer's for the sink, the one that later searches
 * carry on for others; where that tells nothing the first right one, else the last.
 */
function valueFor(reading: HopReading, { task, right, answer, uses }: VerdictInput): Value | undefined {
	const { given, hop } = reading;
	const sink = task.chain?.sink === hop.id;
	const final = sink && answer !== undefined && right !== undefined ? { text: answer, right } : undefined;
	const fitting = given.find((one) => one.right);
	const wrong = given.filter((one) => !one.right);
	if (final?.right) return fitting ?? final;
	if (fitting) {
		const ended = final && wrong.findLast(({ text }) => foldedWords(text) === foldedWords(final.text));
		if (ended) return ended;
		if (wrong.length === 0 || uses.carriedOn(fitting.text, reading)) return fitting;
		return wrong.findLast(({ text }) => uses.carriedOn(text, reading)) ?? fitting;
	}
	const replaced = given.length === 0 && !final && reading.retrieves ? uses.replaced(reading) : undefined;
	return given.at(-1) ?? final ?? (replaced === undefined ? undefined : { text: replaced, right: false });
}

type State = { is: "solved"; at: number | undefined } | { is: "known" } | { is: "open" };

function solvedState(reading: HopReading, value: Value | undefined, input: VerdictInput): State {
	const { uses, subAnswers } = input;
	const known = () => uses.known(reading);
	if (!reading.retrieves) {
		return value?.right || known() ? { is: "solved", at: value?.place } : { is: "open" };
	}
	if (reading.brought.length === 0) {
		const right = value?.right === true && uses.tells(reading);
		return right || known() ? { is: "known" } : { is: "open" };
	}
	const own = reading.brought.find((one) => reading.own.includes(one));
	const at = (own ?? reading.brought[0])?.place;
	if (value?.right) return { is: "solved", at: value.place ?? at };
	if (value) return known() ? { is: "solved", at } : { is: "open" };
	return !subAnswers || uses.thoughtOf(reading) ? { is: "solved", at } : { is: "open" };
}

/**
 * A hop whose evidence came back, and for which no value was given, must have been read where a solved hop needs it. A yes
 * or no and a choice among names that are known can be right by luck: they do not speak for a hop that was searched for in
 * vain and whose evidence came back by the way.
 */
function supposeSolved({ chain, task }: VerdictInput, states: State[], values: readonly (Value | undefined)[]): void {
	const { hops } = chain;
	const { formsOf } = goldReading(task);
	const needed = new Set<string>();
	const told = new Set<string>();
	for (let index = hops.length - 1; index >= 0; index--) {
		const reading = hops[index];
		if (!reading) continue;
		const { hop, own, brought } = reading;
		const inVain = own.length > 0 && !own.some((seeking) => brought.includes(seeking));
		const spokenFor = told.has(hop.id) || (needed.has(hop.id) && !inVain);
		if (states[index]?.is === "open" && brought.length > 0 && !values[index] && spokenFor)
			states[index] = { is: "solved", at: brought[0]?.place };
		if (states[index]?.is !== "solved") continue;
		for (const need of hop.needs) {
			needed.add(need.hop);
			if (formsOf(hop).length > 0) told.add(need.hop);
		}
	}
}

async function brokenVerdict(
	reading: HopReading,
	{
		value,
		needs,
		input,
	}: {
		value: Value | undefined;
		needs: readonly { reading: HopReading; state: State | undefined }[];
		input: VerdictInput;
	},
): Promise<HopJudged> {
	const { broken } = input;
	const { own, brought, modalities } = reading;
	const judged = { reading, is: "judged" as const, used: value?.text };
	const notJudged = (reason: string): HopJudged => ({ reading, is: "not-judged", reason });
	// a final answer is no sign that its hop was planned: it may be an earlier hop's value
	if (own.length === 0 && value?.place === undefined) {
		return broken === undefined ? { ...judged, verdict: "not-planned" } : notJudged(`${broken} before it was reached`);
	}
	const failed = own.length > 0 && own.every(({ step }) => step.error !== undefined);
	if (broken !== undefined && (failed || (!value && brought.length > 0)))
		return notJudged(`${broken} while it was worked on`);
	const found = own.some((seeking) => brought.includes(seeking));
	const elsewhere = ({ modality }: (typeof own)[number]) => modality !== undefined && !modalities.has(modality);
	if (own.length > 0 && !found && own.every(elsewhere)) return { ...judged, verdict: "wrong-modality" };
	const late = own.length === 0 ? undefined : needs.find((need) => comesAfter(need, own));
	if (late) return { ...judged, verdict: "out-of-order", late: late.reading.hop.id };
	const at = value?.place;
	// what another hop's search had brought by then was there to be read
	const seen = at !== undefined && brought.some(({ place }) => place <= at);
	if (own.length > 0 && !found && !seen) return { ...judged, verdict: "retrieval-miss" };
	if (brought.length === 0) return { ...judged, verdict: "not-planned" };
	if (!value) return { ...judged, verdict: "misread", unread: true };
	// what the value was searched for afterwards cannot have told it
	const standing = await input.standing(value.text, { until: at });
	if (standing.is === "nowhere") return { ...judged, verdict: "unsupported" };
	return { ...judged, verdict: "misread", ...(standing.is === "unknown" ? { unclear: standing.reason } : {}) };
}

/** Whether a needed hop was solved, or else first tried, only after all of some steps. */
function comesAfter(
	{ reading, state }: { reading: HopReading; state: State | undefined },
	steps: readonly { place: number }[],
): boolean {
	if (state?.is === "known") return false;
	const at = state?.is === "solved" ? state.at : reading.own[0]?.place;
	return at !== undefined && steps.every(({ place }) => place < at);
}
