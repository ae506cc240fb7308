import type { Entity } from "#domain";
import { byCodeUnits } from "#domain";
import type { Graph } from "./graph.ts";
import { isStopWord } from "./linker.ts";
import { nameKey, typeFamily } from "./names.ts";
import { push } from "./push.ts";

/** Two entities that may be one thing, and what speaks for it. */
export interface Pair {
	a: Entity;
	b: Entity;
	why: string;
	/** 0 to 1. */
	score: number;
}

export interface ProposeOptions {
	/** Vectors of names, of length 1; without it only names that share words are compared. */
	similar?: (names: string[]) => Promise<Float32Array[]>;
	/** Least cosine of two names' vectors. */
	least?: number;
	/** Most pairs, the likeliest first. */
	limit?: number;
}

/** A word that more entities share is no reason to compare them. */
const mostSharing = 60;
/** Above this, vectors are compared only between names that share a word: all pairs would take too long. */
const mostCompared = 4000;

/**
 * Pairs of entities that may be one: the words of one name are among those of the other ("Einstein", "Albert Einstein"),
 * or their names' vectors are close. Proposals join nothing; a model or a person confirms them. Likeliest first, ties by
 * ids.
 */
export async function proposeMerges(graph: Graph, options: ProposeOptions = {}): Promise<Pair[]> {
	const { similar, least = 0.85, limit = 200 } = options;
	const entities = [...graph.entities.values()].filter(({ kind }) => kind === "entity");
	const words = new Map(
		entities.map((entity) => [
			entity,
			new Set(
				nameKey(entity.name)
					.split(" ")
					.filter((word) => !isStopWord(word)),
			),
		]),
	);
	const pairs = new Map<string, Pair>();
	const propose = (a: Entity, b: Entity, { score, why }: { score: number; why: string }) => {
		if (a.id > b.id) return propose(b, a, { score, why });
		const key = JSON.stringify([a.id, b.id]);
		if ((pairs.get(key)?.score ?? 0) < score) pairs.set(key, { a, b, why, score: Math.round(score * 1e6) / 1e6 });
	};
	const sharing = pairsSharingWords(words);
	for (const [a, b] of sharing) {
		const [one, two] = [words.get(a) ?? new Set(), words.get(b) ?? new Set()];
		const [shorter, longer] = one.size <= two.size ? [one, two] : [two, one];
		if (!compatible(a, b) || ![...shorter].every((word) => longer.has(word))) continue;
		propose(a, b, { score: shorter.size / longer.size, why: "the words of one name are among the other's" });
	}
	if (similar) {
		const vectors = await similar(entities.map(({ name }) => name));
		const vectorOf = new Map(entities.map((entity, index) => [entity, vectors[index]]));
		for (const [a, b] of entities.length <= mostCompared ? allPairs(entities) : sharing) {
			if (!compatible(a, b)) continue;
			const cosine = dot(vectorOf.get(a), vectorOf.get(b));
			if (cosine >= least) propose(a, b, { score: Math.min(1, cosine), why: "their names' vectors are close" });
		}
	}
	return [...pairs.values()]
		.sort((x, y) => y.score - x.score || byCodeUnits(x.a.id, y.a.id) || byCodeUnits(x.b.id, y.b.id))
		.slice(0, limit);
}

function pairsSharingWords(words: Map<Entity, Set<string>>): [Entity, Entity][] {
	const bearers = new Map<string, Entity[]>();
	for (const [entity, all] of words) for (const word of all) if (word.length > 2) push(bearers, word, entity);
	return [...bearers.values()]
		.filter((sharing) => sharing.length <= mostSharing)
		.flatMap((sharing) => [...allPairs(sharing)]);
}

function* allPairs(entities: Entity[]): Generator<[Entity, Entity]> {
	for (const [index, a] of entities.entries())
		for (let other = index + 1; other < entities.length; other += 1) {
			const b = entities[other];
			if (b) yield [a, b];
		}
}

/** Namesakes of different types are proposed to nobody: that they are apart is known. */
function compatible(a: Entity, b: Entity): boolean {
	const families = [a, b].map(({ types }) => new Set(types.map(typeFamily).filter((family) => family !== "")));
	const [one, two] = families;
	return !one || !two || one.size === 0 || two.size === 0 || [...one].some((family) => two.has(family));
}

function dot(a: Float32Array | undefined, b: Float32Array | undefined): number {
	if (!a || !b) return 0;
	let sum = 0;
	for (let index = 0; index < a.length; index += 1) sum += (a[index] ?? 0) * (b[index] ?? 0);
	return sum;
}
