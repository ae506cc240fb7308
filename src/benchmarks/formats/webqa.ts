/**
 * WebQA (Chang et al. 2022): `WebQA_train_val.json`, an object of questions by Guid, each with texts and images that
 * answer it together and others that do not. Answers are sentences; texts carry quotation marks around them.
 */

import { z } from "zod";
import { defineFormat, type RowTask } from "./define-format.ts";
import { singleHop } from "./document-question.ts";
import { nativeFields } from "./native.ts";
import { passageOf } from "./passage.ts";
import { imageEvidence } from "./pictures.ts";
import { type RowContext, refuse } from "./row-context.ts";

const Id = z.union([z.string().min(1).max(200), z.number()]).transform(String);
const Text = z.object({
	snippet_id: Id,
	title: z.string().default(""),
	fact: z.string().min(1),
	url: z.string().default(""),
});
const Picture = z.object({
	image_id: Id,
	title: z.string().default(""),
	caption: z.string().default(""),
	url: z.string().default(""),
});
const Row = z.object({
	Q: z.string().min(1),
	A: z.array(z.string()).default([]),
	Keywords_A: z.union([z.string(), z.array(z.string())]).optional(),
	Qcate: z.string().default(""),
	split: z.string().default(""),
	Guid: z.string().min(1).max(200),
	topic: z.string().default(""),
	txt_posFacts: z.array(Text).default([]),
	txt_negFacts: z.array(Text).default([]),
	img_posFacts: z.array(Picture).default([]),
	img_negFacts: z.array(Picture).default([]),
});

export const webqa = defineFormat({
	name: "webqa",
	title: "WebQA",
	files: "WebQA_train_val.json, and --images with files named by image_id",
	licence: "CC0-1.0; images under their own licences",
	attribution:
		"WebQA: Multihop and Multimodal QA (Chang et al. 2022); texts from Wikipedia, images from Wikimedia Commons",
	url: "https://github.com/WebQnA/WebQA",
	object: "values",
	schema: Row,
	task: taskOf,
});

async function taskOf(row: z.infer<typeof Row>, context: RowContext): Promise<RowTask> {
	const said = row.A.map(unquoted).filter((text) => text !== "");
	const [value] = said;
	if (value === undefined) return refuse("its answer is not public, as in the test set");
	const question = unquoted(row.Q);
	const texts = row.txt_posFacts.map((fact) => textEvidence(fact, context));
	const images: string[] = [];
	for (const fact of row.img_posFacts) images.push(await picture(fact, context));
	const others = row.txt_negFacts.map((fact) => textEvidence(fact, context));
	for (const fact of row.img_negFacts) others.push(await picture(fact, context));
	const gold = [...texts, ...images];
	const keywords = typeof row.Keywords_A === "string" ? [row.Keywords_A] : (row.Keywords_A ?? []);
	const entities = keywords.map(unquoted).filter((word) => word !== "" && word !== "TBD");
	const answer = {
		type: "text" as const,
		value,
		accepted: said,
		...(entities.length > 0 ? { keyEntities: entities } : {}),
	};
	const modality = images.length > 0 ? "image" : "text";
	return {
		id: row.Guid,
		question,
		answer,
		...(gold.length === 1 ? { chain: singleHop(question, answer, gold, modality) } : {}),
		...(gold.length > 1 ? { supporting: gold } : {}),
		context: [...gold, ...others].sort(),
		tags: { questionType: row.Qcate, split: row.split, topic: row.topic },
		...nativeFields("webqa", { Keywords_A: row.Keywords_A }),
	};
}

/** Without the quotation marks that the released texts carry around them. */
function unquoted(text: string): string {
	const inner = text.trim();
	return inner.length > 1 && inner.startsWith('"') && inner.endsWith('"') ? inner.slice(1, -1).trim() : inner;
}

const named = (id: string) => `webqa#${id}`;

function textEvidence({ snippet_id, title, fact, url }: z.infer<typeof Text>, context: RowContext): string {
	const passage = passageOf(
		{ title: unquoted(title), text: unquoted(fact), ...(url === "" ? {} : { document: url }) },
		{ prefix: "webqa", source: "WebQA", language: "en", licence: "CC-BY-SA-4.0", attribution: (of) => url || of },
	);
	return context.add({ ...passage, id: named(snippet_id) });
}

function picture({ image_id, title, caption, url }: z.infer<typeof Picture>, context: RowContext) {
	const words = unquoted(caption) || unquoted(title) || image_id;
	const provenance = { source: "WebQA", record: context.at.row, ...(url === "" ? {} : { attribution: url }) };
	const about = {
		id: named(image_id),
		document: url || named(image_id),
		title: unquoted(title),
		caption: words,
		language: "en",
		provenance,
	};
	return imageEvidence(image_id, about, context);
}
