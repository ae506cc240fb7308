/**
 * SlideVQA (Tanaka et al. 2023): questions on decks of 20 slides, whose pages count from 1, and a file of each deck's
 * boxes in pixels of its pictures. Its licence allows evaluation and research only.
 */

import { z } from "zod";
import type { Block } from "#domain";
import { sha256 } from "#store";
import { type BoxForm, boxFormName, boxFrom } from "./boxes.ts";
import { defineFormat, type RowTask } from "./define-format.ts";
import { overNumberedPages } from "./document-question.ts";
import { untypedAnswer } from "./given-answer.ts";
import { pageEvidence } from "./pages.ts";
import { type RowContext, refuse } from "./row-context.ts";

const Slide = z.tuple([
	z.union([z.number().int(), z.string().regex(/^\d+$/)]).transform(Number),
	z.array(z.object({ bbox_id: z.unknown(), class: z.string(), bbox: z.array(z.number()) })),
]);
const Row = z.object({
	deck_name: z.string().min(1).max(400),
	deck_url: z.string().optional(),
	qa_id: z.union([z.string().min(1).max(150), z.number()]).optional(),
	question: z.string().min(1).optional(),
	answer: z.union([z.string(), z.number()]).transform(String).optional(),
	arithmetic_expression: z.string().nullish(),
	evidence_pages: z.array(z.number().int()).max(100).optional(),
	reasoning_type: z.string().nullish(),
	answer_type: z.string().nullish(),
	bboxes: z.array(Slide).max(1000).optional(),
});
type Row = z.infer<typeof Row>;

const boxes: BoxForm = { shape: "xywh", unit: "pixels" };

export const slidevqa = defineFormat({
	name: "slidevqa",
	title: "SlideVQA",
	files:
		"the questions (dev.jsonl), and the decks' boxes (bbox/dev.jsonl) where their slides are to become pages; else the decks are read into a knowledge base first",
	licence: "NTT evaluation licence: research and evaluation only, no redistribution",
	attribution: "SlideVQA: A Dataset for Document Visual Question Answering on Multiple Images (Tanaka et al. 2023)",
	url: "https://github.com/nttmdlab-nlp/SlideVQA",
	conventions: { pages: 1, boxes: boxFormName(boxes) },
	schema: Row,
	task: (row, context) => {
		if (row.question !== undefined) return taskOf(row, context);
		return row.bboxes ? deckOf(row, row.bboxes, context) : refuse("holds neither a question nor boxes");
	},
});

function taskOf(row: Row, context: RowContext): RowTask {
	const { question = "", deck_name, qa_id } = row;
	if (qa_id === undefined) refuse("has no qa_id");
	const answer = untypedAnswer(row.answer) ?? refuse("its answer is empty");
	const pages = { document: deck_name, numbers: row.evidence_pages ?? [], base: 1 } as const;
	const { reasoning_type, answer_type, arithmetic_expression } = row;
	const arithmetic =
		arithmetic_expression && arithmetic_expression !== "None" ? { arithmetic: arithmetic_expression } : {};
	return {
		id: `slidevqa-${qa_id}`,
		question,
		answer,
		...overNumberedPages({ question, answer }, pages, context),
		tags: { reasoning: reasoning_type ?? "", answerType: answer_type ?? "", ...arithmetic },
		cluster: deck_name,
	};
}

/** Classes of boxes as kinds of blocks; what has none of ours is a figure. */
const kinds: Record<string, Block["kind"]> = {
	...{ Title: "heading", "Page-text": "text", "Obj-text": "text", "Other-text": "text", Caption: "caption" },
	Table: "table",
};

/** The slides of a deck as pages without text: where their blocks are. */
function deckOf(row: Row, slides: NonNullable<Row["bboxes"]>, { add, at, options }: RowContext): undefined {
	for (const [page, found] of slides) {
		const blocks = found.map(({ class: kind, bbox }): Block => {
			const read = boxFrom(bbox, boxes, [1, 1]);
			return "problem" in read
				? refuse(`at bboxes: ${read.problem}`)
				: { kind: (Object.hasOwn(kinds, kind) ? kinds[kind] : undefined) ?? "figure", text: "", box: read.box };
		});
		add({
			...{ kind: "page", text: "", language: "und", sha256: sha256(""), blocks },
			id: pageEvidence(row.deck_name, page, { base: 1, prefix: options.documents }),
			document: `${options.documents ?? ""}${row.deck_name}`,
			title: row.deck_name,
			page: page - 1,
			provenance: {
				source: "SlideVQA",
				record: at.row,
				licence: "NTT evaluation licence: research and evaluation only, no redistribution",
			},
		});
	}
	return undefined;
}
