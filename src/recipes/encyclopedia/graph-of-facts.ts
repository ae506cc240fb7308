import { join } from "node:path";
import type { Entity, Statement, Triple } from "#domain";
import { createGraph, type Graph, graphFolder, writeGraph } from "#graph";
import { sha256 } from "#store";
import type { GraphFact, TypedGraph } from "../template/graph.ts";

/** Entities and triples of a typed graph, in the form in which a knowledge base keeps its graph. */
export function triplesOf(typed: Pick<TypedGraph, "entities" | "facts">): { entities: Entity[]; triples: Triple[] } {
	const entities = new Map<string, Entity>();
	for (const { id, type, names, aliases } of typed.entities.values()) {
		const others = new Set([names.es, ...aliases.en, ...aliases.es].filter((name) => name !== names.en));
		entities.set(id, { id, name: names.en, aliases: [...others].sort(), types: [type], kind: "entity" });
	}
	const triples = new Map<string, Triple>();
	for (const fact of typed.facts) {
		if (!entities.has(fact.subject)) continue;
		const object = "entity" in fact.object ? fact.object.entity : valueNode(fact.object.answer.value, entities);
		const id = `t${sha256(JSON.stringify([fact.subject, fact.relation, object])).slice(0, 20)}`;
		triples.set(id, {
			id,
			subject: fact.subject,
			relation: fact.relation,
			object,
			directed: true,
			statements: told(fact),
		});
	}
	const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
	return { entities: [...entities.values()].sort(byId), triples: [...triples.values()].sort(byId) };
}

/** A typed graph made walkable. */
export const graphOfFacts = (typed: Pick<TypedGraph, "entities" | "facts">): Graph => createGraph(triplesOf(typed));

/** Writes a typed graph into the folder of the knowledge base of its corpus, where searches and recipes find it. */
export async function writeFacts(
	knowledge: string,
	typed: Pick<TypedGraph, "entities" | "facts">,
	{ name }: { name: string },
): Promise<void> {
	await writeGraph(join(knowledge, graphFolder), triplesOf(typed), { name, origins: ["typed facts"] });
}

function valueNode(text: string, entities: Map<string, Entity>): string {
	const id = `value/${text}`.slice(0, 500);
	if (!entities.has(id)) entities.set(id, { id, name: text, aliases: [], types: [], kind: "value" });
	return id;
}

const told = (fact: GraphFact): Statement[] =>
	[...new Set(fact.statements.map(({ evidence }) => evidence))]
		.sort()
		.map((evidence) => ({ evidence, basis: "source", origin: "typed facts" }));
