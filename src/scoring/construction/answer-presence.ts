import { z } from "zod";
import { normalise } from "../answers/normalise.ts";
import { defineMetric, text } from "../metric.ts";
import { namesInFull, numberTitle, titleOf, wordTokens, yearTokens } from "./tracer-text.ts";

/**
 * Whether a question gives its answer away, as AgenticRAGTracer's released code decides it: 1 if the normalised answer
 * stands in the normalised question (`full`), or more than half of the answer's words do, in the same case; else 0.
 *
 * `share` is that share of words, null for an answer without any. `named` is the link rule of the same code, for which
 * the answer is that of the hop before: whether the question names it in full. An answer that normalises to nothing
 * stands in every question, as there. Source: AgenticRAGTracer, `multihop_pipeline.py`.
 */
export function answerPresence(
	answer: string,
	question: string,
): { value: 0 | 1; full: boolean; share: number | null; named: boolean } {
	const mode = "tracer-released";
	const full = normalise(question, { mode }).includes(normalise(answer, { mode }));
	const words = wordTokens(answer);
	const asked = new Set(wordTokens(question));
	const present = words.filter((word) => asked.has(word)).length;
	return {
		value: full || present > 0.5 * words.length ? 1 : 0,
		full,
		share: words.length === 0 ? null : present / words.length,
		named: namesInFull(answer, question),
	};
}

const mostYears = 20;

/**
 * Whether that code drops a document (title line first) as being about a number or years: it has a number for a title,
 * holds "(number)" or "(decade)", or more than 20 years.
 */
export function documentKind(document: string): {
	title: string;
	number: string | null;
	years: number;
	dropped: boolean;
} {
	const number = numberTitle(document);
	const years = yearTokens(document).length;
	const marked = document.includes("(number)") || document.includes("(decade)");
	return { title: titleOf(document), number, years, dropped: number !== null || marked || years > mostYears };
}

export const answerPresenceMetric = defineMetric({
	name: "answer-presence",
	group: "construction",
	describe: "Whether a question gives its answer away.",
	formula: "1 if normalise(answer) stands in normalise(question), or more than half of the answer's words do; else 0",
	range: "0 or 1",
	edges:
		"Words are compared in their case. named says whether the question names the answer in full, the rule for linking a hop to the answer before it. With a document (title line first): its title, the number it consists of, its years, and whether the pipeline drops it.",
	source: "AgenticRAGTracer, released multihop_pipeline.py",
	example: { answer: "New York City", question: "How many people live in New York?" },
	input: z.strictObject({ answer: text.max(10_000), question: text.max(100_000), document: text.optional() }),
	compute: ({ answer, question, document }) => ({
		...answerPresence(answer, question),
		...(document === undefined ? {} : { document: documentKind(document) }),
	}),
});
