import { ancestorsOf, type Evidence, type Hop, identifyingHops, inDependencyOrder, type Task } from "#domain";
import { createAim, dependentPairs, readQuantities } from "#scoring";
import type { FindEvidence } from "./came-back.ts";
import { foldedWords, holdsApart, holdsWords } from "./folded-words.ts";
import { areAlike, emptyWordsOf, isSlip, splitWords, stemmed, stemsOf } from "./query-words.ts";
import { distinctive, givenValue, isRight } from "./value.ts";

/** Chains beyond this are not read whole. */
export const mostHops = 200;

/** A task's gold side, prepared once for all records of it. */
export interface GoldReading {
	/** In the order of dependency. */
	hops: Hop[];
	retrieving: Hop[];
	/** The hop that gives the answer; undefined where the chain names none that it has. */
	sink: Hop | undefined;
	/** Hops by their id; of two alike the last. */
	byId: ReadonlyMap<string, Hop>;
	/** By letter triples, of sentences: sub-questions and items of a plan. */
	aim: ReturnType<typeof createAim>;
	/** Which hop each question image identifies, by the image's index. */
	identified: ReadonlyMap<number, string>;
	/** Pairs of retrieving hops of which one needs the other with only computing hops between. */
	pairs: { needed: string; needing: string }[];
	/** For each hop the ids of all that it needs. */
	ancestors: ReadonlyMap<string, ReadonlySet<string>>;
	/** Retrieving hops that need a hop, directly. */
	needing(hop: Hop): readonly Hop[];
	/** The question, folded. */
	asked: string;
	/** Whether a folded word stands in the question, in any form. */
	isAsked(word: string): boolean;
	/** Whether a folded word says nothing in a query. */
	isEmpty(word: string): boolean;
	/** Forms of a hop's answer that tell it from the question's words and from other hops' answers, folded. */
	formsOf(hop: Hop): readonly string[];
	/** All accepted forms of a hop's answer, folded. */
	acceptedOf(hop: Hop): readonly string[];
	/** Folded words of a hop's answer and of the titles under which the next hop reads about it. */
	namesOf(hop: Hop): ReadonlySet<string>;
	/** Whether a folded text names a hop's value whole, elsewhere than within the longer name of another hop's. */
	names(text: string, hop: Hop): boolean;
	/** Whether a folded text holds a hop's value whole, or else half of the words that tell it from others. */
	carries(text: string, hop: Hop): "whole" | "partly" | undefined;
	/**
	 * How much of what a hop asks stands among some stems, in [0, 1]: its sub-question without the values that it needs
	 * and without empty words, each word weighted by how few hops of the task ask it. `besides`: without what that hop asks too.
	 */
	likeness(stems: readonly string[], hop: Hop, options?: { besides?: Hop }): number;
	/** Folded names that stand in the sub-question of a hop that needs nothing, and in no other's. */
	anchorsOf(hop: Hop): readonly string[];
	/** Whether a folded word is one that some hop of the chain asks with, in any form. */
	isRelation(word: string): boolean;
	/** Whether a value that is right for the hop says that it is known: a yes or no and a name asked about can be guessed. */
	tells(hop: Hop): boolean;
	/** Whether a stated value is the hop's answer. */
	isRightFor(hop: Hop, stated: string | undefined): boolean;
	/**
	 * Whether a right final answer says how it was come by: no yes or no, no choice among values, nothing that was asked
	 * about, and of numbers no other one that a tolerance lets pass.
	 */
	sinkTells(answer: string | undefined): boolean;
	/** Retrieving hops among whose values the sink chooses: the answer tells nothing of them. */
	chosen: ReadonlySet<string>;
}

const readings = new WeakMap<Task, { find: FindEvidence | undefined; made: Promise<GoldReading> }>();
/** Sub-questions beyond this are compared by their beginning. */
const longestQuestion = 1000;
/** Values remembered of one hop. */
const mostValues = 1000;
/** So near is a number that is only written otherwise. */
const exact = 0.001;
/** Forms of one answer that are looked for. */
const mostForms = 200;

