/**
 * MMhops (2026): its fields are not public, so nothing is read without a file that says which is which (`--mapping`).
 *
 * The mapping is YAML or JSON: our names to the rows' own, dots for fields within fields. An example in the manner of
 * InfoSeek, from whose questions the set grew:
 *
 *     id: data_id
 *     question: question
 *     answer: answer
 *     evaluated: answer_eval
 *     images: image_ids
 *     type: answer_type
 *     types: { string: entity, number: numerical, time: time }
 *     hops: { in: hops, question: question, answer: answer, evidence: evidence_id, image: "" }
 *     kind: question_type
 *     language: en
 */

import { z } from "zod";
import { type Answer, freeRecord, type Hop, inDependencyOrder, type Task, usageError } from "#domain";
import { FieldPath, valueAt } from "../field-path.ts";
import { withNumberKind } from "../number-kind.ts";
import { defineFormat, type RowTask, writeRows } from "./define-format.ts";
import type { ReadOptions, Written } from "./format.ts";
import { formsOf, type GivenAnswer, untypedAnswer, writtenAnswer } from "./given-answer.ts";
import { evaluatedAnswer } from "./infoseek-answer.ts";
import { nativeFields, nativeOf } from "./native.ts";
import { questionImage, RowPicture } from "./pictures.ts";
import { type RowContext, refuse } from "./row-context.ts";

/** Which field of a row is which. */
const Mapping = z.strictObject({
	id: FieldPath,
	question: FieldPath,
	/** A text or a list of texts that all count. */
	answer: FieldPath,
	/** As InfoSeek's `answer_eval`: texts, or `{wikidata, range}` for numbers. */
	evaluated: FieldPath.optional(),
	/** A name, a list of names, or embedded images. */
	images: FieldPath,
	/** The field that says what kind of answer it is, and what it says for each. */
	type: FieldPath.optional(),
	types: z.record(z.enum(["string", "number", "time"]), z.string()).optional(),
	/** Bridging or comparison; kept as a tag. */
	kind: FieldPath.optional(),
	/** The field of the steps in order, and the fields in each. */
	hops: z.strictObject({ in: FieldPath, question: FieldPath, answer: FieldPath, evidence: FieldPath }).optional(),
	language: z.string().min(2).default("en"),
});
type Mapping = z.infer<typeof Mapping>;

const name = "mmhops";

export const mmhops = defineFormat({
	name,
	title: "MMhops",
	files: "the rows as JSON, JSON lines or Parquet, with --mapping FILE that says which field is which",
	licence: "other",
	attribution: "MMhops-R1: Multimodal Multi-hop Reasoning; images and knowledge of Wikipedia",
	url: "https://huggingface.co/datasets/taoszhang/MMhops",
	scoring: "mmhops",
	losses: [{ field: "images, where they are embedded", why: "their bytes are not written into rows" }],
	rights: "other, MMhops",
	known: (_, options) => mappingOf(options),
	schema: freeRecord(z.unknown()),
	task: taskOf,
	write: writeRows("mmhops.jsonl", { row: rowOf }),
});

function mappingOf({ mapping }: ReadOptions): Mapping {
	const parsed = Mapping.safeParse(mapping);
	if (parsed.success) return parsed.data;
	const issue = parsed.error.issues[0];
	throw usageError(
		"no-mapping",
		mapping === undefined
			? "the fields of MMhops are not public: which is which must be said"
			: `the mapping does not fit: ${issue?.path.length ? `at ${issue.path.join(".")}: ` : ""}${issue?.message}`,
		"Give --mapping FILE, YAML or JSON, with our names (id, question, answer, images; evaluated, type, types, kind, hops, language) and the file's.",
	);
}

async function taskOf(row: Record<string, unknown>, context: RowContext, mapping: Mapping): Promise<RowTask> {
	const id = z.union([z.string().min(1).max(190), z.number()]).safeParse(valueAt(row, mapping.id));
	const question = z.string().min(1).safeParse(valueAt(row, mapping.question));
	if (!id.success) return refuse(`has no id at "${mapping.id}"`);
	if (!question.success) return refuse(`has no question at "${mapping.question}"`);
	const given = valueAt(row, mapping.images);
	const pictures = z
		.array(RowPicture)
		.min(1)
		.max(50)
		.safeParse(Array.isArray(given) ? given : [given]);
	if (!pictures.success) return refuse(`has no image at "${mapping.images}"`);
	const images = [];
	for (const [place, picture] of pictures.data.entries())
		images.push(await questionImage(picture, `q${place + 1}`, context));
	const answer = withNumberKind(answerOf(row, mapping), question.data);
	const hops = mapping.hops ? hopsOf(row, mapping.hops, answer) : undefined;
	const kind = mapping.kind === undefined ? undefined : valueAt(row, mapping.kind);
	const embedded = pictures.data.some((picture) => typeof picture !== "string");
	return {
		id: `${id.data}`,
		question: question.data,
		images,
		answer,
		...(hops ? { chain: { hops, sink: hops.at(-1)?.id ?? "" } } : {}),
		tags: { language: mapping.language, ...(typeof kind === "string" ? { questionType: kind } : {}) },
		...nativeFields(name, { row: embedded ? without(row, mapping.images) : row, mapping }),
	};
}

