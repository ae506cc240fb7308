/**
 * SlideVQA (Tanaka et al. 2023): questions on decks of 20 slides, whose pages count from 1, and a file of each deck's
 * boxes in pixels of its pictures. Its licence allows evaluation and research only.
 */
import { z } from "zod";
import type { Block, Source } from "#domain";
import { sha256 } from "#store";
import { type BoxForm, boxFormName, boxFrom } from "./boxes.ts";
import { overPages } from "./document-question.ts";
import type { Format, ReadOptions } from "./format.ts";
import { untypedAnswer } from "./given-answer.ts";
import { pageEvidence } from "./pages.ts";
import { type ReadRow, readTasks, type TaskInput } from "./reading.ts";
import { type RowContext, refuse, taskRow } from "./row-context.ts";
import type { Row as FileRow } from "./rows.ts";

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

const source: Source = {
	name: "SlideVQA",
	licence: "NTT evaluation licence: research and evaluation only, no redistribution",
	attribution: "SlideVQA: A Dataset for Document Visual Question Answering on Multiple Images (Tanaka et al. 2023)",
	url: "https://github.com/nttmdlab-nlp/SlideVQA",
};
const boxes: BoxForm = { shape: "xywh", unit: "pixels" };

export const slidevqa: Format = {
	name: "slidevqa",
	title: "SlideVQA",
	files:
		"the questions (dev.jsonl), and the decks' boxes (bbox/dev.jsonl) where their slides are to become pages; else the decks are read into a knowledge base first",
	verified: "description",
	source,
	conventions: { pages: 1, boxes: boxFormName(boxes) },
	losses: [],
	read: (files, options = {}) =>
		readTasks(files, { schema: Row, source, read: (row, at) => rowRead(row, at, options) }, options),
};

function rowRead(row: Row, at: FileRow, options: ReadOptions): Promise<ReadRow> | ReadRow {
	if (row.question !== undefined) return taskRow(at, options, (context) => taskOf(row, context));
	return row.bboxes === undefined
		? { refused: "holds neither a question nor boxes" }
		: deckRow(row, row.bboxes, at, options);
}

function taskOf(row: Row, context: RowContext): TaskInput {
	const { question = "", deck_name, qa_id } = row;
	if (qa_id === undefined) refuse("has no qa_id");
	const answer = untypedAnswer(row.answer) ?? refuse("its answer is empty");
	const numbers = { base: 1, prefix: context.options.documents } as const;
	const pages = (row.evidence_pages ?? []).map((page) => pageEvidence(deck_name, page, numbers));
	if (pages.length === 0) context.lose("no evidence page is named: kept without a chain");
	const { reasoning_type, answer_type, arithmetic_expression } = row;
	const arithmetic =
		arithmetic_expression && arithmetic_expression !== "None" ? { arithmetic: arithmetic_expression } : {};
	return {
		id: `slidevqa-${qa_id}`,
		question,
		answer,
		...overPages(question, answer, pages),
		tags: { language: "en", reasoning: reasoning_type ?? "", answerType: answer_type ?? "", ...arithmetic },
		cluster: deck_name,
		source: source.name,
		rights: source.licence,
	};
}

/** Classes of boxes as kinds of blocks; what has none of ours is a figure. */
const kinds: Record<string, Block["kind"]> = {
	...{ Title: "heading", "Page-text": "text", "Obj-text": "text", "Other-text": "text", Caption: "caption" },
	Table: "table",
};

/** The slides of a deck as pages without text: where their blocks are. */
function deckRow(row: Row, slides: NonNullable<Row["bboxes"]>, at: FileRow, options: ReadOptions): Promise<ReadRow> {
	return taskRow(at, options, (context) => {
		for (const [page, found] of slides) {
			const blocks = found.map(({ class: kind, bbox }): Block => {
				const read = boxFrom(bbox, boxes, [1, 1]);
				return "problem" in read
					? refuse(`at bboxes: ${read.problem}`)
					: { kind: (Object.hasOwn(kinds, kind) ? kinds[kind] : undefined) ?? "figure", text: "", box: read.box };
			});
			context.add({
				...{ kind: "page", text: "", language: "und", sha256: sha256(""), blocks },
				id: pageEvidence(row.deck_name, page, { base: 1, prefix: options.documents }),
				document: `${options.documents ?? ""}${row.deck_name}`,
				title: row.deck_name,
				page: page - 1,
				provenance: { source: source.name, record: at.row, licence: source.licence },
			});
		}
		return undefined;
	});
}
