/**
 * InfoSeek (Chen et al. 2023): `infoseek_{train,val}.jsonl`, and beside it `…_withkb.jsonl` with each image's entity and
 * `…_qtype.jsonl`. Files without questions are read for what they add.
 */

import { z } from "zod";
import { withNumberKind } from "../number-kind.ts";
import { defineFormat, type RowTask, signalOf } from "./define-format.ts";
import type { ReadOptions } from "./format.ts";
import { formsOf } from "./given-answer.ts";
import { evaluatedAnswer } from "./infoseek-answer.ts";
import { nativeFields } from "./native.ts";
import { questionImage } from "./pictures.ts";
import { type RowContext, refuse } from "./row-context.ts";
import { readRows } from "./rows.ts";

const About = z.object({
	data_id: z.string().min(1).max(200),
	entity_id: z.string().optional(),
	entity_text: z.string().optional(),
	question_type: z.string().optional(),
});
const Row = About.extend({
	image_id: z.string().min(1).max(300).optional(),
	question: z.string().min(1).optional(),
	answer: z.union([z.string(), z.array(z.union([z.string(), z.number()]))]).optional(),
	answer_eval: z.unknown().optional(),
	data_split: z.string().optional(),
});

export const infoseek = defineFormat({
	name: "infoseek",
	title: "InfoSeek",
	files:
		"infoseek_val.jsonl with infoseek_val_withkb.jsonl and infoseek_val_qtype.jsonl, and --images with OVEN's images",
	licence: "Apache-2.0",
	attribution:
		"InfoSeek: Can Pre-trained Vision and Language Models Answer Visual Information-Seeking Questions? (Chen et al. 2023)",
	url: "https://github.com/open-vision-language/infoseek",
	rights: "Apache-2.0, InfoSeek; images of OVEN under their own terms",
	known: aboutRows,
	schema: Row,
	task: (row, context, known) => (row.question === undefined ? undefined : taskOf(row, row.question, known, context)),
});

type Known = Map<string, Omit<z.infer<typeof About>, "data_id">>;

/** What files say of questions by their id, whichever file the question stands in. */
async function aboutRows(files: readonly string[], options: ReadOptions): Promise<Known> {
	const known: Known = new Map();
	if (files.length < 2) return known;
	for await (const row of readRows(files, signalOf(options))) {
		const about = "value" in row ? About.safeParse(row.value).data : undefined;
		if (!about) continue;
		const { data_id, ...rest } = about;
		known.set(data_id, { ...known.get(data_id), ...rest });
	}
	return known;
}

async function taskOf(row: z.infer<typeof Row>, question: string, known: Known, context: RowContext): Promise<RowTask> {
	const { entity_id, entity_text, question_type } = { ...row, ...known.get(row.data_id) };
	const image_id = row.image_id ?? refuse("names no image");
	const image = await questionImage(image_id, "q1", context);
	const tags = { entity: entity_text, entityId: entity_id, questionType: question_type, split: row.data_split };
	return {
		id: row.data_id,
		question,
		images: [entity_text ? { ...image, hides: [entity_text] } : image],
		answer: withNumberKind(evaluatedAnswer(formsOf(row.answer), row.answer_eval ?? [], question_type), question),
		tags: { ...(JSON.parse(JSON.stringify(tags)) as Record<string, string>) },
		cluster: image_id,
		...nativeFields("infoseek", { image_id }),
	};
}