/** The gold side of a task; `find` gives the titles of its evidence, by which a value may be named too. */
export function goldReading(task: Task, find?: FindEvidence | undefined): Promise<GoldReading> {
	const known = readings.get(task);
	if (known && known.find === find) return known.made;
	const made = readGold(task, find);
	readings.set(task, { find, made });
	return made;
}

async function readGold(task: Task, find: FindEvidence | undefined): Promise<GoldReading> {
	const hops = task.chain ? inDependencyOrder(task.chain).slice(0, mostHops) : [];
	const retrieving = hops.filter((hop) => hop.evidence.length > 0);
	const byId = new Map(hops.map((hop) => [hop.id, hop]));
	const asked = foldedWords(task.question);
	const askedStems = new Set(stemsOf(asked));
	const isEmpty = emptyWordsOf(task.tags.language);
	const accepted = new Map(hops.map((hop) => [hop, hop.answer.accepted.slice(0, mostForms).map(foldedWords)]));
	const acceptedOf = (hop: Hop) => accepted.get(hop) ?? [];
	const titles = await titlesOf(retrieving, { byId, acceptedOf, find });
	const told = new Map(hops.map((hop) => [hop, distinctive(hop.answer, asked)]));
	const forms = formsByHop(hops, { told, titles, asked, acceptedOf });
	const formsOf = (hop: Hop) => forms.get(hop) ?? [];
	const names = new Map(
		hops.map((hop) => [hop, new Set([...acceptedOf(hop), ...(titles.get(hop) ?? [])].flatMap(splitWords))]),
	);
	const namesOf = (hop: Hop) => names.get(hop) ?? new Set<string>();
	const longer = new Map(
		hops.map((hop) => {
			const own = formsOf(hop);
			const others = hops.flatMap((one) => (one === hop ? [] : acceptedOf(one)));
			const holding = others.filter((name) => own.some((form) => name.length > form.length && holdsWords(name, form)));
			return [hop, [...new Set(holding)].sort((a, b) => b.length - a.length)] as const;
		}),
	);
	const isNamed = (text: string, hop: Hop) =>
		formsOf(hop).some((form) => holdsWords(text, form) && holdsApart(text, form, longer.get(hop) ?? []));
	const telling = new Map(
		hops.map((hop) => {
			const others = hops.filter((one) => one !== hop).flatMap((one) => acceptedOf(one).flatMap(splitWords));
			const foreign = new Set(others);
			const words = formsOf(hop).slice(0, 3).flatMap(splitWords);
			const isTelling = (word: string) =>
				word.length > 3 && !isEmpty(word) && !foreign.has(word) && !askedStems.has(stemmed(word));
			return [hop, new Set(words.filter(isTelling))] as const;
		}),
	);
	const templates = templatesOf(hops, { byId, acceptedOf, titles, isEmpty });
	const relations = new Set([...templates.values()].flatMap((template) => [...template.keys()]));
	const anchors = await anchorsByHop(retrieving, { isEmpty, find });
	const values = new Map<Hop, Map<string, boolean>>(hops.map((hop) => [hop, new Map()]));
	const sink = task.chain && byId.get(task.chain.sink);
	const chosen = new Set(
		sink && sink.evidence.length === 0
			? retrieving.filter((hop) => acceptedOf(hop).some((form) => acceptedOf(sink).includes(form))).map(({ id }) => id)
			: [],
	);
	// few agents state what sentences are compared with
	let aim: GoldReading["aim"] | undefined;
	return {
		...{ hops, retrieving, sink, byId, asked, isEmpty, acceptedOf, formsOf, namesOf, chosen },
		get aim() {
			aim ??= createAim(task);
			return aim;
		},
		identified: new Map([...identifyingHops(task)].map(([hop, image]) => [image, hop])),
		pairs: hops.length > 0 ? dependentPairs({ hops }) : [],
		ancestors: ancestorsOf({ hops }),
		names: isNamed,
		needing: (hop) => retrieving.filter(({ needs }) => needs.some((need) => need.hop === hop.id)),
		isAsked: (word) => hasSlip(askedStems, stemmed(word)),
		carries(text, hop) {
			if (isNamed(text, hop)) return "whole";
			const [form] = formsOf(hop);
			const words = form === undefined ? [] : splitWords(form).filter((word) => telling.get(hop)?.has(word));
			if (words.length === 0) return undefined;
			return 2 * words.filter((word) => text.includes(` ${word} `)).length >= words.length ? "partly" : undefined;
		},
		likeness(stems, hop, { besides } = {}) {
			const template = templates.get(hop);
			if (!template || template.size === 0) return 0;
			let all = 0;
			let held = 0;
			let words = 0;
			const except = besides && templates.get(besides);
			for (const [word, weight] of template) {
				if (except?.has(word)) continue;
				all += weight;
				if (!stems.some((one) => areAlike(one, word))) continue;
				held += weight;
				words += 1;
			}
			// one word of several, such as "country", is said of anything
			if (all === 0 || (besides && words < 2 && held < all)) return 0;
			return held / all;
		},
		anchorsOf: (hop) => anchors.get(hop) ?? [],
		isRelation: (word) => hasSlip(relations, stemmed(word)),
		tells: (hop) => told.get(hop)?.tells ?? false,
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
		sinkTells(answer) {
			if (!sink || sink.answer.type === "boolean" || chosen.size > 0 || !told.get(sink)?.tells) return false;
			const { number } = sink.answer.type === "number" ? sink.answer : {};
			if (!number || number.range || number.tolerance !== undefined || answer === undefined) return true;
			const said = readQuantities(answer.slice(0, 500));
			return (
				said.length === 0 || said.some(({ low }) => Math.abs(low - number.value) <= exact * Math.abs(number.value))
			);
		},
	};
}