function answerOf(row: Record<string, unknown>, mapping: Mapping): Answer {
	const given = valueAt(row, mapping.answer) as GivenAnswer;
	const evaluated = mapping.evaluated === undefined ? undefined : valueAt(row, mapping.evaluated);
	const said = mapping.type === undefined ? undefined : valueAt(row, mapping.type);
	const type = Object.entries(mapping.types ?? {}).find(([, word]) => word === said)?.[0];
	if (said !== undefined && mapping.types && type === undefined) refuse(`answer type "${said}" is not in the mapping`);
	if (evaluated !== undefined) return evaluatedAnswer(formsOf(given), evaluated, type === "time" ? "Time" : undefined);
	if (type === "number" || type === "time")
		refuse(`a ${type} without its interval: the mapping names no "evaluated" field`);
	return untypedAnswer(given) ?? refuse(`has no answer at "${mapping.answer}"`);
}

/** Steps in order, each needing the one before it: what a bridging question is made of. */
function hopsOf(row: Record<string, unknown>, fields: NonNullable<Mapping["hops"]>, answer: Answer): Hop[] {
	const steps = z.array(freeRecord(z.unknown())).min(1).max(50).safeParse(valueAt(row, fields.in));
	if (!steps.success) return refuse(`has no steps at "${fields.in}"`);
	return steps.data.map((step, place) => {
		const question = z.string().min(1).safeParse(valueAt(step, fields.question));
		const evidence = formsOf(valueAt(step, fields.evidence) as GivenAnswer);
		const own = untypedAnswer(valueAt(step, fields.answer) as GivenAnswer);
		if (!question.success || !own || evidence.length === 0)
			return refuse(`step ${place + 1} lacks its question, answer or evidence`);
		const last = place === steps.data.length - 1;
		if (last && own.value !== answer.value)
			refuse(`its last step answers "${own.value}", the question "${answer.value}"`);
		return {
			id: `h${place + 1}`,
			question: question.data,
			modality: place === 0 ? "image" : "text",
			needs: place === 0 ? [] : [{ hop: `h${place}`, role: "bridge" }],
			evidence,
			answer: last ? answer : own,
		};
	});
}

/** The row that the task was read from, with what its task says now in the mapped fields. */
function rowOf(task: Task, _: Written, warn: (what: string) => void): Record<string, unknown> | undefined {
	const native = nativeOf(task, name);
	const mapping = Mapping.safeParse(native?.mapping);
	const kept = freeRecord(z.unknown()).safeParse(native?.row);
	if (!mapping.success || !kept.success) {
		warn("it was not read by a mapping, and the fields of MMhops are not public: not written");
		return undefined;
	}
	const row = structuredClone(kept.data);
	const { id, question, answer, hops } = mapping.data;
	put(row, id, typeof valueAt(row, id) === "number" ? Number(task.id) : task.id);
	put(row, question, task.question);
	const before = valueAt(row, answer) as GivenAnswer;
	if (formsOf(before)[0] !== writtenAnswer(task.answer))
		put(row, answer, Array.isArray(before) ? task.answer.accepted : writtenAnswer(task.answer));
	const steps = hops ? valueAt(row, hops.in) : undefined;
	if (hops && task.chain && Array.isArray(steps))
		for (const [place, hop] of inDependencyOrder(task.chain).entries())
			if (steps[place]) put(steps[place] as Record<string, unknown>, hops.question, hop.question);
	return row;
}

function put(row: Record<string, unknown>, path: string, value: unknown): void {
	const parts = path.split(".");
	const last = parts.pop() ?? path;
	const inner = parts.length === 0 ? row : valueAt(row, parts.join("."));
	if (typeof inner === "object" && inner !== null) (inner as Record<string, unknown>)[last] = value;
}

function without(row: Record<string, unknown>, path: string): Record<string, unknown> {
	const [first = path] = path.split(".");
	return Object.fromEntries(Object.entries(row).filter(([field]) => field !== first));
}
