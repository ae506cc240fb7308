import { statesAnswer, type TextReading } from "#benchmarks";
import {
	type Answer,
	type Chain,
	chainProblems,
	type Hop,
	type Passage,
	retrievalHops,
	stopWords,
	type Task,
} from "#domain";
import { isTypedRight, mentionsAny } from "#scoring";
import { bridgesOf, isMentioned } from "../rules/bridges.ts";
import { tellsSex } from "./entity-kind.ts";
import { keyOf } from "./named-entities.ts";
import type { NewName, Renaming } from "./renaming.ts";

/** Why a task has no variant with substituted entities. */
export type SubstitutionRefusal =
	| "no-chain"
	| "images"
	| "not-text"
	| "no-exchange"
	| "computed-from-names"
	| "same-answer"
	| "not-stated"
	| "name-left"
	| "within-name"
	| "kind-unsure"
	| "subject-lost"
	| "answer-shown"
	| "link-lost"
	| "broken-chain";

interface SubstitutionContext {
	names: readonly NewName[];
	renaming: Renaming;
	/** The new id of an evidence. */
	idOf(id: string): string;
	/** Passages by the ids that they had. */
	passages: ReadonlyMap<string, { before: Passage; after: Passage }>;
	reading: TextReading;
	/** Also tasks that ask about others now and whose answer stays. */
	sameAnswers: boolean;
}

type SubstitutedTask = { task: Task } | { why: SubstitutionRefusal; detail: string };

/**
 * The task in the world where the names are exchanged: question, every hop and the answer. Refused where something of it
 * would not hold there: a value computed from a name, an answer that its evidence does not state, a part of an old name
 * that is left, a link between hops that is lost; and where the old answer would still be accepted.
 */
export function substituteInTask(task: Task, context: SubstitutionContext): SubstitutedTask {
	const { renaming, reading, idOf, passages } = context;
	if (!task.chain) return { why: "no-chain", detail: "it has no chain" };
	if (task.images.length > 0) return { why: "images", detail: "its question shows an image" };
	const retrieving = retrievalHops(task.chain);
	const foreign = retrieving.find(({ evidence }) => !evidence.some((id) => passages.has(id)));
	if (foreign) return { why: "not-text", detail: `hop "${foreign.id}" rests on no passage` };
	const chain = substituteInChain(task.chain, context);
	const question = renaming.rename(task.question);
	const sink = chain.hops.find(({ id }) => id === chain.sink);
	const isSame = canonical(task.answer) === canonical(substituteInAnswer(task.answer, context));
	const substituted: Task = {
		...withoutNative(task),
		question,
		chain,
		answer: isSame ? task.answer : substituteInAnswer(task.answer, context),
		...(task.context ? { context: task.context.filter((id) => passages.has(id)).map(idOf) } : {}),
		...(task.supporting ? { supporting: task.supporting.filter((id) => passages.has(id)).map(idOf) } : {}),
		tags: { ...task.tags, swapped: isSame ? "question" : "answer" },
	};
	if (question === task.question && isSame)
		return { why: "no-exchange", detail: "no entity of its question or answer has another of its kind" };
	const computed = computedFromNames(task.chain, chain);
	if (computed) return { why: "computed-from-names", detail: `hop "${computed.id}" computes with what is exchanged` };
	const language = task.tags.language;
	const accepts = (answer: Answer) =>
		task.answer.accepted.some((form) => isTypedRight(form, answer, { language })) ||
		isTypedRight(task.answer.value, answer, { language });
	if (isSame ? !context.sameAnswers : accepts(substituted.answer))
		return { why: "same-answer", detail: `"${task.answer.value}" is right before and after` };
	if (isSame && question === task.question) return { why: "no-exchange", detail: "its question stays as it is" };
	for (const hop of retrieving) {
		const after = chain.hops.find(({ id }) => id === hop.id);
		const held = hop.evidence.flatMap((id) => passages.get(id)?.after ?? []);
		// yes and no are written nowhere
		if (!after || after.answer.type === "boolean") continue;
		if (!held.some((one) => statesAnswer(`${one.title}\n${one.text}`, after.answer, reading, language)))
			return { why: "not-stated", detail: `no evidence of hop "${hop.id}" says "${after.answer.value}"` };
	}
	const longer = withinName(task, context);
	if (longer) return { why: "within-name", detail: `"${longer}" is another thing's name` };
	const unsure = unsureOf(task, context);
	if (unsure) return { why: "kind-unsure", detail: `whether "${unsure}" is a woman or a man is not known` };
	const unnamed = subjectLost(task.chain, chain, context);
	if (unnamed) return { why: "subject-lost", detail: `no evidence of hop "${unnamed}" names what it asks about` };
	if (!mentionsAny(formsOf(task.answer), [task.question]) && mentionsAny(formsOf(substituted.answer), [question]))
		return { why: "answer-shown", detail: `its question names "${substituted.answer.value}" now` };
	const left = oldNameLeft(task, substituted, context) ?? nameLeft(task, substituted, context);
	if (left) return { why: "name-left", detail: `"${left.part}" of "${left.name}" is left in ${left.where}` };
	const lost = lostLink(task.chain, chain);
	if (lost) return { why: "link-lost", detail: `hop "${lost}" does not name what it needs` };
	const [problem] = chainProblems(substituted);
	if (problem || !sink) return { why: "broken-chain", detail: problem?.message ?? "its chain has no sink" };
	return { task: substituted };
}

