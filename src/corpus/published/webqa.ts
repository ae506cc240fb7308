/**
 * WebQA (Chang et al. 2022): `WebQA_train_val.json` and `WebQA_test.json`, an object of questions by Guid, each with
 * snippets and images that answer it or do not; the images' bytes are in `imgs.tsv` beside, or in files of their ids.
 */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { pathOnDisk } from "#store";
import { addRecord } from "../add-record.ts";
import type { SourceFile } from "../find-files.ts";
import { imageExtensions, storeImage } from "../image-file.ts";
import { detectLanguage } from "../language.ts";
import type { ReadContext } from "../reader.ts";

const Id = z.union([z.string().min(1).max(200), z.number()]).transform(String);
const Snippet = z.object({ snippet_id: Id, title: z.string().default(""), fact: z.string() });
const ImageFact = z.object({ image_id: Id, title: z.string().default(""), caption: z.string().default("") });
export type ImageFact = z.infer<typeof ImageFact>;
const Facts = z.array(z.unknown()).default([]);
const Question = z.object({
	txt_posFacts: Facts,
	txt_negFacts: Facts,
	txt_Facts: Facts,
	img_posFacts: Facts,
	img_negFacts: Facts,
	img_Facts: Facts,
});

/** Whether a value is a question of WebQA; those of its test set do not say which facts answer it. */
export const isWebQa = (json: unknown) =>
	z
		.union([
			z.object({ img_posFacts: z.array(z.unknown()) }),
			z.object({ txt_posFacts: z.array(z.unknown()) }),
			z.object({ img_Facts: z.array(z.unknown()) }),
			z.object({ txt_Facts: z.array(z.unknown()) }),
		])
		.safeParse(json).success;

/** The images that a question names. */
export function imageFacts(json: unknown): ImageFact[] {
	const { img_posFacts = [], img_negFacts = [], img_Facts = [] } = Question.safeParse(json).data ?? {};
	return [...img_posFacts, ...img_negFacts, ...img_Facts].flatMap((raw) => ImageFact.safeParse(raw).data ?? []);
}

/** Adds snippets as passages and images as evidence, each once however many questions name it. */
export function webQaAdder(file: SourceFile, context: ReadContext) {
	const seen = new Set<string>();
	const folder = dirname(file.path);
	const inLines = existsSync(pathOnDisk(join(folder, "imgs.tsv")));
	let missing = 0;
	return {
		async add(json: unknown, number: number): Promise<void> {
			const question = Question.safeParse(json);
			if (!question.success) {
				context.problem("is no question of WebQA; left out", `:${number}`);
				return;
			}
			const { txt_posFacts, txt_negFacts, txt_Facts } = question.data;
			for (const raw of [...txt_posFacts, ...txt_negFacts, ...txt_Facts]) {
				const fact = Snippet.safeParse(raw);
				if (!fact.success) context.problem("has a snippet without id or text; left out", `:${number}`);
				else if (isNew(`t${fact.data.snippet_id}`)) {
					const { snippet_id: _id, title, fact: text } = fact.data;
					addRecord({ _id, title, text }, number, file, context);
				}
			}
			for (const fact of imageFacts(json)) if (!inLines && isNew(`i${fact.image_id}`)) await addImage(fact, number);
		},
		finish(): void {
			if (missing > 0)
				context.problem(
					`${missing} image${missing === 1 ? " is" : "s are"} not beside the file (images/<image_id>.jpg or imgs.tsv); left out`,
				);
		},
	};

	function isNew(id: string): boolean {
		if (seen.has(id)) return false;
		seen.add(id);
		return true;
	}

	async function addImage(fact: ImageFact, number: number): Promise<void> {
		const path = fileOf(fact.image_id);
		if (path === undefined) missing += 1;
		else
			try {
				addImageEvidence(fact, number, await storeImage(await readFile(pathOnDisk(path)), context.dir), file, context);
			} catch (error) {
				context.problem(`image ${fact.image_id} ${(error as Error).message}`, `:${number}`);
			}
	}

	function fileOf(id: string): string | undefined {
		if (!/^[\w-]+$/.test(id)) return undefined;
		const names = [...imageExtensions].flatMap((end) => [`images/${id}${end}`, `imgs/${id}${end}`, `${id}${end}`]);
		return names.map((name) => join(folder, name)).find((path) => existsSync(pathOnDisk(path)));
	}
}

export function addImageEvidence(
	{ image_id, title, caption }: ImageFact,
	record: number,
	stored: { file: string; sha256: string; width: number; height: number },
	file: SourceFile,
	context: Pick<ReadContext, "add">,
): void {
	context.add({
		kind: "image",
		id: `${file.label}#${image_id}`,
		document: `${file.label}#${image_id}`,
		title: title || caption,
		language: detectLanguage(caption),
		provenance: { source: file.label, record },
		caption: caption || title || image_id,
		...stored,
	});
}
