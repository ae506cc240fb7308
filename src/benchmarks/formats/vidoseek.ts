/**
 * ViDoSeek (Wang et al. 2025): questions on slide decks, `{examples: […]}`. Pages count from 1, as the released
 * conversion names the pictures of pages.
 */

import { z } from "zod";
import { defineFormat, type RowTask } from "./define-format.ts";
import { overNumberedPages } from "./document-question.ts";
import { untypedAnswer } from "./given-answer.ts";
import { type RowContext, refuse } from "./row-context.ts";

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

export const vidoseek = defineFormat({
	name: "vidoseek",
	title: "ViDoSeek",
	files: "vidoseek.json; the PDF files are read into a knowledge base first",
	licence: "Apache-2.0",
	attribution:
		"ViDoRAG: Visual Document Retrieval-Augmented Generation via Dynamic Iterative Reasoning Agents (Wang et al. 2025)",
	url: "https://github.com/Alibaba-NLP/ViDoRAG",
	conventions: { pages: 1 },
	rights: "Apache-2.0, ViDoSeek; its documents keep their own terms",
	object: { under: "examples" },
	schema: Row,
	task: taskOf,
});

function taskOf(row: z.infer<typeof Row>, context: RowContext): RowTask {
	const { file_name, reference_page, source_type, query_type } = row.meta_info;
	const answer = untypedAnswer(row.reference_answer) ?? refuse("its answer is empty");
	const pages = { document: file_name, numbers: reference_page, base: 1 } as const;
	return {
		id: row.uid,
		question: row.query,
		answer,
		...overNumberedPages({ question: row.query, answer }, pages, context),
		tags: { modality: source_type, queryType: query_type },
		cluster: file_name,
	};
}
