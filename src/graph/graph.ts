import type { Entity, Triple } from "#domain";
import { byCodeUnits } from "#domain";
import { createLinker, type Link } from "./linker.ts";
import type { GraphManifest } from "./manifest.ts";
import { nameKey } from "./names.ts";
import { push } from "./push.ts";
import { type Determination, relationKey, relationStatistics } from "./relations.ts";

export type Direction = "out" | "in" | "both";

/** One step along an edge: `forward` from its subject to its object. */
export interface GraphStep {
	triple: Triple;
	forward: boolean;
	from: Entity;
	to: Entity;
}

/** Entities and triples in memory, ready to be walked. Every list is in a fixed order: by id. */
export interface Graph {
	/** Absent for a graph that is not on disk. */
	manifest: GraphManifest | undefined;
	entities: ReadonlyMap<string, Entity>;
	triples: readonly Triple[];
	/** Entities of that name or alias, case, accents and punctuation aside. */
	find(name: string): Entity[];
	/** Entities that a text names, the longest name at each place. */
	link(text: string): Link[];
	/** Edges that touch the entity, a self-loop counted once. */
	degree(id: string): number;
	/** Share of entities with fewer edges, 0 to 1: what is near 1 is a hub. */
	hubPercentile(id: string): number;
	/** Steps from an entity; undirected edges are walked both ways whatever the direction asked. */
	neighbours(id: string, options?: { direction?: Direction; relation?: string }): GraphStep[];
	/** At most `limit` steps from an entity: all, or of a hub those of the relations that lead to fewest. */
	strongest(id: string, limit: number): readonly GraphStep[];
	/** How far a relation determines its ends, over all its edges; undefined where no edge has it. */
	functionality(relation: string): Determination | undefined;
	/** Distinct entities that the relation leads to from this one; 1 means that it determines its target. */
	targets(id: string, relation: string, direction?: "out" | "in"): number;
}

/** Builds the walkable form of a graph. Triples whose ends are not among the entities are left out. */
export function createGraph(
	data: { entities: Iterable<Entity>; triples: Iterable<Triple> },
	manifest?: GraphManifest,
): Graph {
	const entities = new Map([...data.entities].sort(byId).map((entity) => [entity.id, entity]));
	const triples = [...data.triples]
		.filter(({ subject, object }) => entities.has(subject) && entities.has(object))
		.sort(byId);
	const steps = new Map<string, GraphStep[]>();
	for (const triple of triples) {
		const subject = entities.get(triple.subject);
		const object = entities.get(triple.object);
		if (!subject || !object) continue;
		push(steps, subject.id, { triple, forward: true, from: subject, to: object });
		if (subject !== object) push(steps, object.id, { triple, forward: false, from: object, to: subject });
	}
	const degree = (id: string) => steps.get(id)?.length ?? 0;
	const degrees = Float64Array.from(entities.keys(), degree).sort();
	const statistics = relationStatistics(triples);
	const byKey = new Map<string, Entity[]>();
	for (const entity of entities.values())
		for (const key of new Set([entity.name, ...entity.aliases].map(nameKey))) push(byKey, key, entity);
	const hubs = new Map<string, GraphStep[]>();
	let linker: ReturnType<typeof createLinker> | undefined;

	const graph: Graph = {
		manifest,
		entities,
		triples,
		find: (name) => byKey.get(nameKey(name)) ?? [],
		link(text) {
			linker ??= createLinker(entities.values());
			return linker(text);
		},
		degree,
		hubPercentile: (id) => (entities.size > 0 ? lowerBound(degrees, degree(id)) / entities.size : 0),
		neighbours(id, { direction = "both", relation } = {}) {
			const wanted = relation === undefined ? undefined : relationKey(relation);
			return (steps.get(id) ?? []).filter(
				({ triple, forward }) =>
					(direction === "both" || !triple.directed || forward === (direction === "out")) &&
					(wanted === undefined || relationKey(triple.relation) === wanted),
			);
		},
		strongest(id, limit) {
			const all = steps.get(id) ?? [];
			if (all.length <= limit) return all;
			let sorted = hubs.get(id);
			if (!sorted) {
				const crowd = ({ triple, forward }: GraphStep) =>
					statistics.targets(id, triple.relation, forward ? "out" : "in");
				sorted = all
					.map((step) => ({ step, crowd: crowd(step) }))
					.sort((a, b) => a.crowd - b.crowd || byId(a.step.triple, b.step.triple))
					.map(({ step }) => step);
				hubs.set(id, sorted);
			}
			return sorted.slice(0, limit);
		},
		functionality: (relation) => statistics.of(relation),
		targets: (id, relation, direction = "out") => statistics.targets(id, relation, direction),
	};
	return graph;
}

/** How many of the sorted values are smaller. */
function lowerBound(sorted: Float64Array, value: number): number {
	let low = 0;
	let high = sorted.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if ((sorted[middle] ?? 0) < value) low = middle + 1;
		else high = middle;
	}
	return low;
}

const byId = (a: { id: string }, b: { id: string }) => byCodeUnits(a.id, b.id);
