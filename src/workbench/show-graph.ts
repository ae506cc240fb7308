import { join } from "node:path";
import { type Entity, usageError } from "#domain";
import { type Graph, type GraphStep, graphFolder, openGraph } from "#graph";
import type { Workspace } from "#store";
import { locate } from "./locate.ts";
import type { Bench } from "./work.ts";

export interface ShowGraphOptions {
	/** The knowledge base whose graph it is. */
	knowledge: string;
	/** How many relations; 20 where nothing is said. */
	k?: number | undefined;
}

export type GraphSummary = Awaited<ReturnType<typeof graphSummary>>;

/** What a graph says of one entity. */
export interface EntityShown {
	entity: Entity;
	/** Of its relations; `neighbours` holds the first of them. */
	degree: number;
	hubPercentile: number;
	neighbours: (Pick<GraphStep, "forward" | "triple"> & { to: Pick<Entity, "id" | "name"> })[];
}

/** What a graph holds: its relations and the entities with most of them. */
export async function graphSummary({ knowledge, k = 20 }: ShowGraphOptions, { workspace }: Bench) {
	const graph = await graphOf(workspace, knowledge);
	const relations = [...new Set(graph.triples.map(({ relation }) => relation))]
		.flatMap((relation) => graph.functionality(relation) ?? [])
		.filter((one, at, all) => all.findIndex(({ relation }) => relation === one.relation) === at)
		.sort((a, b) => b.edges - a.edges || (a.relation < b.relation ? -1 : 1));
	const hubs = [...graph.entities.values()]
		.map((entity) => ({ id: entity.id, name: entity.name, degree: graph.degree(entity.id) }))
		.sort((a, b) => b.degree - a.degree || (a.id < b.id ? -1 : 1));
	return { manifest: graph.manifest, relations: relations.slice(0, k), hubs: hubs.slice(0, k) };
}

/** What a graph says of the entities of a name or an id, and where. */
export async function graphEntities(
	name: string,
	{ knowledge, k = 20 }: ShowGraphOptions,
	{ workspace }: Bench,
): Promise<EntityShown[]> {
	const graph = await graphOf(workspace, knowledge);
	return entitiesCalled(graph, name).map((entity) => {
		const steps = graph.neighbours(entity.id);
		const neighbours = steps
			.slice(0, k)
			.map(({ triple, forward, to }) => ({ forward, to: { id: to.id, name: to.name }, triple }));
		return { entity, degree: steps.length, hubPercentile: graph.hubPercentile(entity.id), neighbours };
	});
}

const graphOf = async (workspace: Workspace, knowledge: string): Promise<Graph> =>
	openGraph(join(await locate(workspace, "knowledge", knowledge), graphFolder));

function entitiesCalled(graph: Graph, name: string): Entity[] {
	const exact = graph.entities.get(name);
	const found = exact ? [exact] : graph.find(name);
	if (found.length > 0) return found;
	const near = graph
		.link(name)
		.slice(0, 8)
		.map(({ entity }) => entity.name);
	throw usageError(
		"unknown-entity",
		`the graph has no entity "${name}"`,
		near.length > 0 ? `Near it: ${near.join(", ")}.` : "See what there is: hopscope graph show.",
		{ facts: { near } },
	);
}
