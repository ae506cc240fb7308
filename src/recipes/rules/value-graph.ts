import type { Graph } from "#graph";
import { folded } from "../template/giveaway.ts";
import type { TypedGraph } from "../template/graph.ts";
import { spokenIn } from "../template/quantity.ts";

type Direction = "out" | "in";

/** What a graph test asks of a graph, whichever it is: who is called so, and what a relation leads to. */
export interface ValueGraph {
	/** Whether any fact has the relation. */
	has(relation: string): boolean;
	/** Ids of the entities of that name or alias. */
	named(name: string): readonly string[];
	/** Ids of the entities that a text names. */
	mentioned(text: string): readonly string[];
	/** Distinct things that the relation leads to, each by all its names, the first the main one. */
	targets(id: string, step: { relation: string; direction: Direction }): readonly (readonly string[])[];
}

/** The facts of a knowledge base's graph. */
export function valuesOfGraph(graph: Graph): ValueGraph {
	return {
		has: (relation) => graph.functionality(relation) !== undefined,
		named: (name) => graph.find(name).map(({ id }) => id),
		mentioned: (text) => graph.link(text).map(({ entity }) => entity.id),
		targets(id, { relation, direction }) {
			const steps = graph.neighbours(id, { relation, direction });
			const ends = new Map(steps.map(({ to }) => [to.id, [to.name, ...to.aliases]]));
			return [...ends.values()];
		},
	};
}

/** The facts of a typed graph, stated or not. */
export function valuesOfTypedGraph(graph: Pick<TypedGraph, "entities" | "facts">): ValueGraph {
	const relations = new Set(graph.facts.map(({ relation }) => relation));
	const out = new Map<string, Map<string, string[]>>();
	const back = new Map<string, Map<string, string[]>>();
	const byName = new Map<string, Set<string>>();
	const namesOf = (id: string): string[] => {
		const entity = graph.entities.get(id);
		if (!entity) return [];
		const all = [...Object.values(entity.names), ...Object.values(entity.aliases).flat()];
		return [...new Set([...all, ...Object.values(entity.mentions ?? {})])];
	};
	const put = (side: typeof out, key: string, target: string, names: string[]) => {
		const targets = side.get(key) ?? new Map<string, string[]>();
		side.set(key, targets.set(target, names));
	};
	for (const { subject, relation, object } of graph.facts) {
		if ("entity" in object) {
			put(out, `${relation} ${subject}`, object.entity, namesOf(object.entity));
			put(back, `${relation} ${object.entity}`, subject, namesOf(subject));
		} else {
			const { answer } = object;
			const forms = [answer.value, spokenIn(answer, "es").value, ...answer.accepted];
			put(out, `${relation} ${subject}`, answer.value, forms);
		}
	}
	let longest = 1;
	for (const id of graph.entities.keys())
		for (const name of namesOf(id).map((one) => folded(one).trim())) {
			byName.set(name, (byName.get(name) ?? new Set()).add(id));
			longest = Math.max(longest, name.split(" ").length);
		}
	return {
		has: (relation) => relations.has(relation),
		named: (name) => [...(byName.get(folded(name).trim()) ?? [])],
		mentioned(text) {
			const words = folded(text).trim().split(" ");
			const found = new Set<string>();
			for (let from = 0; from < words.length; from += 1)
				for (let to = from + 1; to <= Math.min(words.length, from + longest); to += 1)
					for (const id of byName.get(words.slice(from, to).join(" ")) ?? []) found.add(id);
			return [...found];
		},
		targets: (id, { relation, direction }) => [
			...((direction === "out" ? out : back).get(`${relation} ${id}`)?.values() ?? []),
		],
	};
}
