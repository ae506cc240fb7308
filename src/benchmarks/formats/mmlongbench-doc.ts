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

const Row = z.object({
	doc_id: z.string().min(1).max(400),
	doc_type: z.string().default(""),
	question: z.string().min(1),
	answer: z.union([z.string(), z.number()]).transform(String),
	evidence_pages: z.string(),
	evidence_sources: z.string(),
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
	const numbers = listOf("evidence_pages", row.evidence_pages).map((page) =>
		typeof page === "number" ? page : refuse(`evidence_pages holds "${page}", which is no page number`),
	);
	const prefix = context.options.documents;
	const pages = numbers.map((page) => pageEvidence(row.doc_id, page, { base: 1, prefix }));
	if (answer.type !== "none" && pages.length === 0) context.warn("no evidence page is named: kept without a chain");
	const sources = listOf("evidence_sources", row.evidence_sources).map(String);
	return {
		id: taskName("mmlongbench-doc", row.doc_id, row.question),
		question: row.question,
		answer,
		...overPages(row.question, answer, pages),
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

function answerOf(row: Row, context: RowContext): Answer {
	const declines = row.answer.trim() === unanswerable;
	if (row.answer_format === "None" && !declines) refuse(`says that it has no answer but gives "${row.answer}"`);
	if (declines) return noAnswer(unanswerable);
	if (row.answer_format === "List") {
		const items = listOf("answer", row.answer).map(String);
		return items.length > 0
			? { type: "list", value: row.answer, accepted: [row.answer], items }
			: refuse("its answer is an empty list");
	}
	const typed =
		row.answer_format === "Str" ? { answer: untypedAnswer(row.answer) } : answerOfType(row.answer, "number");
	if ("warning" in typed && typed.warning) context.warn(typed.warning);
	return typed.answer ? withNumberKind(typed.answer, row.question) : refuse("its answer is empty");
}

function listOf(field: string, text: string) {
	const read = readPythonLiteral(text);
	if ("problem" in read) return refuse(`at ${field}: ${read.problem}`);
	return Array.isArray(read.value) ? read.value : refuse(`at ${field}: "${text.slice(0, 60)}" is no list`);
}