const hasSlip = (known: ReadonlySet<string>, word: string): boolean =>
	known.has(word) || [...known].some((one) => isSlip(one, word));

interface Answers {
	byId: ReadonlyMap<string, Hop>;
	acceptedOf(hop: Hop): readonly string[];
}

/** Evidence of a hop whose title is looked at. */
const mostTitled = 4;

/** A value is also named as the evidence is that the next hop reads about it: by its title. */
async function titlesOf(
	retrieving: readonly Hop[],
	{ byId, acceptedOf, find }: Answers & { find: FindEvidence | undefined },
): Promise<Map<Hop, Set<string>>> {
	const titles = new Map<Hop, Set<string>>();
	if (!find) return titles;
	await Promise.all(
		retrieving.map(async (hop) => {
			const bridges = hop.needs.filter(({ role }) => role === "bridge");
			const needed = bridges.length === 1 ? byId.get(bridges[0]?.hop ?? "") : undefined;
			if (!needed) return;
			const words = new Set(
				acceptedOf(needed)
					.flatMap(splitWords)
					.filter((word) => word.length > 3),
			);
			const found = await Promise.all(hop.evidence.slice(0, mostTitled).map(find));
			for (const title of found.flatMap((one: Evidence | undefined) => (one ? [foldedWords(one.title)] : []))) {
				if (title.trim().length < 3 || !splitWords(title).some((word) => words.has(word))) continue;
				titles.set(needed, (titles.get(needed) ?? new Set()).add(title));
			}
		}),
	);
	return titles;
}

