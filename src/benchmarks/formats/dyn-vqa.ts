/**
 * Dyn-VQA (Li et al. 2024): questions whose answers change, one file a language and month (`DynVQA_en.202412.jsonl`).
 * Its English file mixes Chinese answers in.
 */

import { basename } from "node:path";
import { z } from "zod";
import { defineFormat, type RowTask } from "./define-format.ts";
import { formsOf, untypedAnswer } from "./given-answer.ts";
import { nativeFields } from "./native.ts";
import { questionImage } from "./pictures.ts";
import { type RowContext, refuse } from "./row-context.ts";

const Query = z.union([z.string(), z.array(z.string())]).optional();
const Row = z.object({
	image_url: z.string().min(1),
	question: z.string().min(1),
	question_id: z.union([z.string().min(1).max(150), z.number()]),
	answer: z.union([z.string(), z.array(z.union([z.string(), z.number()]))]),
	golden_query: Query,
	/** As its first files have it. */
	gloden_query: Query,
});

export const dynVqa = defineFormat({
	name: "dyn-vqa",
	title: "Dyn-VQA",
	files:
		"DynVQA_en.202412.jsonl and other months, and --images with the files under the paths of their addresses, or named by the SHA-256 of these",
	licence: "none stated",
	attribution:
		"Benchmarking Multimodal Retrieval Augmented Generation with Dynamic VQA Dataset and Self-adaptive Planning Agent (Li et al. 2024)",
	url: "https://github.com/Alibaba-NLP/OmniSearch",
	verified: "files",
	rights: "no licence stated, Dyn-VQA",
	schema: Row,
	task: taskOf,
});

async function taskOf(row: z.infer<typeof Row>, context: RowContext): Promise<RowTask> {
	const { month, language } = snapshotOf(context.at.file);
	const given = formsOf(row.answer);
	const answer = untypedAnswer(given) ?? refuse("its answer is empty");
	const languages = [...new Set(given.map((text) => (/\p{Script=Han}/u.test(text) ? "zh" : "en")))].sort();
	if (month === undefined) context.warn("its file names no month: when its answer was right is not known");
	if (language === "en" && !languages.includes("en")) context.warn("asked in English, its answers are all in Chinese");
	const image = await questionImage(row.image_url, "q1", context);
	return {
		id: month === undefined ? `dyn-vqa-${row.question_id}` : `dyn-vqa-${row.question_id}@${month}`,
		question: row.question,
		images: [image],
		// the day is not told: the month's first
		answer: month === undefined ? answer : { ...answer, asOf: `${month}-01` },
		tags: {
			language: language ?? (/\p{Script=Han}/u.test(row.question) ? "zh" : "en"),
			answerLanguages: languages.join(", "),
		},
		cluster: `dyn-vqa-${row.question_id}`,
		...nativeFields("dyn-vqa", { image_url: row.image_url, golden_query: row.golden_query ?? row.gloden_query }),
	};
}

function snapshotOf(file: string): { month?: string; language?: string } {
	const name = basename(file);
	const [, year, month] = /(?:^|\D)(20\d{2})[-_]?(0[1-9]|1[0-2])(?:\D|$)/.exec(name) ?? [];
	const language = /[_.-](en|zh)(?=[_.-])/i.exec(name)?.[1]?.toLowerCase();
	return { ...(year && month ? { month: `${year}-${month}` } : {}), ...(language ? { language } : {}) };
}
