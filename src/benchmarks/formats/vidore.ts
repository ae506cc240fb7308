/**
 * ViDoRe (Faysse et al. 2024): pictures of pages to be found. Two forms: rows with query and picture together, and, as
 * in BEIR, corpus, queries and qrels, told apart by their columns. Only queries that state an answer become tasks.
 */

import { z } from "zod";
import { freeObject } from "#domain";
import { defineFormat, type RowTask, signalOf } from "./define-format.ts";
import { overPages } from "./document-question.ts";
import type { ReadOptions } from "./format.ts";
import { formsOf, untypedAnswer } from "./given-answer.ts";
import { imageEvidence, RowPicture } from "./pictures.ts";
import { type RowContext, refuse } from "./row-context.ts";
import { readRows } from "./rows.ts";
import { taskName } from "./task-name.ts";

const Id = z.union([z.string().min(1).max(300), z.number()]).transform(String);
const Given = z.union([z.string(), z.number(), z.array(z.union([z.string(), z.number()]))]);
const common = { language: z.string().nullish(), answer: Given.nullish(), answers: Given.nullish() };
const Together = z.object({
	query: z.string().min(1),
	image: RowPicture,
	image_filename: z.string().min(1),
	...common,
});
const Query = z.object({ "query-id": Id, query: z.string().min(1), ...common });
const Document = z.object({
	"corpus-id": Id,
	image: RowPicture,
	"doc-id": Id.nullish(),
	doc_id: Id.nullish(),
	markdown: z.string().nullish(),
});
const Judged = z.object({ "query-id": Id, "corpus-id": Id, score: z.number() });

export const vidore = defineFormat({
	name: "vidore",
	title: "ViDoRe",
	files: "the Parquet files of one set: rows with query and image, or corpus, queries and qrels",
	licence: "as each of its sets states",
	attribution:
		"ColPali: Efficient Document Retrieval with Vision Language Models (Faysse et al. 2024) and its successors",
	url: "https://huggingface.co/vidore",
	known: judgements,
	schema: freeObject({}),
	task: taskOf,
});

/** The relevant pictures of each query. */
async function judgements(files: readonly string[], options: ReadOptions): Promise<Map<string, string[]>> {
	const judged = new Map<string, string[]>();
	for await (const row of readRows(files, signalOf(options))) {
		const one = "value" in row ? Judged.safeParse(row.value).data : undefined;
		if (one && one.score > 0) judged.set(one["query-id"], [...(judged.get(one["query-id"]) ?? []), one["corpus-id"]]);
	}
	return judged;
}

async function taskOf(
	row: Record<string, unknown>,
	context: RowContext,
	judged: Map<string, string[]>,
): Promise<RowTask | undefined> {
	const together = Together.safeParse(row).data;
	if (together) {
		const { image, image_filename, query } = together;
		const answer = answerOf(together);
		const id = await pictureEvidence(image, { id: image_filename, document: image_filename, text: "" }, context);
		return queryTask(taskName("vidore", query, image_filename), together, answer, [id]);
	}
	if (Judged.safeParse(row).success) return undefined;
	const query = Query.safeParse(row).data;
	if (query) {
		const pages = judged.get(query["query-id"]) ?? refuse("no qrels name a relevant page for it");
		return queryTask(`vidore-${query["query-id"]}`, query, answerOf(query), pages.map(evidenceName));
	}
	const document = Document.safeParse(row).data ?? refuse("is neither a query, a page with its image, nor a judgement");
	const { "corpus-id": id, image, markdown } = document;
	const name = document["doc-id"] ?? document.doc_id ?? id;
	await pictureEvidence(image, { id, document: name, text: markdown ?? "" }, context);
	return undefined;
}

const evidenceName = (id: string) => `vidore#${id}`;

function pictureEvidence(
	image: RowPicture,
	{ id, document, text }: { id: string; document: string; text: string },
	context: RowContext,
): Promise<string> {
	const about = {
		...{ id: evidenceName(id), document, title: document, language: "und", caption: text || document },
		provenance: { source: "ViDoRe", record: context.at.row },
	};
	return imageEvidence(image, about, context);
}

function answerOf({ answer, answers }: Pick<z.infer<typeof Query>, "answer" | "answers">) {
	return untypedAnswer(formsOf([answer, answers])) ?? refuse("states no answer, which a task needs");
}

function queryTask(
	id: string,
	row: { query: string; language?: string | null | undefined },
	answer: ReturnType<typeof answerOf>,
	pages: string[],
): RowTask {
	return {
		id,
		question: row.query,
		answer,
		...overPages(row.query, answer, pages),
		tags: { language: row.language ?? "und" },
	};
}
