/**
 * Double-Bench (Shen et al. 2025): `single_bench.json` and its multi-hop sibling. Any one of a step's pages answers it.
 * Pages count from 0: the released file cites page 0. Two variants of a row stand in one file, with `source_type` or
 * with `modality`; steps have numbered keys, from 0 in the released example.
 */

import { join } from "node:path";
import { z } from "zod";
import {
	type Answer,
	type DocumentType,
	EvidenceModality,
	freeObject,
	inDependencyOrder,
	modalityTag,
	ownField,
	type Task,
	tagValues,
} from "#domain";
import { defineFormat, type RowTask } from "./define-format.ts";
import { singleHop } from "./document-question.ts";
import type { Writing, Written } from "./format.ts";
import { writtenAnswer } from "./given-answer.ts";
import { nativeFields, nativeOf } from "./native.ts";
import { pageEvidence, pageNumber } from "./pages.ts";
import { type RowContext, refuse } from "./row-context.ts";
import { writeArray } from "./write-array.ts";

const Pages = z.array(z.number().int().min(0)).max(10_000);
const Step = freeObject({ reference_page: Pages });
const Row = freeObject({
	uid: z.union([z.string().min(1).max(150), z.number()]),
	question: z.string().min(1),
	answer: z.string().min(1),
	reference_page: Pages,
	language: z.string().min(1),
	doc_path: z.string().min(1).max(400),
	steps: z.array(Step).min(1).max(50).optional(),
}).refine((row) => (row.source_type === undefined) !== (row.modality === undefined), "either source_type or modality");
type Row = z.infer<typeof Row>;
interface NumberedStep {
	question: string;
	answer: string;
	pages: number[];
}

const name = "double-bench";
const base = 0;

export const doubleBench = defineFormat({
	name,
	title: "Double-Bench",
	files: "single_bench.json or the multi-hop file; the documents are read into a knowledge base first",
	licence: "see the release",
	attribution: "Are We on the Right Way for Assessing Document Retrieval-Augmented Generation? (Shen et al. 2025)",
	url: "https://github.com/Episoode/Double-Bench",
	verified: "files",
	conventions: { pages: base },
	rights: "Double-Bench; its documents keep their own terms",
	schema: Row,
	task: taskOf,
	write,
});

function taskOf(row: Row, context: RowContext): RowTask {
	const { uid, question, answer: said, reference_page, language, steps, ...rest } = row;
	const cite = (page: number) => pageEvidence(row.doc_path, page, { base, prefix: context.options.documents });
	const answer = textAnswer(said);
	const common = {
		id: steps ? `multi-${uid}` : `${uid}`,
		question,
		answer,
		tags: { language, ...tagsOf(rest, context) },
		cluster: row.doc_path,
	};
	if (!steps) {
		const native = nativeFields(name, { ...rest, uid });
		if (reference_page.length === 0) context.warn("no evidence page is named: kept without a chain");
		const chain =
			reference_page.length > 0 ? { chain: singleHop(question, answer, reference_page.map(cite), "page") } : {};
		return { ...common, ...chain, ...native };
	}
	const { first, numbered } = numberedSteps(steps);
	const union = [...new Set(numbered.flatMap(({ pages }) => pages))].sort((a, b) => a - b);
	const stated = sameList(union, reference_page) ? {} : { reference_page };
	const last = numbered.at(-1);
	const why =
		last?.answer !== said
			? `its last step answers "${last?.answer}", the question "${said}"`
			: numbered.some(({ pages }) => pages.length === 0)
				? "a step names no page"
				: undefined;
	if (why !== undefined) {
		context.warn(`${why}: kept without a chain`);
		return { ...common, supporting: union.map(cite), ...nativeFields(name, { ...rest, uid, reference_page, steps }) };
	}
	const hops = numbered.map((step, index) => ({
		id: `h${index + 1}`,
		question: step.question,
		modality: "page" as const,
		needs: index === 0 ? [] : [{ hop: `h${index}`, role: "bridge" as const }],
		evidence: step.pages.map(cite),
		answer: index === numbered.length - 1 ? answer : textAnswer(step.answer),
	}));
	const native = nativeFields(name, { ...rest, uid, ...stated, firstStep: first });
	return { ...common, chain: { hops, sink: `h${hops.length}` }, ...native };
}

/** Steps by their numbered keys: `question0`, `answer0` in the first step, or from 1. */
function numberedSteps(steps: z.infer<typeof Step>[]): { first: number; numbered: NumberedStep[] } {
	const first = Object.hasOwn(steps[0] ?? {}, "question0") ? 0 : 1;
	const numbered = steps.map((step, index) => {
		const [question, answer] = [step[`question${index + first}`], step[`answer${index + first}`]];
		if (typeof question !== "string" || question === "" || typeof answer !== "string" || answer === "")
			return refuse(`step ${index + 1} has no question${index + first} and answer${index + first}`);
		const foreign = Object.keys(step).find((key) => !known(key, index + first));
		if (foreign !== undefined) refuse(`step ${index + 1} has a field "${foreign}" that is not understood`);
		return { question, answer, pages: step.reference_page };
	});
	return { first, numbered };
}

