/**
 * ViDoSeek (Wang et al. 2025): questions on slide decks, `{examples: […]}`. Pages count from 1, as the released
 * conversion names the pictures of pages.
 */
import { z } from "zod";
import type { Source } from "#domain";
import { overPages } from "./document-question.ts";
import type { Format } from "./format.ts";
import { untypedAnswer } from "./given-answer.ts";
import { pageEvidence } from "./pages.ts";
import { readTasks, type TaskInput } from "./reading.ts";
import { type RowContext, refuse, taskRow } from "./row-context.ts";

const Row = z.object({
	uid: z.string().min(1).max(200),
	query: z.string().min(1),
	reference_answer: z.union([z.string(), z.number()]).transform(String),
	meta_info: z.object({
		file_name: z.string().min(1).max(400),
		reference_page: z.array(z.number().int()).max(1000),
		source_type: z.string().default(""),
		query_type: z.string().default(""),
	}),
});

const source: Source = {
	name: "ViDoSeek",
	licence: "Apache-2.0",
	attribution:
		"ViDoRAG: Visual Document Retrieval-Augmented Generation via Dynamic Iterative Reasoning Agents (Wang et al. 2025)",
	url: "https://github.com/Alibaba-NLP/ViDoRAG",
};

export const vidoseek: Format = {
	name: "vidoseek",
	title: "ViDoSeek",
	files: "vidoseek.json; the PDF files are read into a knowledge base first",
	verified: "description",
	source,
	conventions: { pages: 1 },
	losses: [],
	read: (files, options = {}) =>
		readTasks(
			files,
			{ schema: Row, source, read: (row, at) => taskRow(at, options, (context) => taskOf(row, context)) },
			{ ...options, object: { under: "examples" } },
		),
};

function taskOf(row: z.infer<typeof Row>, context: RowContext): TaskInput {
	const { file_name, reference_page, source_type, query_type } = row.meta_info;
	const answer = untypedAnswer(row.reference_answer) ?? refuse("its answer is empty");
	const numbers = { base: 1, prefix: context.options.documents } as const;
	const pages = reference_page.map((page) => pageEvidence(file_name, page, numbers));
	if (pages.length === 0) context.lose("no evidence page is named: kept without a chain");
	return {
		id: row.uid,
		question: row.query,
		answer,
		...overPages(row.query, answer, pages),
		tags: { language: "en", modality: source_type, queryType: query_type },
		cluster: file_name,
		source: source.name,
		rights: "Apache-2.0, ViDoSeek; its documents keep their own terms",
	};
}
