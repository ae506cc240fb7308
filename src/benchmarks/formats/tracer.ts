import { z } from "zod";
import type { Answer, Chain, Evidence, Hop } from "#domain";
import { freeObject, freeRecord } from "#domain";
import { writeJsonl } from "#store";
import { defineFormat, type RowTask } from "./define-format.ts";
import { untypedAnswer } from "./given-answer.ts";
import { nativeFields } from "./native.ts";
import { passageOf, wikipedia } from "./passage.ts";
import { mustFit, type RowContext, refuse } from "./row-context.ts";
import { taskName } from "./task-name.ts";
import { tracerRows } from "./tracer-rows.ts";

/** One level of a record: the sub-question, its document, and the question of all levels up to it. */
export const Level = freeObject({
	question: z.string().min(1),
	answer: z.string().min(1),
	doc: z.string(),
	final_question: z.string().min(1).optional(),
	final_answer: z.string().min(1).optional(),
	refined_answer: z.string().nullish(),
	optional_answers: z.array(z.string()).max(1000).nullish(),
	/** `initial_qa` is what the generator writes of the first level, an atomic question. */
	qa_type: z.enum(["initial_qa", "inference", "comparison"]).nullish(),
});
export type Level = z.infer<typeof Level>;

const Item = freeRecord(z.unknown());

export const tracerName = "tracer";
const terms = wikipedia(tracerName, "AgenticRAGTracer");
const mostLevels = 20;

/**
 * Records of levels `hop_1` … `hop_k`, each with the question of all up to it: every prefix is a task, and a record is a
 * nested series of them.
 */
export const tracer = defineFormat({
	name: tracerName,
	title: "AgenticRAGTracer",
	files: "the JSON or JSON lines as released, one file a number of hops and type",
	licence: "CC-BY-4.0",
	attribution:
		"AgenticRAGTracer (its authors, released as YqjMartin/AgenticRAGTracer); passages from Wikipedia, CC BY-SA.",
	url: "https://huggingface.co/datasets/YqjMartin/AgenticRAGTracer",
	scoring: "tracer-official",
	rights: "CC BY 4.0, AgenticRAGTracer",
	schema: Item,
	task: tasksOf,
	write: async (content, dir) => {
		const losses: string[] = [];
		const rows = tracerRows(content, (warning) => losses.push(warning));
		const { count } = await writeJsonl(`${dir}/${tracerName}.jsonl`, rows);
		return { files: [`${tracerName}.jsonl`], rows: count, losses };
	},
});

function tasksOf(item: z.infer<typeof Item>, context: RowContext): RowTask[] {
	const rest = Object.fromEntries(Object.entries(item).filter(([key, value]) => !isLevel(key) || value === null));
	const count = Object.keys(item).length - Object.keys(rest).length;
	if (count === 0) refuse("has no hop_1");
	if (count > mostLevels) refuse(`has ${count} levels, more than ${mostLevels}`);
	const levels: Level[] = [];
	for (let number = 1; number <= count; number += 1) {
		const hop = `hop_${number}`;
		levels.push(mustFit(z.object({ [hop]: Level }), item)[hop] as Level);
	}
	const series = taskName(tracerName, ...levels.map(({ question, final_question }) => final_question ?? question));
	const evidence: string[] = [];
	let chain: Chain | undefined = { hops: [], sink: "" };
	const tasks: RowTask[] = [];
	for (const [index, level] of levels.entries()) {
		const number = index + 1;
		const passage = passageIn(level.doc);
		evidence.push(context.add(passage.evidence));
		const answer = answerOf(level) ?? refuse(`hop_${number} states no answer`);
		const question = level.final_question ?? level.question;
		const grown: ReturnType<typeof withLevel> =
			chain === undefined
				? { problem: `hop_${number} builds on a hop that is not understood` }
				: withLevel(chain, level, { number, question, answer, evidence: passage.evidence.id });
		if ("problem" in grown) context.warn(`${grown.problem}: kept without a chain from level ${number} on`);
		chain = "problem" in grown ? undefined : grown.chain;
		tasks.push({
			...{ id: `${series}-${number}`, question, answer },
			...(chain ? { chain } : { supporting: [...evidence] }),
			...nativeFields(tracerName, {
				...{ level: passage.exact ? { ...level, doc: undefined } : level },
				...(number === count ? { rest } : {}),
			}),
			tags: { ...typeOf(levels.slice(0, number)), hops: `${number}` },
			ladder: { id: series, level: number },
			cluster: series,
			rights: "CC BY 4.0, AgenticRAGTracer",
		});
	}
	return tasks;
}

const isLevel = (key: string) => /^hop_[1-9]\d*$/.test(key);

/**
 * The type belongs to the whole chain: one that holds a comparison is of the comparisons however it goes on, as the
 * paper's Table 3 groups its questions of 3 and 4 hops. A question of one level has none, and so has one with a level
 * of unknown type.
 */
function typeOf(levels: readonly Level[]): { questionType?: "inference" | "comparison" } {
	const types = levels.slice(1).map(({ qa_type }) => qa_type);
	if (types.includes("comparison")) return { questionType: "comparison" };
	return types.length > 0 && types.every((type) => type === "inference") ? { questionType: "inference" } : {};
}

/** The document with its quoted title line; `exact` where the two make the same text again. */
function passageIn(doc: string): { evidence: Evidence; exact: boolean } {
	const [, title = "", text = doc] = /^"([^\n]*)"\n([\s\S]*)$/.exec(doc) ?? [];
	return { evidence: passageOf({ title, text }, terms), exact: `"${title}"\n${text}` === doc };
}

function answerOf({ answer, final_answer = answer, refined_answer, optional_answers }: Level): Answer | undefined {
	const made = untypedAnswer(final_answer, refined_answer, optional_answers);
	return made ? { ...made, accepted: [...new Set(made.accepted)] } : undefined;
}

/** An inference goes on from the answer so far; a comparison puts a fact beside it and compares the two. */
function withLevel(
	{ hops, sink }: Chain,
	{ question, answer: given, qa_type }: Level,
	at: { number: number; question: string; answer: Answer; evidence: string },
): { chain: Chain } | { problem: string } {
	const id = `hop_${at.number}`;
	const first = hops.length === 0;
	if (!first && qa_type !== "inference" && qa_type !== "comparison")
		return { problem: `${id} does not state whether it infers or compares` };
	const compares = !first && qa_type === "comparison";
	const own = compares ? untypedAnswer(given) : at.answer;
	if (!own) return { problem: `${id} states no answer` };
	const needs: Hop["needs"] = first || compares ? [] : [{ hop: sink, role: "bridge" }];
	const hop: Hop = { id, question, modality: "text", needs, evidence: [at.evidence], answer: own };
	if (!compares) return { chain: { hops: [...hops, hop], sink: id } };
	const comparison: Hop = {
		...{ id: `comparison_${at.number}`, question: at.question, modality: "compute", evidence: [], answer: at.answer },
		needs: [sink, id].map((needed) => ({ hop: needed, role: "operand" })),
	};
	return { chain: { hops: [...hops, hop, comparison], sink: comparison.id } };
}