/** Fields of the source's own record hold the old names. */
const withoutNative = ({ native: _native, ...task }: Task): Task => task;
const canonical = ({ value, accepted }: Answer) => JSON.stringify([value, [...accepted].sort()]);

function substituteInChain({ hops, sink }: Chain, context: SubstitutionContext): Chain {
	const { renaming, idOf, passages } = context;
	return {
		sink,
		hops: hops.map((hop) => ({
			...hop,
			question: renaming.rename(hop.question),
			evidence: hop.evidence.filter((id) => passages.has(id)).map(idOf),
			answer: substituteInAnswer(hop.answer, context),
		})),
	};
}

/** An entity's answer is its new name; names within others are exchanged; values stay. */
export function substituteInAnswer(
	answer: Answer,
	{ names, renaming }: Pick<SubstitutionContext, "names" | "renaming">,
): Answer {
	const renamed = (text: string) => renaming.rename(text);
	const keyEntities = answer.keyEntities && { keyEntities: answer.keyEntities.map(renamed) };
	if (answer.type === "list")
		return { ...answer, ...keyEntities, ...formsIn(answer, renamed), items: answer.items.map(renamed) };
	if (answer.type !== "string" && answer.type !== "text") return answer;
	const keys = new Set(answer.accepted.map(keyOf));
	const whole =
		answer.type === "string" ? names.find(({ forms }) => forms.some((form) => keys.has(keyOf(form)))) : undefined;
	// the forms of whoever bears the name by nature are those of that name
	const bearer = whole && names.find(({ forms }) => forms.includes(whole.to));
	if (whole)
		return { ...answer, ...keyEntities, value: whole.to, accepted: [...new Set([whole.to, ...(bearer?.forms ?? [])])] };
	return { ...answer, ...keyEntities, ...formsIn(answer, renamed) };
}

const formsIn = ({ value, accepted }: Answer, renamed: (text: string) => string) => ({
	value: renamed(value),
	accepted: [...new Set(accepted.map(renamed))],
});

/** A computation that no operation states and that touches a changed name: nobody knows what it would give. */
function computedFromNames(before: Chain, after: Chain): Hop | undefined {
	const changed = new Set(
		after.hops.filter((hop, at) => before.hops[at]?.answer.value !== hop.answer.value).map(({ id }) => id),
	);
	return before.hops.find((hop, at) => {
		if (hop.evidence.length > 0 || hop.compute) return false;
		return hop.needs.some((need) => changed.has(need.hop)) || after.hops[at]?.question !== hop.question;
	});
}

const formsOf = ({ value, accepted }: Answer) => [value, ...accepted];
const heldBy = (hops: readonly Hop[], { passages }: SubstitutionContext) =>
	hops.flatMap((hop) => hop.evidence.flatMap((id) => passages.get(id) ?? []));

/** All that a task itself says, as it was or as it is now. */
const said = ({ question, chain, answer }: Task): string[] => [
	...[question, ...formsOf(answer)],
	...(chain?.hops ?? []).flatMap((hop) => [hop.question, ...formsOf(hop.answer)]),
];

/** The things of the exchange that a task speaks of, by their place. */
const spokenOf = (task: Task, { renaming }: SubstitutionContext) =>
	new Set(said(task).flatMap((text) => [...renaming.named(text)]));

/** A longer name that a name of the task is a part of: exchanged there, it would name what nobody knows. */
function withinName(task: Task, context: SubstitutionContext): string | undefined {
	const { renaming } = context;
	const own = spokenOf(task, context);
	const held = heldBy(task.chain?.hops ?? [], context).flatMap(({ before }) => [before.title, before.text]);
	const joined = [...said(task), ...held].flatMap((text) => renaming.within(text)).find(({ thing }) => own.has(thing));
	if (joined) return joined.longer;
	// "Strangers (Ada Lovelace and Friends song)"
	const bracketed = said(task).flatMap((text) =>
		[...text.matchAll(/\(([^()]+)\)/gu)].map(([, inner = ""]) => ({ inner, named: renaming.named(text) })),
	);
	return bracketed.find(({ inner, named }) =>
		[...renaming.named(inner)].some(
			(thing) => named.has(thing) && !context.names[thing]?.forms.some((form) => keyOf(form) === keyOf(inner)),
		),
	)?.inner;
}

