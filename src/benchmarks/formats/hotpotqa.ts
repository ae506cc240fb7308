import { z } from "zod";
import type { Task } from "#domain";
import { freeObject, freeRecord, Json } from "#domain";
import { defineFormat, type RowTask, writeRows } from "./define-format.ts";
import type { Written } from "./format.ts";
import { untypedAnswer, writtenAnswer } from "./given-answer.ts";
import { nativeFields, nativeOf } from "./native.ts";
import { Paragraphs, paragraphsOf, readParagraphs, writtenParagraphs } from "./paragraphs.ts";
import { type PassageTerms, wikipedia } from "./passage.ts";
import { type RowContext, refuse } from "./row-context.ts";
import { factsInForm, factsOf, SupportingFacts, supportOf, writtenFacts } from "./supporting-facts.ts";
import { taskName } from "./task-name.ts";

/** HotpotQA's row; 2WikiMultihopQA's has more. */
export const HotpotItem = freeObject({
	_id: z.string().min(1).max(200).optional(),
	id: z.string().min(1).max(200).optional(),
	question: z.string().min(1),
	answer: z.string().optional(),
	type: z.string().optional(),
	level: z.string().optional(),
	supporting_facts: SupportingFacts.nullish(),
	context: Paragraphs.nullish(),
});
export type HotpotItem = z.infer<typeof HotpotItem>;

const name = "hotpotqa";
const terms = wikipedia(name, "HotpotQA");

/** The order and the questions of the hops are not released: support is kept, no chain is made up. */
export const hotpotqa = defineFormat({
	name,
	title: "HotpotQA",
	files: "hotpot_{train,dev}_*.json, or the same in columns (Parquet, JSON lines)",
	licence: "CC-BY-SA-4.0",
	attribution:
		"HotpotQA (Yang, Qi, Zhang, Bengio, Cohen, Salakhutdinov, Manning); paragraphs from Wikipedia, CC BY-SA.",
	url: "https://hotpotqa.github.io",
	verified: "files",
	rights: "CC-BY-SA-4.0, HotpotQA",
	schema: HotpotItem,
	task: (item, context) => hotpotTask(item, context, { name, terms }),
	write: writeRows(`${name}.json`, {
		without: ["images"],
		row: (task, content, warn) => hotpotRow(task, { name, ...content }, warn),
	}),
});

/** A row as one task with its support. */
export function hotpotTask(
	item: HotpotItem,
	context: RowContext,
	{ name, terms }: { name: string; terms: PassageTerms },
): RowTask & { supporting: string[] } {
	const { _id, id = _id, question, answer: given, type, level, supporting_facts, context: paragraphs, ...rest } = item;
	const answer = untypedAnswer(given) ?? refuse("states no answer");
	const read = readParagraphs(paragraphs ?? [], terms);
	if (read.context.length === 0)
		return refuse("has no context, nothing to answer it from: short-qa reads questions and answers alone");
	for (const passage of read.evidence) context.add(passage);
	if (!supporting_facts) return refuse("has no supporting_facts");
	const facts = factsOf(supporting_facts);
	const idField = item.id !== undefined ? "id" : _id !== undefined ? "_id" : undefined;
	return {
		id: id ?? taskName(name, question, answer.value, ...read.context),
		question,
		answer,
		context: read.context,
		supporting: supportOf(facts, read, context.warn),
		...nativeFields(name, {
			facts,
			factColumns: !Array.isArray(supporting_facts),
			idField,
			rest: idField === "id" && _id !== undefined ? { ...rest, _id } : rest,
			...read.kept,
		}),
		tags: {
			...(type === undefined ? {} : { questionType: type }),
			...(level === undefined ? {} : { difficulty: level }),
		},
	};
}

const Kept = z.object({
	facts: z.array(z.tuple([z.string(), z.number()])),
	factColumns: z.boolean(),
	/** None where the row named no id. */
	idField: z.enum(["id", "_id"]).optional(),
	rest: freeRecord(Json),
});

/** A task as a row; the facts of one from elsewhere are the sentences of its gold passages that hold the hop's answer. */
export async function hotpotRow(
	task: Task,
	{ name, evidence }: { name: string } & Pick<Written, "evidence">,
	warn: (what: string) => void,
): Promise<Record<string, unknown>> {
	const native = nativeOf(task, name);
	const kept = Kept.safeParse(native).data;
	const paragraphs = await paragraphsOf(task, { native, evidence }, warn);
	const written = kept?.facts ?? writtenFacts(task, paragraphs, warn);
	const facts = factsInForm(written, kept?.factColumns ?? false);
	const { questionType, difficulty } = task.tags;
	const forked = task.chain?.hops.some((hop) => hop.needs.length > 1) === true;
	const type = kept ? questionType : (questionType ?? (forked ? "comparison" : "bridge"));
	const idField = kept ? kept.idField : "_id";
	return {
		...(idField === undefined ? {} : { [idField]: task.id }),
		question: task.question,
		answer: writtenAnswer(task.answer),
		...(type === undefined ? {} : { type }),
		...(difficulty === undefined ? {} : { level: difficulty }),
		...kept?.rest,
		supporting_facts: facts,
		context: writtenParagraphs(paragraphs, native),
	};
}
