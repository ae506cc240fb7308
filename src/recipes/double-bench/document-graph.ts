import { z } from "zod";
import { Entity, type Evidence, Triple } from "#domain";
import { buildGraph, checkReply, type Graph } from "#graph";
import type { KnowledgeBase } from "#knowledge";
import { canonicalJson, sha256 } from "#store";
import { asDrop, asPiece, defineStage, type Stage } from "../engine/stage.ts";
import { inTurns } from "../in-turns.ts";
import { Document, pageOf } from "./document.ts";
import { extractRelationsPrompt } from "./prompts.ts";

/** A document with the relations that its pages state. */
export const DocumentGraph = z.object({
	id: z.string(),
	document: Document,
	entities: z.array(Entity),
	triples: z.array(Triple),
	hash: z.string(),
});
export type DocumentGraph = z.infer<typeof DocumentGraph>;

/** Relations that say nothing of how things are related. */
const vague =
	/^(?:(?:is|are|was|were|be) )?(?:related|linked|connected|associated|relevant|similar|compared?)(?: (?:to|with))?$|^(?:mentions?|involves?|has|includes?|and|with|of)$/i;

const isVagueRelation = (relation: string): boolean => vague.test(relation.trim());

/** Directed relations with a place on the document's pages; the others are of no use to a walk. */
function graphOf(
	document: Document,
	{ entities, triples }: { entities: Iterable<Entity>; triples: Iterable<Triple> },
): DocumentGraph {
	const usable = [...triples].flatMap((triple) => {
		const statements = triple.statements.filter((one) => one.document === document.id && one.basis !== "mention");
		return triple.directed && statements.length > 0 && !isVagueRelation(triple.relation)
			? [{ ...triple, statements }]
			: [];
	});
	const named = new Set(usable.flatMap(({ subject, object }) => [subject, object]));
	const kept = [...entities].filter(({ id }) => named.has(id));
	const hash = sha256(canonicalJson([kept, usable])).slice(0, 16);
	return { id: `${document.id}/graph`, document, entities: kept, triples: usable, hash };
}

const outcomeOf = (graph: DocumentGraph) =>
	graph.triples.length > 0 ? [asPiece(graph)] : [asDrop("dead_end", "no directed relation with a place")];

const name = "document-graph";

/** The part of the knowledge base's graph that a document states. */
export function knownGraph({ graph }: { graph: Graph }): Stage<Document, DocumentGraph> {
	const entities = [...graph.entities.values()];
	return defineStage("extract", name, 1, {
		params: { graph: graph.manifest?.hash ?? null },
		output: DocumentGraph,
		run: (document) => outcomeOf(graphOf(document, { entities, triples: graph.triples })),
	});
}

/**
 * A document's graph, read page by page: a relation counts where its quote stands on the page word by word and both ends
 * are named there.
 */
export function extractedGraph({
	knowledge,
	mostPages,
}: {
	knowledge: Pick<KnowledgeBase, "evidence">;
	mostPages: number;
}): Stage<Document, DocumentGraph> {
	const { hash } = extractRelationsPrompt;
	return defineStage("extract", name, 1, {
		calls: [{ role: "generator", each: Math.ceil(mostPages / 2), prompt: hash }],
		output: DocumentGraph,
		async run(document, context) {
			const read = await inTurns(
				document.pages,
				async ({ id }) => {
					const page: Evidence = await pageOf(knowledge, id);
					const values = { title: document.title, text: page.text };
					const { value, model } = await context.ask("generator", extractRelationsPrompt, values);
					return checkReply(page, JSON.stringify(value), `${model}#${hash}`);
				},
				{ signal: context.signal },
			);
			const claims = read.flatMap((page) => page.claims);
			const aliases = read.flatMap((page) => page.aliases);
			return outcomeOf(graphOf(document, buildGraph({ claims, aliases })));
		},
	});
}