/** A person of unknown sex whom the task or its evidence may call a woman or a man. */
function unsureOf(task: Task, context: SubstitutionContext): string | undefined {
	const { names, renaming } = context;
	const persons = [...spokenOf(task, context)].filter((thing) => names[thing]?.kind === "person");
	if (persons.length === 0) return undefined;
	const held = heldBy(task.chain?.hops ?? [], context).map(({ before }) => `${before.title}\n${before.text}`);
	const telling = [...said(task), ...held].filter(tellsSex);
	// what the task itself says may be said of anybody in it
	const isTold = (thing: number) =>
		said(task).some(tellsSex) || telling.some((text) => renaming.named(text).has(thing));
	const thing = persons.find(isTold);
	return thing === undefined ? undefined : names[thing]?.forms[0];
}

/** The first hop whose evidence named what it asks about, and whose new evidence does not name it. */
function subjectLost(before: Chain, after: Chain, context: SubstitutionContext): string | undefined {
	const { names, renaming } = context;
	return before.hops.find((hop, at) => {
		const now = keyed(after.hops[at]?.question ?? "");
		return [...renaming.named(hop.question)].some((thing) => {
			const to = names[thing]?.to ?? "";
			if (!now.includes(keyed(to))) return true;
			const texts = heldBy([hop], context);
			const named = texts.filter((one) => renaming.named(`${one.before.title}\n${one.before.text}`).has(thing));
			return (
				named.length > 0 && !named.some((one) => keyed(`${one.after.title}\n${one.after.text}`).includes(keyed(to)))
			);
		});
	})?.id;
}

const keyed = (text: string) => ` ${keyOf(text)} `;

/** A name of what the task speaks of that stands there still in any case, in the task or in what it rests on. */
function oldNameLeft(before: Task, after: Task, context: SubstitutionContext) {
	const { names, renaming } = context;
	const own = spokenOf(before, context);
	const shown = [
		...said(after).map((text) => ({ text, named: own, where: "the task" })),
		...heldBy(before.chain?.hops ?? [], context).map((one) => ({
			text: `${one.after.title}\n${one.after.text}`,
			named: renaming.named(`${one.before.title}\n${one.before.text}`),
			where: "its evidence",
		})),
	];
	for (const { text, named, where } of shown) {
		// what a new name brings with it is none that is left
		const brought = [...named].map((thing) => keyed(names[thing]?.to ?? "")).sort((a, b) => b.length - a.length);
		const rest = brought.reduce((left, to) => left.replaceAll(to, "  "), keyed(text));
		for (const thing of own) {
			const { forms = [], parts = {} } = names[thing] ?? {};
			// a person's first name or surname tells him, in a birth name too
			const part = [...forms, ...Object.keys(parts)].find((form) => rest.includes(keyed(form)));
			if (part !== undefined) return { part, name: forms[0] ?? part, where };
		}
	}
	return undefined;
}

const fewestLetters = 4;

/** A word of an old name that stands for it still, in what the task shows or rests on. */
function nameLeft(
	before: Task,
	after: Task,
	context: SubstitutionContext,
): { part: string; name: string; where: string } | undefined {
	const { names, renaming } = context;
	const held = heldBy(before.chain?.hops ?? [], context);
	const shown = [
		{ old: before.question, text: after.question, where: "the question" },
		...held.map((one) => ({
			old: `${one.before.title}\n${one.before.text}`,
			text: `${one.after.title}\n${one.after.text}`,
			where: "its evidence",
		})),
	];
	for (const { old, text, where } of shown) {
		const named = [...renaming.named(old)].flatMap((thing) => names[thing] ?? []);
		// words that the names now standing here bring with them
		const brought = new Set(named.flatMap(({ to }) => properWords(to)));
		const runs = capitalRuns(text);
		for (const { forms } of named) {
			// what follows "of" or a comma is a place or a title, and stands for itself
			const [name = ""] = forms;
			const own = new Set(properWords(name.split(/,|\sof\s/u)[0] ?? "").filter((word) => !brought.has(word)));
			const left = runs.find((run) => run.every((word) => own.has(word)));
			if (left) return { part: left.join(" "), name, where };
		}
	}
	return undefined;
}

/** Words with a capital that are long enough to tell a name. */
const properWords = (text: string): string[] =>
	(text.match(/(?<![\p{L}\p{M}\p{N}])\p{Lu}[\p{L}\p{M}\p{N}]*/gu) ?? []).filter(
		(word) => word.length >= fewestLetters && stopWords.en?.has(word.toLowerCase()) !== true,
	);

/** Words with a capital that follow one another: "Marie Louise" names somebody else than "Marie". */
const capitalRuns = (text: string): string[][] =>
	(text.match(/(?<![\p{L}\p{M}\p{N}])\p{Lu}[\p{L}\p{M}\p{N}]*(?:[ -]\p{Lu}[\p{L}\p{M}\p{N}]*)*/gu) ?? []).flatMap(
		(run) => {
			const words = properWords(run);
			return words.length > 0 ? [words] : [];
		},
	);

/** The first hop that does not name what it needs, so that nobody sees whether it still asks about it. */
function lostLink(before: Chain, after: Chain): string | undefined {
	const unsaid = (chain: Chain) =>
		bridgesOf({ chain }).find((bridge) => bridge.hop.modality !== "compute" && !isMentioned(bridge))?.hop.id;
	return unsaid(before) ?? unsaid(after);
}