const known = (key: string, number: number) => ["reference_page", `question${number}`, `answer${number}`].includes(key);
const textAnswer = (value: string): Answer => ({ type: "text", value, accepted: [value] });
const sameList = (a: readonly number[], b: readonly number[]) =>
	a.length === b.length && a.every((value, index) => value === b[index]);

/** Our words for its document types. */
const documentTypes: Readonly<Record<string, DocumentType>> = {
	PDF: "pdf",
	"Scanned Doc": "scanned",
	Slides: "slides",
	"HTML Pages": "html",
};

/** The tags of a row; a multi-hop row has a modality for each step. What is not understood is told and tagged as nothing. */
function tagsOf(
	{ source_type = [], modality = source_type, query_type, doc_type }: Record<string, unknown>,
	context: RowContext,
): Record<string, string> {
	const said = [modality].flat().map((one) => EvidenceModality.safeParse(one));
	if (said.some(({ success }) => !success)) context.warn(`its modality "${[modality].flat().join(", ")}" is not known`);
	const type = typeof doc_type === "string" ? ownField(documentTypes, doc_type) : undefined;
	if (doc_type !== undefined && type === undefined) context.warn(`its document type "${doc_type}" is not known`);
	return {
		...modalityTag(said.flatMap(({ data }) => data ?? [])),
		...(query_type === undefined ? {} : { queryType: `${query_type}` }),
		...(type === undefined ? {} : { documentType: type }),
	};
}

async function write({ tasks }: Written, dir: string): Promise<Writing> {
	const losses: string[] = [];
	const single: unknown[] = [];
	const multi: unknown[] = [];
	for (const task of tasks) {
		const row = rowOf(task, (what) => losses.push(`${task.id}: ${what}`));
		if (row) ("steps" in row ? multi : single).push(row);
	}
	const files: string[] = [];
	for (const [file, rows] of Object.entries({ "single_bench.json": single, "multi_bench.json": multi })) {
		if (rows.length === 0 && (file !== "single_bench.json" || multi.length > 0)) continue;
		await writeArray(join(dir, file), rows);
		files.push(file);
	}
	return { files, rows: single.length + multi.length, losses };
}

function rowOf(task: Task, warn: (what: string) => void): Record<string, unknown> | undefined {
	const native = nativeOf(task, name);
	const { firstStep, ...kept } = native ?? {};
	const hops = task.chain ? inDependencyOrder(task.chain) : [];
	const cited = [...new Set([...hops.flatMap((hop) => hop.evidence), ...(task.supporting ?? [])])];
	const places = new Map(
		cited.flatMap((id) => {
			const place = pageNumber(id, { base });
			return place ? [[id, place] as const] : [];
		}),
	);
	const documents = new Set([...places.values()].map(({ document }) => document));
	if (places.size < cited.length || documents.size > 1 || (documents.size === 0 && native === undefined)) {
		warn(
			documents.size > 1
				? `rests on ${documents.size} documents, a row on one: not written`
				: "rests on evidence that is no page of a document: not written",
		);
		return undefined;
	}
	const numbers = (evidence: readonly string[]) => evidence.map((id) => places.get(id)?.number ?? 0);
	const [document] = documents;
	const row = {
		uid: task.id,
		question: task.question,
		answer: writtenAnswer(task.answer),
		reference_page: numbers(hops.length > 1 ? [] : (hops[0]?.evidence ?? [])),
		language: task.tags.language,
		doc_path: document ?? "",
		...(native
			? {}
			: {
					query_type: task.tags.queryType ?? "",
					source_type: sourceType(tagValues(task.tags, "evidenceModality"), hops.length),
					doc_type: Object.entries(documentTypes).find(([, ours]) => ours === task.tags.documentType)?.[0] ?? "",
				}),
		...kept,
	};
	if (hops.length < 2) return row;
	if (!native && hops.some((hop, index) => !follows(hop.needs, hops[index - 1]?.id)))
		warn("its hops are written one after another: a row has no place for what needs what");
	const first = typeof firstStep === "number" ? firstStep : 0;
	const steps = hops.map((hop, index) => ({
		[`question${index + first}`]: hop.question,
		[`answer${index + first}`]: writtenAnswer(hop.answer),
		reference_page: numbers(hop.evidence),
	}));
	const union = [...new Set(hops.flatMap((hop) => numbers(hop.evidence)))].sort((a, b) => a - b);
	return { ...row, reference_page: kept.reference_page ?? union, steps };
}

/** One word for a row of one hop, a list for one of several. */
const sourceType = (modalities: string[], hops: number) => (hops > 1 ? modalities : (modalities[0] ?? ""));

const follows = (needs: readonly { hop: string }[], before: string | undefined) =>
	before === undefined ? needs.length === 0 : needs.length === 1 && needs[0]?.hop === before;
