/**
 * MMLongBench-Doc (Ma et al. 2024): questions on long PDF documents, `samples.json`. Lists are Python's text, pages
 * count from 1, and 223 of 1,082 questions have no answer in their document.
 */

import { z } from "zod";
import { type Answer, type EvidenceModality, modalityTag } from "#domain";
import { withNumberKind } from "../number-kind.ts";
import { defineFormat, type RowTask } from "./define-format.ts";
import { overPages } from "./document-question.ts";
import { noAnswer, untypedAnswer } from "./given-answer.ts";
import { pageEvidence } from "./pages.ts";
import { readPythonLiteral } from "./python-literal.ts";
import { type RowContext, refuse } from "./row-context.ts";
import { answerOfType } from "./stated-type.ts";
import { taskName } from "./task-name.ts";

/** A list as Python's text; a few rows have a list or a single value instead. */
const Listed = z.union([z.string(), z.number(), z.array(z.union([z.string(), z.number()])).max(1000)]);
const Row = z.object({
	doc_id: z.string().min(1).max(400),
	doc_type: z.string().default(""),
	question: z.string().min(1),
	answer: z.union([z.string(), z.number()]).transform(String),
	evidence_pages: Listed,
	evidence_sources: Listed,
	answer_format: z.enum(["Int", "Str", "Float", "List", "None"]),
});
type Row = z.infer<typeof Row>;

const unanswerable = "Not answerable";

export const mmlongbenchDoc = defineFormat({
	name: "mmlongbench-doc",
	title: "MMLongBench-Doc",
	files: "samples.json; the PDF files are read into a knowledge base first",
	licence: "Apache-2.0",
	attribution: "MMLongBench-Doc: Benchmarking Long-context Document Understanding with Visualizations (Ma et al. 2024)",
	url: "https://github.com/mayubo2333/MMLongBench-Doc",
	verified: "files",
	scoring: "mmlongbench",
	conventions: { pages: 1, listsAsText: ["evidence_pages", "evidence_sources", "answer (of format List)"] },
	rights: "Apache-2.0, MMLongBench-Doc",
	schema: Row,
	repeats: "kept",
	task: taskOf,
});

/** Its sources of evidence in the words that every benchmark's tags have; it is over PDF files alone. */
const modalities: Readonly<Partial<Record<string, EvidenceModality>>> = {
	"Pure-text (Plain-text)": "text",
	"Generalized-text (Layout)": "text",
	Table: "table",
	Chart: "figure",
	Figure: "figure",
};

function taskOf(row: Row, context: RowContext): RowTask {
	const answer = answerOf(row, context);
	const sources = listOf("evidence_sources", row.evidence_sources, context).map(String);
	return {
		id: taskName("mmlongbench-doc", row.doc_id, row.question),
		question: row.question,
		answer,
		...overNamedPages(row, answer, context),
		tags: {
			answerType: row.answer_format,
			documentType: "pdf",
			...(row.doc_type === "" ? {} : { documentGenre: row.doc_type }),
			...(sources.length === 0 ? {} : { evidenceSources: sources.join(", ") }),
			...modalityTag(sources.flatMap((said) => modalities[said] ?? [])),
		},
		cluster: row.doc_id,
	};
}

/** A page 0, which no document has where pages count from 1, is left out; the others are no hop by themselves then. */
function overNamedPages(row: Row, answer: Answer, context: RowContext): ReturnType<typeof overPages> {
	const numbers = listOf("evidence_pages", row.evidence_pages, context).map((page) =>
		/^\d+$/.test(`${page}`) ? Number(page) : refuse(`evidence_pages holds "${page}", which is no page number`),
	);
	const there = numbers.filter((page) => page !== 0);
	const prefix = context.options.documents;
	const pages = there.map((page) => pageEvidence(row.doc_id, page, { base: 1, prefix }));
	if (answer.type !== "none" && numbers.length === 0) context.warn("no evidence page is named: kept without a chain");
	if (there.length === numbers.length) return overPages(row.question, answer, pages);
	context.warn("evidence_pages holds page 0, and pages count from 1: that one is left out, kept without a chain");
	return pages.length > 0 ? { supporting: [...new Set(pages)] } : {};
}

function answerOf(row: Row, context: RowContext): Answer {
	const declines = row.answer.trim() === unanswerable;
	if (row.answer_format === "None" && !declines) refuse(`says that it has no answer but gives "${row.answer}"`);
	if (declines) return noAnswer(unanswerable);
	if (row.answer_format === "List") {
		const items = listOf("answer", row.answer, context).map(String);
		if (items.length > 0) return { type: "list", value: row.answer, accepted: [row.answer], items };
		context.warn("its answer is an empty list: kept as it is written");
		return { type: "string", value: row.answer, accepted: [row.answer] };
	}
	const typed =
		row.answer_format === "Str" ? { answer: untypedAnswer(row.answer) } : answerOfType(row.answer, "number");
	if ("warning" in typed && typed.warning) context.warn(typed.warning);
	return typed.answer ? withNumberKind(typed.answer, row.question) : refuse("its answer is empty");
}

/** A single value where a list should stand is told and taken as its only member, as the set's own program does. */
function listOf(field: string, given: z.infer<typeof Listed>, { warn }: RowContext): readonly unknown[] {
	if (Array.isArray(given)) return given;
	const text = `${given}`.trim();
	if (text === "") return refuse(`at ${field}: it is empty`);
	if (/^[[(]/.test(text)) {
		const read = readPythonLiteral(text);
		if ("problem" in read) return refuse(`at ${field}: ${read.problem}`);
		if (Array.isArray(read.value)) return read.value;
	}
	warn(`${field} is "${text.slice(0, 60)}" and no list: taken as its only member`);
	return [text];
}