/** What tells one hop's value: no word of the question, no value of two retrieving hops, no part of a value that is read. */
function formsByHop(
	hops: readonly Hop[],
	{
		told,
		titles,
		asked,
		acceptedOf,
	}: {
		told: ReadonlyMap<Hop, { forms: string[] }>;
		titles: ReadonlyMap<Hop, ReadonlySet<string>>;
		asked: string;
		acceptedOf: Answers["acceptedOf"];
	},
): Map<Hop, string[]> {
	const holders = new Map<string, number>();
	for (const hop of hops)
		if (hop.evidence.length > 0)
			for (const form of new Set(acceptedOf(hop))) holders.set(form, (holders.get(form) ?? 0) + 1);
	const read = hops.filter((hop) => hop.evidence.length > 0);
	return new Map(
		hops.map((hop) => {
			const own = told.get(hop)?.forms ?? [];
			const named = own.length === 0 ? [] : [...(titles.get(hop) ?? [])].filter((title) => !holdsWords(asked, title));
			const telling = [...new Set([...own, ...named])].filter((form) => (holders.get(form) ?? 0) < 2);
			if (hop.evidence.length > 0) return [hop, telling] as const;
			const isPart = (form: string) => read.some((one) => acceptedOf(one).some((value) => holdsWords(value, form)));
			return [hop, telling.filter((form) => !isPart(form))] as const;
		}),
	);
}

/**
 * Of hops that need no other, the words of their sub-question that name what it is about, where no other sub-question has
 * them: such as stand with a capital letter within it, or in the title of its evidence.
 */
async function anchorsByHop(
	hops: readonly Hop[],
	{ isEmpty, find }: { isEmpty(word: string): boolean; find: FindEvidence | undefined },
): Promise<Map<Hop, string[]>> {
	const words = new Map(
		hops.map((hop) => [hop, new Set(splitWords(foldedWords(hop.question.slice(0, longestQuestion))))]),
	);
	const anchors = hops.map(async (hop): Promise<[Hop, string[]]> => {
		if (hop.needs.length > 0) return [hop, []];
		const found = await Promise.all(hop.evidence.slice(0, mostTitled).map((id) => find?.(id)));
		const titles = new Set(found.flatMap((one) => (one ? splitWords(foldedWords(one.title)) : [])));
		const capital = hop.question.slice(0, longestQuestion).match(/(?<=[\p{L}\p{N},] )\p{Lu}[\p{L}\p{M}'’-]*/gu) ?? [];
		const named = new Set(capital.flatMap((name) => splitWords(foldedWords(name))));
		const isOthers = (word: string) => hops.some((one) => one !== hop && words.get(one)?.has(word));
		const own = [...(words.get(hop) ?? [])].filter(
			(word) => word.length > 2 && (named.has(word) || titles.has(word)) && !isEmpty(word) && !isOthers(word),
		);
		return [hop, own];
	});
	return new Map(await Promise.all(anchors));
}

/** What each hop asks, as stems with their weights. */
function templatesOf(
	hops: readonly Hop[],
	{
		byId,
		acceptedOf,
		titles,
		isEmpty,
	}: Answers & { titles: ReadonlyMap<Hop, ReadonlySet<string>>; isEmpty(word: string): boolean },
): Map<Hop, Map<string, number>> {
	const stems = new Map<Hop, Set<string>>();
	const holders = new Map<string, number>();
	for (const hop of hops) {
		const values = hop.needs.flatMap((need) => {
			const needed = byId.get(need.hop);
			return needed ? [...acceptedOf(needed), ...(titles.get(needed) ?? [])] : [];
		});
		let text = foldedWords(hop.question.slice(0, longestQuestion));
		for (const value of values.sort((a, b) => b.length - a.length)) text = text.replaceAll(value, " ");
		const asks = new Set(
			splitWords(text)
				.filter((word) => !isEmpty(word))
				.map(stemmed),
		);
		stems.set(hop, asks);
		if (hop.evidence.length > 0) for (const stem of asks) holders.set(stem, (holders.get(stem) ?? 0) + 1);
	}
	return new Map(
		[...stems].map(([hop, asks]) => [hop, new Map([...asks].map((stem) => [stem, 1 / (holders.get(stem) ?? 1)]))]),
	);
}
