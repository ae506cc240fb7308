import { ancestorsOf, type Hop, inDependencyOrder, type Task } from "#domain";
import { createAim, dependentPairs } from "#scoring";
import { foldedWords } from "./folded-words.ts";
import { distinctive, givenValue, isRight } from "./value.ts";

/** Chains beyond this are not read whole. */
export const mostHops = 200;

/** A task's gold side, prepared once for all records of it. */
export interface GoldReading {
	/** In the order of dependency. */
	hops: Hop[];
	retrieving: Hop[];
	aim: ReturnType<typeof createAim>;
	/** Pairs of retrieving hops of which one needs the other with only computing hops between. */
	pairs: { needed: string; needing: string }[];
	/** For each hop the ids of all that it needs. */
	ancestors: ReadonlyMap<string, ReadonlySet<string>>;
	/** The question, folded. */
	asked: string;
	/** Forms of a hop's answer that tell it from the question's words and from other hops' answers, folded. */
	formsOf(hop: Hop): readonly string[];
	/** All accepted forms of a hop's answer, folded. */
	acceptedOf(hop: Hop): readonly string[];
	/** Whether a value that is right for the hop says that it is known: a yes or no and a name asked about can be guessed. */
	tells(hop: Hop): boolean;
	/** Whether a stated value is the hop's answer. */
	isRightFor(hop: Hop, stated: string | undefined): boolean;
}

const readings = new WeakMap<Task, GoldReading>();
/** Values remembered of one hop. */
const mostValues = 1000;

export function goldReading(task: Task): GoldReading {
	const known = readings.get(task);
	if (known) return known;
	const made = readGold(task);
	readings.set(task, made);
	return made;
}

function readGold(task: Task): GoldReading {
	const hops = task.chain ? inDependencyOrder(task.chain).slice(0, mostHops) : [];
	const asked = foldedWords(task.question);
	const byHop = new Map(hops.map((hop) => [hop, distinctive(hop.answer, asked)]));
	const counts = new Map<string, number>();
	for (const { forms } of byHop.values()) for (const form of forms) counts.set(form, (counts.get(form) ?? 0) + 1);
	const own = new Map(
		[...byHop].map(([hop, { forms }]) => {
			// what is the answer of two hops tells nothing of either
			return [hop, forms.some((form) => (counts.get(form) ?? 0) > 1) ? [] : forms] as const;
		}),
	);
	const accepted = new Map<Hop, string[]>();
	const values = new Map<Hop, Map<string, boolean>>(hops.map((hop) => [hop, new Map()]));
	return {
		hops,
		retrieving: hops.filter((hop) => hop.evidence.length > 0),
		aim: createAim(task),
		pairs: hops.length > 0 ? dependentPairs({ hops }) : [],
		ancestors: ancestorsOf({ hops }),
		asked,
		formsOf: (hop) => own.get(hop) ?? [],
		acceptedOf(hop) {
			const known = accepted.get(hop) ?? hop.answer.accepted.map(foldedWords);
			accepted.set(hop, known);
			return known;
		},
		tells: (hop) => byHop.get(hop)?.tells ?? false,
		isRightFor(hop, stated) {
			if (stated === undefined) return false;
			const kept = values.get(hop);
			const known = kept?.get(stated);
			if (known !== undefined) return known;
			const value = givenValue(stated);
			const right = value !== undefined && isRight(value, hop.answer, task.tags.language);
			if (kept && kept.size < mostValues) kept.set(stated, right);
			return right;
		},
	};
}
