import type { Triple } from "#domain";
import { remembering } from "#domain";
import { plainWords } from "./names.ts";

/** How far a relation determines its ends. */
export interface Determination {
	relation: string;
	/** Distinct pairs of subject and object. */
	edges: number;
	subjects: number;
	objects: number;
	/** Mean over its subjects of 1 / distinct objects: 1 where every subject has one object. */
	functionality: number;
	/** Mean over its objects of 1 / distinct subjects: 1 where every object has one subject. */
	inverse: number;
}

/**
 * What wordings of one relation share: "was born in" and "Born in" are one. Remembered, since a graph has few relations and
 * asks for them at every edge.
 */
export const relationKey = remembering((relation: string): string => {
	const words = plainWords(relation);
	return words.replace(/^(?:(?:is|was|are|were|be|been|being) )+(?=\S)/, "") || words || relation.trim();
});

/** Counts of what each relation leads to. An undirected edge counts in both directions. */
export function relationStatistics(triples: readonly Triple[]): {
	of(relation: string): Determination | undefined;
	targets(id: string, relation: string, direction: "out" | "in"): number;
} {
	const ends = new Map<string, { out: Map<string, Set<string>>; in: Map<string, Set<string>> }>();
	const add = (side: Map<string, Set<string>>, from: string, to: string) => {
		const targets = side.get(from);
		if (targets) targets.add(to);
		else side.set(from, new Set([to]));
	};
	for (const { subject, relation, object, directed } of triples) {
		const key = relationKey(relation);
		const sides = ends.get(key) ?? { out: new Map(), in: new Map() };
		ends.set(key, sides);
		add(sides.out, subject, object);
		add(sides.in, object, subject);
		if (directed) continue;
		add(sides.out, object, subject);
		add(sides.in, subject, object);
	}
	const determination = remembering((key: string): Determination | undefined => {
		const sides = ends.get(key);
		if (!sides) return undefined;
		return {
			relation: key,
			edges: [...sides.out.values()].reduce((sum, targets) => sum + targets.size, 0),
			subjects: sides.out.size,
			objects: sides.in.size,
			functionality: meanInverse(sides.out),
			inverse: meanInverse(sides.in),
		};
	});
	return {
		of: (relation) => determination(relationKey(relation)),
		targets: (id, relation, direction) => ends.get(relationKey(relation))?.[direction].get(id)?.size ?? 0,
	};
}

function meanInverse(side: Map<string, Set<string>>): number {
	let sum = 0;
	for (const targets of side.values()) sum += 1 / targets.size;
	return side.size > 0 ? sum / side.size : 0;
}
