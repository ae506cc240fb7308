import type { Hop, Task, Trajectory } from "#domain";
import type { ChainReading, HopReading } from "./chain-reading.ts";
import { mostSteps } from "./chain-reading.ts";
import { foldedWords, holdsApart, holdsWords, wordCount } from "./folded-words.ts";
import { goldReading } from "./gold-reading.ts";
import { givenValue, isSentence } from "./value.ts";

/** The words of each step, folded once. */
interface SaidWords {
	place: number;
	asked: string[];
	thought: string;
	answer: string | undefined;
}

/** Finds values where they are used: in later sub-questions and queries, in answers. */
export interface Uses {
	/** A hop's answer, told from other words, stands in a sub-question, query or answer that is not the hop's own. */
	known(reading: HopReading): boolean;
	/** As `known`, or in a thought. */
	thoughtOf(reading: HopReading): boolean;
	/** Whether a value that is right for the hop says that it is known, not guessed. */
	tells(reading: HopReading): boolean;
	/** Whether a later search made for a hop that needs this one carries the value. */
	carriedOn(value: string, reading: HopReading): boolean;
	/** The other value that stands in its place in the queries of a hop that asks about it; undefined if none does. */
	replaced(reading: HopReading): string | undefined;
}

export function createUses(
	task: Task,
	{ trajectory, chain: { hops } }: { trajectory: Trajectory; chain: ChainReading },
): Uses {
	const { asked, acceptedOf, formsOf, tells, isRightFor } = goldReading(task);
	let folded: SaidWords[] | undefined;
	const said = () => {
		folded ??= trajectory.steps.slice(0, mostSteps).map((step, place) => ({
			place,
			asked: wordsAsked(step),
			thought: foldedWords(step.thought ?? ""),
			answer: givenValue(step.subAnswer),
		}));
		return folded;
	};
	const names = new Map<Hop, string[]>();
	const finalAnswer = foldedWords(trajectory.answer ?? "");

	/** Names within which a hop's answer says nothing of it: other hops' answers, and what was stated and is not its answer. */
	function otherNames(hop: Hop): string[] {
		const known = names.get(hop) ?? findNames(hop);
		names.set(hop, known);
		return known;
	}

	function findNames(hop: Hop): string[] {
		const own = new Set(acceptedOf(hop));
		const others = hops.filter((one) => one.hop.id !== hop.id).flatMap((one) => acceptedOf(one.hop).slice(0, 200));
		const stated = said().flatMap(({ answer: text }) =>
			text === undefined || isSentence(text) || isRightFor(hop, text) ? [] : [foldedWords(text)],
		);
		return [...new Set([...others, ...stated])].filter((name) => !own.has(name)).sort((a, b) => b.length - a.length);
	}

	function known(reading: HopReading): boolean {
		const { hop, own, brought } = reading;
		const forms = formsOf(hop);
		if (forms.length === 0) return false;
		const places = new Set(own.map(({ place }) => place));
		const from = own[0]?.place ?? brought[0]?.place ?? -1;
		const names = otherNames(hop);
		const holds = (text: string) => forms.some((form) => holdsApart(text, form, names));
		if (holds(finalAnswer)) return true;
		return said().some((step) => {
			if (places.has(step.place)) return false;
			if (isRightFor(hop, step.answer)) return true;
			return step.place > from && step.asked.some(holds);
		});
	}

	return {
		known,
		thoughtOf(reading) {
			if (known(reading)) return true;
			const forms = formsOf(reading.hop);
			const from = reading.brought[0]?.place ?? -1;
			const names = otherNames(reading.hop);
			return said().some(
				({ place, thought }) => place > from && forms.some((form) => holdsApart(thought, form, names)),
			);
		},
		tells: ({ hop }) => tells(hop),
		carriedOn(value, { hop: { id } }) {
			const folded = foldedWords(value);
			if (holdsWords(asked, folded)) return false;
			const next = hops.filter(({ hop }) => hop.needs.some((need) => need.hop === id));
			return next.some(({ own }) =>
				own.some(({ place }) => said()[place]?.asked.some((words) => holdsWords(words, folded))),
			);
		},
		replaced(reading) {
			const forms = formsOf(reading.hop);
			for (const next of hops) {
				if (!next.hop.needs.some((need) => need.hop === reading.hop.id && need.role === "bridge")) continue;
				if (next.brought.length > 0) continue;
				const used = next.own.flatMap(({ place }) => said()[place]?.asked ?? []);
				if (used.some((words) => forms.some((form) => holdsWords(words, form)))) return undefined;
				const value = forms.flatMap((form) =>
					used.flatMap((words) => inPlaceOf(form, next.hop.question, words) ?? []),
				)[0];
				if (value !== undefined) return value;
			}
			return undefined;
		},
	};
}

function wordsAsked({ subQuestion, call }: Trajectory["steps"][number]): string[] {
	const query = call?.valid === false ? undefined : call?.arguments.query;
	return [subQuestion, query].filter((text) => typeof text === "string").map(foldedWords);
}

const leastAround = 3;
const longestValue = 6;

/** What stands in `words` where `form` stands in the gold sub-question, when all around it is the same. */
function inPlaceOf(form: string, goldQuestion: string, words: string): string | undefined {
	const gold = foldedWords(goldQuestion);
	const at = gold.indexOf(form);
	if (at < 0) return undefined;
	const before = gold.slice(0, at + 1);
	const after = gold.slice(at + form.length - 1);
	if (wordCount(before) + wordCount(after) < leastAround) return undefined;
	if (!words.startsWith(before) || !words.endsWith(after) || words.length < before.length + after.length)
		return undefined;
	const value = words.slice(before.length, words.length - after.length).trim();
	const count = wordCount(value);
	return count > 0 && count <= longestValue ? value : undefined;
}
