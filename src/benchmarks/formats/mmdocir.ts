/**
 * MMDocIR (Dong et al. 2025): one line a document with its questions, their pages (from 0) and the boxes on them that
 * answer, in points of the page. The kind of a question is a list as Python's text.
 */

import { z } from "zod";
import type { Answer, Region } from "#domain";
import { freeObject } from "#domain";
import { type BoxForm, boxFormName, boxFrom } from "./boxes.ts";
import { defineFormat, type RowTask, signalOf } from "./define-format.ts";
import { overNumberedPages } from "./document-question.ts";
import { formsOf, noAnswer, untypedAnswer } from "./given-answer.ts";
import { nativeFields } from "./native.ts";
import { readPythonLiteral } from "./python-literal.ts";
import { eachWithin, type RowContext, refuse } from "./row-context.ts";
import { readRows } from "./rows.ts";
import { taskName } from "./task-name.ts";

const Row = z.object({
	doc_name: z.string().min(1).max(400),
	domain: z.string().default(""),
	question: z.object({
		Q: z.string().min(1),
		A: z.union([z.string(), z.number(), z.array(z.union([z.string(), z.number()]))]),
		page_id: z.array(z.number().int()).max(1000),
		type: z.string(),
		layout_mapping: z
			.array(
				z.object({
					page: z.number().int(),
					page_size: z.tuple([z.number(), z.number()]),
					bbox: z.array(z.number()),
				}),
			)
			.default([]),
	}),
});

const boxes: BoxForm = { shape: "xyxy", unit: "points" };
const unanswerable = "Not answerable";

export const mmdocir = defineFormat({
	name: "mmdocir",
	title: "MMDocIR",
	files: "MMDocIR_annotations.jsonl; the documents are read into a knowledge base first",
	licence: "none stated",
	attribution: "MMDocIR: Benchmarking Multi-Modal Retrieval for Long Documents (Dong et al. 2025)",
	url: "https://github.com/MMDocRAG/MMDocIR",
	verified: "files",
	conventions: { pages: 0, boxes: boxFormName(boxes), listsAsText: ["type", "A (where it is a list)"] },
	rights: "no licence stated, MMDocIR; its documents keep their own terms",
	rows: (files, options) => eachWithin(readRows(files, signalOf(options)), questionsOf),
	schema: Row,
	repeats: "kept",
	task: taskOf,
});

/** Each question with the name of its document. */
function questionsOf(value: unknown): unknown[] | undefined {
	const line = freeObject({ questions: z.array(z.unknown()) }).safeParse(value).data;
	return line?.questions.map((question) => ({ doc_name: line.doc_name, domain: line.domain, question }));
}

function taskOf({ doc_name, domain, question }: z.infer<typeof Row>, context: RowContext): RowTask {
	const answer = answerOf(question.A);
	const pages = { document: doc_name, numbers: question.page_id, base: 0 } as const;
	const rests = overNumberedPages({ question: question.Q, answer }, pages, context);
	// the boxes that answer, of the pages' evidence ids' numbers and in points
	const regions = question.layout_mapping.map(({ page, page_size, bbox }): Region => {
		const read = boxFrom(bbox, boxes, page_size);
		if ("problem" in read) return refuse(`at layout_mapping: ${read.problem}`);
		if (page < 0) refuse(`at layout_mapping: page ${page}`);
		return { page, box: read.box, size: page_size };
	});
	return {
		// some documents are asked the same of several pages
		id: taskName("mmdocir", doc_name, question.Q, ...question.page_id.map(String)),
		question: question.Q,
		answer,
		...rests,
		tags: { domain, evidenceSources: kindsOf(question.type).join(", ") },
		cluster: doc_name,
		...nativeFields("mmdocir", { regions }),
	};
}

/** Several things that belong to one answer are a list as Python's text. */
function answerOf(given: z.infer<typeof Row>["question"]["A"]): Answer {
	const [value = "", ...others] = formsOf(given);
	if (value.trim() === unanswerable) return noAnswer(unanswerable);
	const read = others.length === 0 && value.trim().startsWith("[") ? readPythonLiteral(value) : undefined;
	const items = read && "value" in read && Array.isArray(read.value) ? read.value.map(String) : [];
	if (items.length > 0) return { type: "list", value, accepted: [value], items };
	return untypedAnswer(given) ?? refuse("its answer is empty");
}

function kindsOf(type: string): string[] {
	const read = readPythonLiteral(type);
	if ("value" in read && Array.isArray(read.value)) return read.value.map(String);
	return type.trim().startsWith("[") ? refuse(`at type: ${"problem" in read ? read.problem : "no list"}`) : [type];
}
