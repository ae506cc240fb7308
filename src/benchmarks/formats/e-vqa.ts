/**
 * Encyclopedic VQA (Mensink et al. 2023): CSV. `|` parts annotators' answers, images, and the two pages of two-hop
 * questions; `&&` parts the members of one answer. The first image of a row stands for all.
 */

import { z } from "zod";
import type { Answer } from "#domain";
import { defineFormat, type RowTask } from "./define-format.ts";
import { singleHop } from "./document-question.ts";
import { untypedAnswer } from "./given-answer.ts";
import { nativeFields } from "./native.ts";
import { passageOf, wikipedia } from "./passage.ts";
import { questionImage } from "./pictures.ts";
import { type RowContext, refuse } from "./row-context.ts";
import { taskName } from "./task-name.ts";

const cell = z.string().default("");
const Row = z.object({
	question: z.string().min(1),
	question_original: cell,
	answer: z.string(),
	question_type: z.enum(["templated", "automatic", "multi_answer", "2_hop"]),
	dataset_image_ids: z.string().min(1),
	dataset_name: z.enum(["inaturalist", "landmarks"]),
	dataset_category_id: cell,
	...{ wikipedia_title: cell, wikipedia_url: cell, wikipedia_url_used_in_train: cell },
	...{ evidence: cell, evidence_section_id: cell, evidence_section_title: cell, encyclopedic_vqa_split: cell },
});
type Row = z.infer<typeof Row>;

export const eVqa = defineFormat({
	name: "e-vqa",
	title: "Encyclopedic VQA",
	files: "test.csv, and --images with files of the image ids (landmarks also as a/b/c/abc….jpg)",
	licence: "CC-BY-4.0; images under their own licences",
	attribution:
		"Encyclopedic VQA: Visual Questions About Detailed Properties of Fine-grained Categories (Mensink et al. 2023)",
	url: "https://github.com/google-research/google-research/tree/master/encyclopedic_vqa",
	conventions: {
		listsAsText: ["answer (| and &&)", "dataset_image_ids (|)", "wikipedia_url and evidence of 2_hop (|)"],
	},
	schema: Row,
	task: taskOf,
});

async function taskOf(row: Row, context: RowContext): Promise<RowTask> {
	const [first = "", ...others] = parted(row.dataset_image_ids);
	const path = row.dataset_name === "landmarks" ? `${first[0]}/${first[1]}/${first[2]}/${first}` : first;
	const image = await questionImage(path, "q1", context);
	const answer = answerOf(row);
	const { question } = row;
	const evidence = evidenceOf(row, context);
	return {
		id: taskName("e-vqa", question, row.dataset_image_ids),
		question,
		images: [image],
		answer,
		...(evidence.length === 1 ? { chain: singleHop(question, answer, evidence, "text") } : {}),
		...(evidence.length > 1 ? { supporting: evidence } : {}),
		tags: {
			questionType: row.question_type,
			dataset: row.dataset_name,
			split: row.encyclopedic_vqa_split,
		},
		cluster: `${row.dataset_name}-${row.dataset_category_id || first}`,
		...nativeFields("e-vqa", {
			...{ question_original: row.question_original, other_image_ids: others },
			...{ wikipedia_title: parted(row.wikipedia_title), wikipedia_url: parted(row.wikipedia_url) },
			wikipedia_url_used_in_train: row.wikipedia_url_used_in_train,
		}),
	};
}

const parted = (text: string, by = "|") =>
	text
		.split(by)
		.map((part) => part.trim())
		.filter((part) => part !== "");

function answerOf({ answer, question_type }: Row): Answer {
	const accepted = parted(answer);
	const [value] = accepted;
	if (value === undefined) return refuse("its answer is empty");
	const items = parted(value, "&&");
	if (items.length > 1 || question_type === "multi_answer") return { type: "list", value, accepted, items };
	return untypedAnswer(accepted) ?? refuse("its answer is empty");
}

/** The sections that answer, one a hop. Where their number does not fit the pages', which is whose is not told. */
function evidenceOf(row: Row, context: RowContext): string[] {
	const hops = row.question_type === "2_hop" ? 2 : 1;
	const texts = hops === 1 ? [row.evidence.trim()].filter((text) => text !== "") : parted(row.evidence);
	const titles = hops === 1 ? [row.wikipedia_title.trim()] : parted(row.wikipedia_title);
	const urls = hops === 1 ? [row.wikipedia_url.trim()] : parted(row.wikipedia_url);
	if (texts.length !== hops || titles.length !== hops || urls.length !== hops) {
		context.warn(`${texts.length} texts of ${urls.length} pages for ${hops} hops: kept without evidence`);
		return [];
	}
	const sections = hops === 1 ? [row.evidence_section_title] : parted(row.evidence_section_title);
	return texts.map((text, place) => {
		const passage = passageOf(
			{ title: titles[place] ?? "", text, ...(urls[place] ? { document: urls[place] } : {}) },
			wikipedia("e-vqa", "Encyclopedic VQA"),
		);
		const section = sections[place] ?? "";
		return context.add(section === "" ? passage : { ...passage, section });
	});
}
