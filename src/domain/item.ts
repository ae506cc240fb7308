import { z } from "zod";
import { Answer } from "./answer.ts";
import { Chain, HopId } from "./chain.ts";
import { freeObject, freeRecord, Json } from "./free-keys.ts";
import { ImageRef, type Task } from "./task.ts";

/** Why an item was dropped, by a rule, a model or a person: one flat list, so that recipes can be compared. */
export const Reason = z.enum([
	"not_entity",
	"vague_answer",
	"numeric_intermediate",
	"long_answer",
	"compound_answer",
	"compound_question",
	"answer_in_question",
	"intermediate_in_question",
	"repeated_answer",
	"source_reference",
	"instruction",
	"other_language",
	"missing_visual_reference",
	"names_hidden_entity",
	"missing_name",
	"trivial_concatenation",
	"bad_linkage",
	"entity_false_link",
	"forced_pairing",
	"lacking_evidence",
	"unit_mismatch",
	"arithmetic_wrong",
	"not_grounded",
	"not_solvable",
	"closed_book",
	"text_only",
	"clue_recoverable",
	"hop_redundant",
	"hop_skippable",
	"low_visual_dependence",
	"confounder",
	"same_name",
	"too_many_pages",
	"under_specified",
	"ambiguous",
	"many_valued",
	"time_unanchored",
	"too_familiar",
	"abstract_entity",
	"low_confidence",
	"vague_relation",
	"low_score",
	"duplicate",
	"benchmark_overlap",
	"over_cap",
	"dead_end",
	"personal_data",
	"image_bad",
	"fluency",
	"broken_graph",
	"other",
]);
export type Reason = z.infer<typeof Reason>;

/** One wording of an item's question; the last one counts, none is taken away. */
export const QuestionVersion = z.object({
	text: z.string().min(1),
	/** The stage or the reviewer that wrote it. */
	by: z.string(),
	/** What it was rewritten for. */
	why: z.string().optional(),
});
export type QuestionVersion = z.infer<typeof QuestionVersion>;

/** One answer of a solver under a condition, kept so that the item can be judged again. */
export const Trial = z.object({
	/** What the solver was given, e.g. `closed-book`, `without h2`. */
	condition: z.string(),
	model: z.string(),
	output: z.string(),
	/** Agreement with the gold answer, 0 to 1. */
	score: z.number().min(0).max(1),
	/** Points of two that a judge gave it, where one decided: from 1 on the score is 1. */
	judged: z.number().int().min(0).max(2).optional(),
});
export type Trial = z.infer<typeof Trial>;

/** What one check found. A fault is no verdict: it is written elsewhere, and the item waits. */
export const CheckRecord = z.object({
	check: z.string(),
	version: z.number().int().positive(),
	/** `item`, or the hop looked at. */
	on: z.union([z.literal("item"), z.object({ hop: HopId })]),
	/**
	 * skipped: it needs what there was not (a model, an image, log-probabilities). not-applicable: the item holds nothing
	 * that it looks at (no image, one hop, no walk), whoever could be asked. Neither is ever counted as passed.
	 */
	verdict: z.enum(["pass", "fail", "skipped", "not-applicable"]),
	reason: Reason.optional(),
	detail: z.string().optional(),
	score: z.number().optional(),
	threshold: z.number().optional(),
	trials: z.array(Trial).optional(),
	/** Models asked, and hashes of the prompts. */
	models: z.array(z.string()).optional(),
	prompts: z.array(z.string()).optional(),
	/** Hash of what was looked at: a later question, chain or answer makes the verdict stale. */
	about: z.string(),
});
export type CheckRecord = z.infer<typeof CheckRecord>;

/** A task in the making: every wording, every check, and where it came from. */
export const Item = z.object({
	/** Hash of the first question, the answer and the evidence: the same item has the same id in every run. */
	id: z.string().min(1).max(200),
	recipe: z.object({ name: z.string(), version: z.string() }),
	questions: z.array(QuestionVersion).min(1),
	images: z.array(ImageRef).default([]),
	answer: Answer,
	chain: Chain,
	checks: z.array(CheckRecord).default([]),
	/** Ids of the units and items that it was made from. */
	lineage: z.array(z.string()).default([]),
	tags: freeObject({ language: z.string().default("und") }, z.string()).default({ language: "und" }),
	ladder: z.object({ id: z.string(), level: z.number().int().positive() }).optional(),
	cluster: z.string().optional(),
	source: z.string().default(""),
	rights: z.string().default(""),
	/** What a stage leaves for a later one. */
	notes: freeRecord(Json).default({}),
});
export type Item = z.infer<typeof Item>;

/** The question as it stands now. */
export const questionOf = (item: Pick<Item, "questions">): string => item.questions.at(-1)?.text ?? "";

/** The task that an item has become. */
export function taskOf(item: Item): Task {
	const { id, images, answer, chain, tags, ladder, cluster, source, rights } = item;
	return {
		id,
		question: questionOf(item),
		images,
		answer,
		chain,
		tags,
		...(ladder ? { ladder } : {}),
		...(cluster ? { cluster } : {}),
		source,
		rights,
	};
}

/** A ready task as an item, so that checks and reviews can look at it. One without a chain is taken as a single hop. */
export function itemOf(task: Task, recipe: Item["recipe"] = { name: "ready", version: "1" }): Item {
	const { id, question, images, answer, tags, ladder, cluster, source, rights } = task;
	const alone: Chain = {
		hops: [{ id: "h1", question, modality: "text", needs: [], evidence: [...(task.supporting ?? [])], answer }],
		sink: "h1",
	};
	return {
		...{ id, recipe, images, answer, tags, source, rights },
		questions: [{ text: question, by: "source" }],
		chain: task.chain ?? alone,
		checks: [],
		lineage: [],
		...(ladder ? { ladder } : {}),
		...(cluster ? { cluster } : {}),
		notes: {},
	};
}
