/**
 * StrategyQA (Geva et al. 2021): yes-no questions whose steps they do not say. The steps are released, with `#1` for the
 * answer of the first, and for each the paragraphs that three annotators found; what the steps answer is not, so they make
 * no chain: they are kept as they are, and the paragraphs of all annotators are what supports the answer.
 */

import { z } from "zod";
import { freeObject } from "#domain";
import { defineFormat, type RowTask, signalOf } from "./define-format.ts";
import type { ReadOptions } from "./format.ts";
import { untypedAnswer } from "./given-answer.ts";
import { nativeFields } from "./native.ts";
import { passageOf, wikipedia } from "./passage.ts";
import { mustFit, type RowContext, refuse } from "./row-context.ts";
import { readRows } from "./rows.ts";

/** What one annotator found for one step: groups of paragraphs, and `operation` or `no_evidence`. */
const Found = z.array(z.union([z.enum(["operation", "no_evidence"]), z.array(z.string().min(1).max(480)).max(100)]));
const Question = freeObject({
	qid: z.string().min(1).max(190),
	question: z.string().min(1),
	answer: z.boolean().optional(),
	decomposition: z.array(z.string().min(1)).max(100).default([]),
	/** By annotator, by step. */
	evidence: z
		.array(z.array(Found.max(100)).max(100))
		.max(100)
		.default([]),
});
const Paragraph = z.object({ title: z.string(), content: z.string().min(1), section: z.string().nullish() });

const name = "strategyqa";
const terms = wikipedia(name, "StrategyQA");

export const strategyqa = defineFormat({
	name,
	title: "StrategyQA",
	files: "strategyqa_train.json or a part of it, and strategyqa_train_paragraphs.json",
	licence: "MIT",
	attribution:
		"Did Aristotle Use a Laptop? A Question Answering Benchmark with Implicit Reasoning Strategies (Geva et al. 2021); paragraphs from Wikipedia, CC BY-SA",
	url: "https://github.com/eladsegal/strategyqa",
	verified: "files",
	rights: "MIT, StrategyQA",
	object: "values",
	known: paragraphNames,
	schema: freeObject({}),
	task: rowTask,
});

const named = (paragraph: string) => `${name}#${paragraph}`;

/** The paragraphs that the files hold, by name. */
async function paragraphNames(files: readonly string[], options: ReadOptions): Promise<Set<string>> {
	const names = new Set<string>();
	if (files.length < 2) return names;
	for await (const row of readRows(files, { object: "values", ...signalOf(options) }))
		if ("value" in row && row.key !== undefined && Paragraph.safeParse(row.value).success) names.add(row.key);
	return names;
}

/** A question, or a paragraph by its name. */
function rowTask(row: Record<string, unknown>, context: RowContext, there: Set<string>): RowTask | undefined {
	if (!("content" in row)) return taskOf(mustFit(Question, row), context, there);
	const { title, content, section } = mustFit(Paragraph, row);
	const key = context.at.key ?? refuse("a paragraph without a name");
	context.add({ ...passageOf({ title, text: content }, terms), ...(section ? { section } : {}), id: named(key) });
	return undefined;
}

function taskOf(row: z.infer<typeof Question>, context: RowContext, there: Set<string>): RowTask {
	const { qid, question, answer: said, ...rest } = row;
	if (said === undefined) return refuse("its answer is not public, as in the test set");
	const answer = untypedAnswer(said ? "yes" : "no") ?? refuse("its answer is empty");
	const { decomposition, evidence } = rest;
	if (evidence.some((steps) => steps.length !== decomposition.length))
		context.warn(
			`its evidence is not of ${decomposition.length} steps, as many as it has: which step's it is, is not told`,
		);
	const found = new Set(evidence.flat(2).flatMap((group) => (typeof group === "string" ? [] : group)));
	const missing = there.size === 0 ? [] : [...found].filter((paragraph) => !there.has(paragraph));
	if (missing.length > 0)
		context.warn(`${missing.length} of its ${found.size} paragraphs are not in the files, e.g. "${missing[0]}"`);
	for (const paragraph of missing) found.delete(paragraph);
	return {
		id: qid,
		question,
		answer,
		...(found.size > 0 ? { supporting: [...found].map(named) } : {}),
		tags: { steps: `${decomposition.length}` },
		...nativeFields(name, rest),
	};
}
