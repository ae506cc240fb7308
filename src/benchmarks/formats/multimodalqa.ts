/**
 * MultiModalQA (Talmor et al. 2021): `MMQA_dev.jsonl` and its tables, texts and images. A question's program becomes a
 * graph of hops. The files of contexts, where they are named too, become the evidence.
 */

import { z } from "zod";
import type { Answer } from "#domain";
import { freeObject } from "#domain";
import { defineFormat, type RowTask } from "./define-format.ts";
import { singleHop } from "./document-question.ts";
import { untypedAnswer } from "./given-answer.ts";
import { nativeFields } from "./native.ts";
import { passageOf, wikipedia } from "./passage.ts";
import { imageEvidence } from "./pictures.ts";
import { hopsOfProgram, readProgram } from "./question-program.ts";
import { mustFit, type RowContext, refuse } from "./row-context.ts";
import { tableText } from "./table-text.ts";

const Id = z.string().min(1).max(200);
const One = freeObject({
	answer: z.union([z.string(), z.number()]).transform(String),
	type: z.string().optional(),
	modality: z.string().optional(),
});
const Question = z.object({
	qid: Id,
	question: z.string().min(1),
	answers: z.array(One).max(1000).default([]),
	metadata: z.object({
		type: z.string().min(1),
		modalities: z.array(z.string()).default([]),
		pseudo_language_question: z.string().default(""),
		image_doc_ids: z.array(Id).default([]),
		text_doc_ids: z.array(Id).default([]),
		table_id: Id.nullish(),
		intermediate_answers: z.array(z.union([z.array(One), One])).nullish(),
	}),
	supporting_context: z.array(z.object({ doc_id: Id, doc_part: z.enum(["text", "table", "image"]) })).default([]),
});
const Titled = { id: Id, title: z.string(), url: z.string().default("") };
const Text = z.object({ ...Titled, text: z.string().min(1) });
const Picture = z.object({ ...Titled, path: z.string().min(1) });
const Cells = z.array(z.array(z.object({ text: z.string() })));
const Table = z.object({
	...Titled,
	table: z.object({
		table_rows: Cells,
		table_name: z.string().default(""),
		header: z.array(z.object({ column_name: z.string() })).default([]),
	}),
});

export const multimodalqa = defineFormat({
	name: "multimodalqa",
	title: "MultiModalQA",
	files: "MMQA_dev.jsonl, and MMQA_tables, MMQA_texts and MMQA_images.jsonl (unpacked), with --images for the last",
	licence: "MIT; texts and tables of Wikipedia CC BY-SA, images under their own licences",
	attribution: "MultiModalQA: Complex Question Answering over Text, Tables and Images (Talmor et al. 2021)",
	url: "https://github.com/allenai/multimodalqa",
	verified: "files",
	schema: freeObject({}),
	task: rowTask,
});

const named = (id: string) => `mmqa#${id}`;

const terms = wikipedia("mmqa", "MultiModalQA");

/** A question, or a text, table or picture that questions rest on. */
async function rowTask(row: Record<string, unknown>, context: RowContext): Promise<RowTask | undefined> {
	if ("qid" in row) return taskOf(mustFit(Question, row), context);
	if ("text" in row) {
		const { id, title, text, url } = mustFit(Text, row);
		context.add({ ...passageOf({ title, text, document: url || title }, terms), id: named(id) });
	} else if ("table" in row) {
		const { id, title, url, table } = mustFit(Table, row);
		const text = tableText(
			table.header.map((column) => column.column_name),
			table.table_rows.map((cells) => cells.map((cell) => cell.text)),
		);
		const section = table.table_name === "" ? {} : { section: table.table_name };
		const passage = passageOf({ title, text, document: url || title }, terms);
		context.add({ ...passage, ...section, id: named(id), form: "table" });
	} else {
		const { id, title, path, url } = mustFit(Picture, row);
		const provenance = { source: "MultiModalQA", record: context.at.row };
		const about = { title, language: "en", caption: title || id, provenance };
		await imageEvidence(path, { id: named(id), document: url || title || id, ...about }, context);
	}
	return undefined;
}

function taskOf(row: z.infer<typeof Question>, context: RowContext): RowTask {
	const { type, modalities, pseudo_language_question, intermediate_answers, image_doc_ids, text_doc_ids, table_id } =
		row.metadata;
	const answer = answerOf(row.answers) ?? refuse("its answers are not public, as in the test set");
	const read = readProgram(type);
	if ("problem" in read) return refuse(read.problem);
	const of = (part: string) =>
		row.supporting_context.filter((one) => one.doc_part === part).map((one) => named(one.doc_id));
	const evidence = { text: of("text"), table: of("table"), image: of("image") };
	const gold = [...new Set(Object.values(evidence).flat())];
	const before = (intermediate_answers ?? []).flatMap((one) => {
		const group = Array.isArray(one) ? one : [one];
		const answer = answerOf(group);
		return answer ? [{ from: group[0]?.modality ?? "", answer }] : [];
	});
	const asked = [...pseudo_language_question.matchAll(/\{([^{}]+)\}/g)].flatMap(([, words]) => words?.trim() || []);
	const hops =
		read.program.kind === "single"
			? singleHop(row.question, answer, evidence[read.program.of], read.program.of).hops.map((hop) => ({
					needs: [],
					...hop,
				}))
			: hopsOfProgram(read.program, { question: row.question, answer, evidence, before, asked });
	const sink = hops?.at(-1)?.id;
	const chain = hops && sink ? { chain: { hops, sink } } : { supporting: gold };
	if (!hops) context.warn(`which answers its parts (${type}) have is not told: kept without a chain`);
	return {
		id: row.qid,
		question: row.question,
		answer,
		...chain,
		context: [
			...new Set([...gold, ...[...image_doc_ids, ...text_doc_ids, ...(table_id ? [table_id] : [])].map(named)]),
		].sort(),
		tags: { program: type, modalities: modalities.join(", ") },
		...nativeFields("multimodalqa", { pseudo_language_question }),
	};
}

/** One answer, or the members of one. */
function answerOf(answers: readonly z.infer<typeof One>[]): Answer | undefined {
	const items = answers.map(({ answer }) => answer).filter((text) => text.trim() !== "");
	const [only] = items;
	if (only === undefined) return undefined;
	if (items.length === 1) return untypedAnswer(only);
	const value = items.join(", ");
	return { type: "list", value, accepted: [value], items };
}
