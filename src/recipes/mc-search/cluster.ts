import { z } from "zod";
import type { Evidence, Task } from "#domain";
import type { KnowledgeBase } from "#knowledge";
import { canonicalJson, sha256 } from "#store";
import { heldEvidence } from "../stages/picture-of.ts";

/** Texts and images that have to do with each other: what a chain is made of, and what could confound it. */
export const Cluster = z.object({
	id: z.string(),
	title: z.string(),
	language: z.string(),
	texts: z.array(z.string()),
	images: z.array(z.string()),
	/** A ready question about them, for inspiration. */
	example: z.object({ question: z.string(), answer: z.string() }).optional(),
	source: z.string(),
	rights: z.string(),
	/** Over the contents of what it began with. */
	hash: z.string(),
});
export type Cluster = z.infer<typeof Cluster>;

/** What has to do with each other because it stands in one document, in order of id. */
export async function* documentClusters(evidence: AsyncIterable<Evidence>): AsyncGenerator<Cluster> {
	const clusters = new Map<string, { first: Evidence; texts: string[]; images: string[]; hashes: string[] }>();
	for await (const one of evidence) {
		if (one.kind === "page") continue;
		const known = clusters.get(one.document) ?? { first: one, texts: [], images: [], hashes: [] };
		(one.kind === "image" ? known.images : known.texts).push(one.id);
		known.hashes.push(one.sha256);
		clusters.set(one.document, known);
	}
	for (const [id, { first, texts, images, hashes }] of [...clusters].sort(([a], [b]) => (a < b ? -1 : 1))) {
		const { title, language, provenance } = first;
		const { source, licence: rights = "" } = provenance;
		yield { id, title, language, texts, images, source, rights, hash: sha256(hashes.join()).slice(0, 16) };
	}
}

/** What a source hands out with its questions, as WebQA does: each question's evidence and distractors. */
export async function* taskClusters(
	tasks: readonly Task[],
	{ knowledge }: { knowledge: Pick<KnowledgeBase, "evidence"> },
): AsyncGenerator<Cluster> {
	for (const { id, question, answer, context = [], chain, tags, source, rights } of tasks) {
		const ids = [...new Set([...(chain?.hops.flatMap(({ evidence }) => evidence) ?? []), ...context])];
		const held = await heldEvidence(knowledge, ids);
		const of = (image: boolean) => held.filter(({ kind }) => (kind === "image") === image).map((one) => one.id);
		const example = { question, answer: answer.value };
		const hash = sha256(canonicalJson([held.map((one) => one.sha256), example])).slice(0, 16);
		const { language } = tags;
		yield { id, title: "", language, texts: of(false), images: of(true), example, source, rights, hash };
	}
}
