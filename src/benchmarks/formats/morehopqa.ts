import { z } from "zod";
import type { Task } from "#domain";
import { freeObject } from "#domain";
import { withNumberKind } from "../number-kind.ts";
import { defineFormat, type RowTask, writeRows } from "./define-format.ts";
import type { Written } from "./format.ts";
import { writtenAnswer } from "./given-answer.ts";
import { chainOf } from "./morehopqa-chain.ts";
import { nativeFields, nativeOf } from "./native.ts";
import { Paragraphs, paragraphsOf, readParagraphs, writtenParagraphs } from "./paragraphs.ts";
import { wikipedia } from "./passage.ts";
import type { RowContext } from "./row-context.ts";
import { answerOfType } from "./stated-type.ts";

const SubQuestion = freeObject({
	sub_id: z.string().min(1).max(128),
	question: z.string().min(1),
	answer: z.string().min(1),
	paragraph_support_title: z.string().default(""),
});

const Item = freeObject({
	_id: z.string().min(1).max(180),
	question: z.string().min(1),
	answer: z.string().min(1),
	answer_type: z.string(),
	previous_answer_type: z.string().default("string"),
	question_decomposition: z
		.array(SubQuestion.extend({ details: z.array(SubQuestion).max(100).optional() }))
		.max(100)
		.default([]),
	context: Paragraphs,
	no_of_hops: z.number().int().min(0).optional(),
	reasoning_type: z.string().optional(),
});
type Item = z.infer<typeof Item>;

const name = "morehopqa";
const terms = wikipedia(name, "MoreHopQA");

/** Two retrieving hops and a computation over what they gave, spelled out in sub-questions of its own. */
export const morehopqa = defineFormat({
	name,
	title: "MoreHopQA",
	files: "the JSON array as released",
	licence: "CC-BY-4.0",
	attribution:
		"MoreHopQA: More Than Multi-hop Reasoning (Schnitzler, Ho, Huang, Boudin, Sugawara, Aizawa); paragraphs from Wikipedia, CC BY-SA.",
	url: "https://github.com/Alab-NII/morehopqa",
	verified: "files",
	rights: "CC BY 4.0, MoreHopQA",
	schema: Item,
	task: taskOf,
	write: writeRows(`${name}.json`, { without: ["images"], row: rowOf }),
});

function taskOf(item: Item, row: RowContext): RowTask {
	const join = (sentences: readonly string[]) =>
		sentences
			.map((sentence) => sentence.trim())
			.filter((sentence) => sentence !== "")
			.join(" ");
	const { evidence, context, of, kept } = readParagraphs(item.context, terms, { join });
	const { answer: typed, warning } = answerOfType(item.answer, item.answer_type);
	const answer = withNumberKind(typed, item.question);
	if (warning) row.warn(warning);
	for (const passage of evidence) row.add(passage);
	const { _id, question, answer: _answer, answer_type, context: _context, reasoning_type, ...rest } = item;
	const task = {
		id: _id,
		question,
		answer,
		context,
		...nativeFields(name, { ...rest, ...kept }),
		tags: { answerType: answer_type, ...(reasoning_type ? { questionType: reasoning_type } : {}) },
	};
	const made = chainOf(item, answer, of);
	if ("problem" in made) {
		row.warn(`${made.problem}: kept without a chain`);
		return task;
	}
	for (const assumed of made.losses) row.warn(assumed);
	const details = item.question_decomposition.at(-1)?.details?.length || 1;
	if (item.no_of_hops !== undefined && item.no_of_hops !== details)
		row.warn(`says ${item.no_of_hops} computing hops but lists ${details}: those listed are kept`);
	return { ...task, chain: made.chain };
}

async function rowOf(task: Task, { evidence }: Written, warn: (what: string) => void): Promise<unknown> {
	const native = nativeOf(task, name);
	const paragraphs = await paragraphsOf(task, { native, evidence }, warn);
	const titles = new Map(paragraphs.map(({ id, title }) => [id, title]));
	const { edges: _edges, columns: _columns, question_decomposition, ...rest } = native ?? {};
	const kept = z
		.array(SubQuestion.extend({ details: z.array(SubQuestion).optional() }))
		.safeParse(question_decomposition);
	const now = new Map(task.chain?.hops.map((hop) => [hop.id, hop]));
	const current = (sub: z.infer<typeof SubQuestion>) => {
		const hop = now.get(sub.sub_id);
		const said = hop ? writtenAnswer(hop.answer) : sub.answer;
		const same = said.trim().toLowerCase() === sub.answer.trim().toLowerCase();
		return { ...sub, question: hop?.question ?? sub.question, answer: same ? sub.answer : said };
	};
	const decomposition = kept.success
		? kept.data.map(({ details, ...sub }) => ({
				...current(sub),
				...(details ? { details: details.map(current) } : {}),
			}))
		: (task.chain?.hops ?? []).map((hop) => ({
				sub_id: hop.id,
				question: hop.question,
				answer: writtenAnswer(hop.answer),
				paragraph_support_title: titles.get(hop.evidence[0] ?? "") ?? "",
			}));
	const { answerType, questionType } = task.tags;
	return {
		_id: task.id,
		question: task.question,
		answer: writtenAnswer(task.answer),
		...rest,
		question_decomposition: decomposition,
		context: writtenParagraphs(paragraphs, native),
		answer_type: answerType ?? task.answer.type,
		...(questionType === undefined ? {} : { reasoning_type: questionType }),
	};
}
