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

/** Ids as one reads their documents: page 2 before page 10. */
const { compare: inReadingOrder } = new Intl.Collator("en", { numeric: true });

interface Piece extends Pick<Evidence, "id" | "kind" | "sha256"> {
	/** The section that a text stands in, or what an image's caption says. */
	about: string;
}

/**
 * What has to do with each other because it stands in one document. A document that holds more than is shown of a cluster
 * is cut where one reads on, so that of a long one not only the beginning is asked about; each part is called by what it
 * begins with.
 */
export async function* documentClusters(
	evidence: AsyncIterable<Evidence>,
	{ mostTexts, mostImages }: { mostTexts: number; mostImages: number },
): AsyncGenerator<Cluster> {
	const documents = new Map<string, { first: Evidence; pieces: Piece[] }>();
	for await (const one of evidence) {
		if (one.kind === "page") continue;
		const { id, kind, sha256 } = one;
		const known = documents.get(one.document) ?? { first: one, pieces: [] };
		known.pieces.push({ id, kind, sha256, about: one.kind === "image" ? one.caption : (one.section ?? "") });
		documents.set(one.document, known);
	}
	for (const [id, { first, pieces }] of [...documents].sort(([a], [b]) => (a < b ? -1 : 1))) {
		const { title, language, provenance } = first;
		const { source, licence: rights = "" } = provenance;
		const parts = cut(pieces, { mostTexts, mostImages });
		for (const [at, part] of parts.entries()) {
			const of = (image: boolean) => part.filter(({ kind }) => (kind === "image") === image).map((piece) => piece.id);
			const called =
				parts.length === 1
					? { id, title }
					: { id: `${id}/${at + 1}`, title: part.find(({ about }) => about !== "")?.about ?? title };
			const hash = sha256(part.map((piece) => piece.sha256).join()).slice(0, 16);
			yield { ...called, language, texts: of(false), images: of(true), source, rights, hash };
		}
	}
}

/** All pieces where that is no more texts and images than a cluster has, else runs of no more in reading order. */
function cut(pieces: Piece[], bounds: { mostTexts: number; mostImages: number }): Piece[][] {
	const ofImages = pieces.filter(({ kind }) => kind === "image").length;
	if (ofImages <= bounds.mostImages && pieces.length - ofImages <= bounds.mostTexts) return [pieces];
	const parts: Piece[][] = [];
	let [texts, images] = [bounds.mostTexts, bounds.mostImages];
	for (const piece of pieces.sort((a, b) => inReadingOrder(a.id, b.id))) {
		const image = piece.kind === "image";
		if (parts.length === 0 || (image ? images === bounds.mostImages : texts === bounds.mostTexts)) {
			parts.push([]);
			[texts, images] = [0, 0];
		}
		parts.at(-1)?.push(piece);
		if (image) images += 1;
		else texts += 1;
	}
	return parts;
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
