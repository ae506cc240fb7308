import { z } from "zod";
import type { Answer, Chain, Evidence, Hop, Passage } from "#domain";
import { defineFormat, type RowTask, writeRows } from "./define-format.ts";
import { untypedAnswer } from "./given-answer.ts";
import { HotpotItem, hotpotRow, hotpotTask } from "./hotpotqa.ts";
import { nativeFields, nativeOf } from "./native.ts";
import { wikipedia } from "./passage.ts";
import type { RowContext } from "./row-context.ts";
import { factsOf, SupportingFacts } from "./supporting-facts.ts";

const Evidences = z.array(z.tuple([z.string().min(1), z.string().min(1), z.string().min(1)])).max(100);
const Item = HotpotItem.extend({ evidences: Evidences.default([]) });

const name = "two-wiki";
const terms = wikipedia(name, "2WikiMultihopQA");

/** HotpotQA's form with triples, which make a real graph where each begins with what another ends in. */
export const twoWiki = defineFormat({
	name,
	title: "2WikiMultihopQA",
	files: "train.json or dev.json as released",
	licence: "Apache-2.0",
	attribution:
		"2WikiMultihopQA (Ho, Nguyen, Sugawara, Aizawa); paragraphs from Wikipedia, CC BY-SA; triples from Wikidata.",
	url: "https://github.com/Alab-NII/2wikimultihop",
	verified: "files",
	rights: "Apache-2.0, 2WikiMultihopQA",
	schema: Item,
	task: taskOf,
	write: writeRows(`${name}.json`, {
		without: ["images"],
		async row(task, content, warn) {
			const row = await hotpotRow(task, { name, ...content }, warn);
			const evidences = Evidences.safeParse(nativeOf(task, name)?.evidences).data;
			if (!evidences && task.chain) warn("its hops are no triples: left out");
			return { ...row, evidences: evidences ?? [] };
		},
	}),
});

function taskOf({ evidences, ...item }: z.infer<typeof Item>, context: RowContext): RowTask {
	const passages: Passage[] = [];
	const add = (one: Evidence) => {
		if (one.kind === "passage") passages.push(one);
		return context.add(one);
	};
	const read = hotpotTask(item, { ...context, add }, { name, terms });
	const task = { ...read, ...nativeFields(name, { ...read.native, evidences }) };
	const titles = new Map(passages.map(({ id, title }) => [id, title]));
	const support = read.supporting.map((id) => ({ id, title: titles.get(id) ?? "" }));
	const made = chainOfTriples(evidences, task, { support, ids: entitiesOf(item, evidences.length) });
	if ("problem" in made) context.warn(`${made.problem}: kept without a chain`);
	return "problem" in made ? task : { ...task, chain: made.chain };
}

const Entities = z.object({
	/** The triples with Wikidata's ids for the words. */
	evidences_id: z.array(z.tuple([z.string(), z.string(), z.string()])).max(100),
	/** The entities that the supporting paragraphs are about, in the order in which the facts name those. */
	entity_ids: z.string().max(10_000),
	supporting_facts: SupportingFacts,
});
interface Ids {
	/** Of each triple's subject and object. */
	ends: { subject: string; object: string }[];
	/** Title of the supporting paragraph about an entity. */
	titles: Map<string, string>;
}

/** What a row says by ids of its triples and paragraphs; nothing where it says none, or not of each. */
function entitiesOf(item: unknown, triples: number): Ids {
	const read = Entities.safeParse(item).data;
	if (read?.evidences_id.length !== triples) return { ends: [], titles: new Map() };
	const titles = [...new Set(factsOf(read.supporting_facts).map(([title]) => title))];
	const entities = read.entity_ids.split("_");
	return {
		ends: read.evidences_id.map(([subject, , object]) => ({ subject, object })),
		titles: new Map(entities.length === titles.length ? entities.map((id, at) => [id, titles[at] ?? ""]) : []),
	};
}

/** A triple is a hop; it needs those that end in its subject. What is compared in the end is a hop of its own. */
function chainOfTriples(
	triples: z.infer<typeof Evidences>,
	task: RowTask,
	{ support, ids }: { support: readonly { id: string; title: string }[]; ids: Ids },
): { chain: Chain } | { problem: string } {
	if (triples.length === 0) return { problem: "no triples" };
	const hops: Hop[] = [];
	for (const [index, [subject, relation, object]] of triples.entries()) {
		const entity = ids.ends[index]?.subject;
		const named = passagesAbout(subject, support);
		// the triples often call an entity otherwise than its paragraph does
		const evidence = named.length > 0 ? named : passagesAbout(ids.titles.get(entity ?? "") ?? "", support);
		if (evidence.length === 0) return { problem: `no supporting paragraph is about "${subject}"` };
		const answer = untypedAnswer(object);
		if (!answer) return { problem: `triple ${index + 1} has no object` };
		const needs = triples.flatMap(([, , end], other) => {
			const leads = same(end, subject) || (entity !== undefined && ids.ends[other]?.object === entity);
			return other !== index && leads ? [{ hop: `${other + 1}`, role: "bridge" as const }] : [];
		});
		const question = `What is the ${relation} of ${subject.trim()}?`;
		hops.push({ id: `${index + 1}`, question, modality: "text", needs, evidence, answer, relation });
	}
	const ends = hops.filter((hop) => !hops.some(({ needs }) => needs.some((need) => need.hop === hop.id)));
	const compared = task.tags?.questionType?.includes("comparison") === true;
	if (compared) {
		if (ends.length < 2) return { problem: "a comparison of fewer than two ends" };
		const needs = ends.map(({ id }) => ({ hop: id, role: "operand" as const }));
		const { question, answer } = task;
		hops.push({ id: "comparison", question, modality: "compute", needs, evidence: [], answer });
		return { chain: { hops, sink: "comparison" } };
	}
	const [sink, second] = ends;
	if (!sink || second) return { problem: "its triples do not chain to one end" };
	if (!accepts(task.answer, sink.answer))
		return { problem: `its triples end in "${sink.answer.value}", not in the answer` };
	return { chain: { hops: hops.map((hop) => (hop === sink ? { ...hop, answer: task.answer } : hop)), sink: sink.id } };
}

/** Supporting paragraphs of that title, else of that title with a word in brackets behind it. */
function passagesAbout(subject: string, support: readonly { id: string; title: string }[]): string[] {
	const exact = support.filter(({ title }) => same(title, subject));
	const found =
		exact.length > 0 ? exact : support.filter(({ title }) => same(title.replace(/ \([^()]*\)$/, ""), subject));
	return found.map(({ id }) => id);
}

const accepts = (answer: Answer, other: Answer) =>
	answer.accepted.some((form) => same(form, other.value)) || same(answer.value, other.value);
const same = (a: string, b: string) => a.trim().toLowerCase() === b.trim().toLowerCase();
