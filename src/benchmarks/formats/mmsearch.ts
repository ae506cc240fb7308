/**
 * MMSearch (Jiang et al. 2024), in its own form (`query`, `gt_answer`, an image or none) and as WebWatcher passes it on
 * (`prompt`, `file_path`, `answers`), whose columns `source` and `task` are wrong for it and are not read.
 */

import { z } from "zod";
import { defineFormat, type RowTask } from "./define-format.ts";
import { untypedAnswer } from "./given-answer.ts";
import { nativeFields } from "./native.ts";
import { questionImage, RowPicture } from "./pictures.ts";
import { type RowContext, refuse } from "./row-context.ts";

const Id = z.union([z.string().min(1).max(150), z.number()]).transform(String);
const Texts = z.union([z.string(), z.array(z.string())]);
const Own = z
	.object({
		sample_id: Id,
		query: z.string().min(1),
		query_image: RowPicture.nullish(),
		gt_answer: z.string().min(1),
		alternative_gt_answers: Texts.nullish(),
		gt_requery: z.string().nullish(),
		area: z.string().nullish(),
		subfield: z.string().nullish(),
		timestamp: z.union([z.string(), z.number()]).nullish(),
	})
	.transform((row) => ({
		id: row.sample_id,
		question: row.query,
		picture: row.query_image ?? undefined,
		answers: [row.gt_answer, row.alternative_gt_answers ?? []],
		tags: { area: row.area, subfield: row.subfield },
		native: { gt_requery: row.gt_requery, timestamp: row.timestamp },
		day: row.timestamp,
		language: "en",
	}));
const PassedOn = z
	.object({
		question_id: Id,
		prompt: z.string().min(1),
		file_path: z.string().min(1),
		answers: Texts,
		lang: z.string().nullish(),
	})
	.transform((row) => ({
		id: row.question_id,
		question: row.prompt,
		picture: row.file_path,
		answers: [row.answers],
		...{ tags: {}, native: { file_path: row.file_path }, day: undefined },
		language: row.lang ?? "en",
	}));
const Row = z.union([Own, PassedOn], {
	error:
		"neither MMSearch's own fields (sample_id, query, gt_answer) nor those passed on (question_id, prompt, file_path, answers)",
});

export const mmsearch = defineFormat({
	name: "mmsearch",
	title: "MMSearch",
	files: "the end-to-end Parquet file or rows as JSON, and --images where they name images",
	licence: "see the release",
	attribution: "MMSearch: Benchmarking the Potential of Large Models as Multi-modal Search Engines (Jiang et al. 2024)",
	url: "https://huggingface.co/datasets/CaraJ/MMSearch",
	rights: "MMSearch, see its release",
	schema: Row,
	task: taskOf,
});

async function taskOf(row: z.infer<typeof Row>, context: RowContext): Promise<RowTask> {
	const answer = untypedAnswer(row.answers) ?? refuse("its answer is empty");
	const day = /^(\d{4}-\d{2}-\d{2})(?:[T ]|$)/.exec(`${row.day ?? ""}`)?.[1];
	const tags = Object.entries(row.tags).flatMap(([tag, value]) => (value ? [[tag, value] as const] : []));
	return {
		id: `mmsearch-${row.id}`,
		question: row.question,
		images: row.picture === undefined ? [] : [await questionImage(row.picture, "q1", context)],
		answer: day === undefined ? answer : { ...answer, asOf: day },
		tags: { language: row.language, ...Object.fromEntries(tags) },
		...nativeFields("mmsearch", row.native),
	};
}
