import { z } from "zod";
import type { Answer, Chain, Hop, Source, Task } from "#domain";
import type { Format } from "./format.ts";
import { untypedAnswer } from "./given-answer.ts";
import { HotpotItem, hotpotRow, readHotpot } from "./hotpotqa.ts";
import { nativeFields, nativeOf } from "./native.ts";
import { wikipedia } from "./passage.ts";
import { type ReadRow, readTasks } from "./reading.ts";
import { writeArray } from "./write-array.ts";

const Evidences = z.array(z.tuple([z.string().min(1), z.string().min(1), z.string().min(1)])).max(100);
const Item = HotpotItem.extend({ evidences: Evidences.default([]) });

const name = "two-wiki";
const source: Source = {
	name: "2WikiMultihopQA",
	licence: "Apache-2.0",
	attribution:
		"2WikiMultihopQA (Ho, Nguyen, Sugawara, Aizawa); paragraphs from Wikipedia, CC BY-SA; triples from Wikidata.",
	url: "https://github.com/Alab-NII/2wikimultihop",
};
const terms = wikipedia(name, source.name);

/** HotpotQA's form with triples, which make a real graph where each begins with what another ends in. */
export const twoWiki: Format = {
	name,
	title: source.name,
	files: "train.json or dev.json as released",
	verified: "description",
	source,
	conventions: {},
	losses: [],
	read: (files, options) => readTasks(files, { schema: Item, source, read: readItem }, options),
	async write(content, dir) {
		const losses: string[] = [];
		async function* rows() {
			for (const task of content.tasks) {
				const { row, losses: lost } = await hotpotRow(task, { name, ...content });
				const evidences = Evidences.safeParse(nativeOf(task, name)?.evidences).data;
				if (!evidences && task.chain) lost.push(`${task.id}: its hops are no triples: left out`);
				losses.push(...lost);
				yield { ...row, evidences: evidences ?? [] };
			}
		}
		const count = await writeArray(`${dir}/${name}.json`, rows());
		return { files: [`${name}.json`], rows: count, losses };
	},
};

function readItem({ evidences, ...item }: z.infer<typeof Item>): ReadRow {
	const read = readHotpot(item, { name, source, terms });
	if ("refused" in read) return read;
	const [task] = read.tasks as Task[];
	if (!task) return read;
	const whole: Task = { ...task, ...nativeFields(name, { ...task.native, evidences }) };
	const titles = new Map((read.evidence ?? []).map(({ id, title }) => [id, title]));
	const support = (task.supporting ?? []).map((id) => ({ id, title: titles.get(id) ?? "" }));
	const made = chainOfTriples(evidences, whole, support);
	if ("problem" in made)
		return { ...read, tasks: [whole], losses: [...(read.losses ?? []), `${made.problem}: kept without a chain`] };
	return { ...read, tasks: [{ ...whole, chain: made.chain }] };
}

/** A triple is a hop; it needs those that end in its subject. What is compared in the end is a hop of its own. */
function chainOfTriples(
	triples: z.infer<typeof Evidences>,
	task: Task,
	support: readonly { id: string; title: string }[],
): { chain: Chain } | { problem: string } {
	if (triples.length === 0) return { problem: "no triples" };
	const hops: Hop[] = [];
	for (const [index, [subject, relation, object]] of triples.entries()) {
		const evidence = passagesAbout(subject, support);
		if (evidence.length === 0) return { problem: `no supporting paragraph is about "${subject}"` };
		const answer = untypedAnswer(object);
		if (!answer) return { problem: `triple ${index + 1} has no object` };
		const needs = triples.flatMap(([, , end], other) =>
			other !== index && same(end, subject) ? [{ hop: `${other + 1}`, role: "bridge" as const }] : [],
		);
		const question = `What is the ${relation} of ${subject}?`;
		hops.push({ id: `${index + 1}`, question, modality: "text", needs, evidence, answer, relation });
	}
	const ends = hops.filter((hop) => !hops.some(({ needs }) => needs.some((need) => need.hop === hop.id)));
	const compared = task.tags.questionType?.includes("comparison") === true;
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
