/**
 * VistaHop (2026): rows of its evaluation, and the files of its synthesis: questions over chains of Wikidata relations,
 * visual questions made of them, and fused ones. Rows hold no boxes; those its tools take count from 0 to 1000.
 */

import { readFile, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import { z } from "zod";
import type { Task } from "#domain";
import { freeObject } from "#domain";
import { writeJsonl } from "#store";
import { withNumberKind } from "../number-kind.ts";
import { boxFormName } from "./boxes.ts";
import { defineFormat, type RowTask, signalOf } from "./define-format.ts";
import type { ReadOptions, Writing, Written } from "./format.ts";
import { formsOf, untypedAnswer, writtenAnswer } from "./given-answer.ts";
import { nativeFields, nativeOf } from "./native.ts";
import { questionImage, RowPicture } from "./pictures.ts";
import type { TaskInput } from "./reading.ts";
import { mustFit, type RowContext, refuse } from "./row-context.ts";
import { type BrokenRow, type Row, readRows } from "./rows.ts";
import { taskName } from "./task-name.ts";
import { EvidenceChain, Fused, hopsOfEdges, hopsOfFusion, numeric, passageOfEdge } from "./vistahop-chain.ts";
import { writeArray } from "./write-array.ts";

const Id = z.union([z.string().min(1).max(150), z.number()]);
const Evaluated = freeObject({
	id: Id,
	dataset: z.string().optional(),
	question: z.string().min(1),
	image_path: z.string().optional(),
	image: RowPicture.optional(),
	answer: z.union([z.array(z.union([z.string(), z.number()])).min(1), z.string().min(1)]),
});
const Question = freeObject({
	id: Id,
	question: z.string().min(1),
	answer: z.string().min(1),
	evidence_chain: EvidenceChain,
});
const Visual = freeObject({
	id: Id,
	question: z.string().min(1),
	answer: z.string().min(1),
	original_question: z.string(),
	target_entity: z.string(),
	local_image_path: z.string().nullish(),
	image_url: z.string().nullish(),
});

const name = "vistahop";

export const vistahop = defineFormat({
	name,
	title: "VistaHop",
	files:
		"data/subset1.parquet, or files of the synthesis (stage3_evidence_chains, stage4_questions, stage 5 and 6, final results); those of one synthesis together, so that fused questions find their chains",
	licence: "see the release",
	attribution: "VistaHop: long-hop visual questions over images and Wikidata",
	url: "https://github.com/ahang0712/vistahop",
	conventions: { boxes: boxFormName({ shape: "xyxy", unit: "thousandths" }) },
	losses: [
		{ field: "image", why: "rows name their image, its bytes are not written" },
		{ field: "stage3_evidence_chains", why: "chains without a question become evidence, which is not written back" },
	],
	rights: "VistaHop; images and pages keep their own terms",
	rows: rowsOf,
	known: chainsOf,
	schema: freeObject({}),
	task: rowTask,
	write,
});

const mostWholeBytes = 256 * 1024 * 1024;
/** Lists in the file of final results. */
const resultLists = ["evidence_chains", "questions", "vqa_items"];

/** The rows of all files; an object that is no row by itself gives those of the lists it holds. */
async function* rowsOf(files: readonly string[], options: ReadOptions): AsyncGenerator<Row | BrokenRow> {
	for (const file of files) {
		const whole = extname(file) === ".json" ? await objectIn(file) : undefined;
		if (!whole) yield* readRows([file], signalOf(options));
		else if (!("questions_count" in whole)) yield { file, row: 1, value: whole };
		else {
			const fused = whole.fused_question;
			const values = [...resultLists.flatMap((list) => whole[list] ?? []), ...(fused ? [fused] : [])];
			for (const [place, value] of values.entries()) yield { file, row: place + 1, value };
		}
	}
}

async function objectIn(file: string): Promise<Record<string, unknown> | undefined> {
	const found = await stat(file).catch(() => undefined);
	if (!found?.isFile() || found.size > mostWholeBytes) return undefined;
	const text = await readFile(file, "utf8");
	if (!/^\s*\{/.test(text)) return undefined;
	try {
		return JSON.parse(text) as Record<string, unknown>;
	} catch {
		return undefined;
	}
}

/** Evidence chains by the id and by the wording of their question, for what was made of them. */
async function chainsOf(files: readonly string[], options: ReadOptions): Promise<Map<string, EvidenceChain>> {
	const chains = new Map<string, EvidenceChain>();
	for await (const row of rowsOf(files, options)) {
		const question = "value" in row ? Question.safeParse(row.value).data : undefined;
		if (!question) continue;
		chains.set(`id ${question.id}`, question.evidence_chain);
		chains.set(`question ${question.question}`, question.evidence_chain);
	}
	return chains;
}

/** A row by its fields, whichever step of the synthesis wrote it. */
function rowTask(
	row: Record<string, unknown>,
	context: RowContext,
	chains: Map<string, EvidenceChain>,
): RowTask | Promise<RowTask> | undefined {
	if ("fusion_operation" in row && "final_answer" in row) return fusedTask(mustFit(Fused, row), context, chains);
	if ("evidence_chain" in row) return questionTask(mustFit(Question, row), context);
	if ("original_question" in row) return visualTask(mustFit(Visual, row), context, chains);
	if (!("edges" in row)) return evaluatedTask(mustFit(Evaluated, row), context);
	addEdges(mustFit(EvidenceChain, row), context);
	return undefined;
}

/** The words of a chain's edges as evidence. */
function addEdges(chain: EvidenceChain | undefined, { add }: RowContext): void {
	for (const edge of chain?.edges ?? []) {
		const passage = chain && passageOfEdge(edge, chain);
		if (passage) add(passage);
	}
}

async function evaluatedTask(row: z.infer<typeof Evaluated>, context: RowContext): Promise<RowTask> {
	const { question, answer: given, image, ...rest } = row;
	const picture = image ?? row.image_path ?? refuse("names no image");
	const listed = Array.isArray(given) ? { given } : { single: true };
	return {
		id: row.dataset === undefined ? `${row.id}` : `${row.dataset}-${row.id}`,
		question,
		images: [await questionImage(picture, "q1", context)],
		answer: untypedAnswer(given) ?? refuse("its answers are blank"),
		tags: { ...(row.dataset === undefined ? {} : { dataset: row.dataset }) },
		...nativeFields(name, { kind: "evaluated", ...listed, ...rest }),
	};
}

function questionTask(row: z.infer<typeof Question>, context: RowContext): RowTask {
	const { question, answer: said, ...rest } = row;
	return {
		id: `question-${row.id}`,
		question,
		...withChain(rest.evidence_chain, said, context),
		...nativeFields(name, { kind: "question", ...rest }),
	};
}

function withChain(
	chain: EvidenceChain | undefined,
	said: string,
	context: RowContext,
): Pick<TaskInput, "answer" | "chain"> & Pick<Task, "answer"> {
	const answer = untypedAnswer(said) ?? refuse("its answer is blank");
	const hops = chain ? hopsOfEdges(chain, said) : undefined;
	if (hops === undefined) return { answer };
	if ("problem" in hops) {
		context.warn(`${hops.problem}: kept without a chain`);
		return { answer };
	}
	addEdges(chain, context);
	const last = hops.at(-1);
	return last ? { answer, chain: { hops: [...hops.slice(0, -1), { ...last, answer }], sink: last.id } } : { answer };
}

async function visualTask(
	row: z.infer<typeof Visual>,
	context: RowContext,
	chains: Map<string, EvidenceChain>,
): Promise<RowTask> {
	const { question, answer: said, ...rest } = row;
	const picture = row.local_image_path || row.image_url || refuse("names no image");
	const image = await questionImage(picture, "q1", context);
	return {
		id: `vqa-${row.id}`,
		question,
		images: [row.target_entity === "" ? image : { ...image, hides: [row.target_entity] }],
		...withChain(chains.get(`question ${row.original_question}`), said, context),
		...nativeFields(name, { kind: "visual", ...rest }),
	};
}

function fusedTask(row: Fused, context: RowContext, chains: Map<string, EvidenceChain>): RowTask {
	const { question, final_answer, ...rest } = row;
	const answer = withNumberKind(numeric(final_answer), question);
	const chainOf = ({ id, metadata }: Fused["original_vqas"][number]) =>
		chains.get(`id ${id}`) ?? chains.get(`question ${metadata?.original_question}`);
	const made = hopsOfFusion(row, answer, chainOf);
	if (made.problem !== undefined) return refuse(made.problem);
	if (!made.hops) context.warn("the chains of its parts are not among the files: kept without a chain");
	for (const vqa of row.original_vqas) addEdges(chainOf(vqa), context);
	return {
		id: taskName("fused", question),
		question,
		answer,
		...(made.hops ? { chain: { hops: made.hops, sink: "fused" } } : {}),
		tags: { fusion: row.fusion_operation.toLowerCase() },
		...nativeFields(name, { kind: "fused", ...rest }),
	};
}

/** As they were given, numbers among them, while they are the same. */
function listedAnswers(accepted: readonly string[], given: unknown): unknown {
	const same = Array.isArray(given) && JSON.stringify(formsOf(given)) === JSON.stringify(accepted);
	return same ? given : accepted;
}

const fileOf = {
	question: "stage4_questions.json",
	visual: "stage5_vqa_items.json",
	fused: "stage6_fused_questions.json",
};

async function write({ tasks }: Written, dir: string): Promise<Writing> {
	const losses: string[] = [];
	const evaluated: unknown[] = [];
	const synthesised: Record<keyof typeof fileOf, unknown[]> = { question: [], visual: [], fused: [] };
	for (const task of tasks) {
		const { kind, single, given, ...native } = nativeOf(task, name) ?? {};
		const row = { ...native, question: task.question };
		const answer = writtenAnswer(task.answer);
		if (kind === "question" || kind === "visual") synthesised[kind].push({ ...row, answer });
		else if (kind === "fused") synthesised.fused.push({ ...row, final_answer: Number(answer) });
		else {
			const ours = kind === undefined;
			if (ours && task.chain)
				losses.push(`${task.id}: its chain is left out, a row of the evaluation has no place for it`);
			const images = task.images.length + (task.pending?.images?.length ?? 0);
			if (images !== 1) losses.push(`${task.id}: ${images} images, a row of the evaluation has one: not written`);
			else
				evaluated.push({
					...(ours ? { id: task.id, dataset: task.tags.dataset ?? "", image_path: task.images[0]?.file } : {}),
					...row,
					answer: single === true ? answer : listedAnswers(task.answer.accepted, given),
				});
		}
	}
	const files: string[] = [];
	if (evaluated.length > 0) {
		await writeJsonl(join(dir, "subset1.jsonl"), evaluated);
		files.push("subset1.jsonl");
	}
	let rows = evaluated.length;
	for (const kind of ["question", "visual", "fused"] as const) {
		if (synthesised[kind].length === 0) continue;
		rows += await writeArray(join(dir, fileOf[kind]), synthesised[kind]);
		files.push(fileOf[kind]);
	}
	return { files, rows, losses };
}
