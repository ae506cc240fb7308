import { grouped, ownField } from "#domain";
import type { Seeded } from "../seeded.ts";
import type { Expression, Leaf, Step, Value } from "./expression.ts";
import type { Depiction, GraphEntity, GraphFact, GraphRelation, Language, TypedGraph } from "./graph.ts";

/** A fact that can be followed without ambiguity: its known end determines the other. */
export interface Move {
	relation: GraphRelation;
	direction: "forward" | "inverse";
	fact: GraphFact;
	from: GraphEntity;
	to: Value;
}

/** The unambiguous moves of a graph in one language. */
export interface Moves {
	all: Move[];
	/** Moves by the id of the entity that they lead to. */
	into: Map<string, Move[]>;
	/** Moves by relation and direction. */
	byKey: Map<string, Move[]>;
	/** The moves that suit, in groups of one relation and direction; worked out once for each name. */
	suiting(name: string, suits: (move: Move) => boolean): Move[][];
}

/**
 * The moves that make functional hops: a relation declared single (inverse: inverseSingle) whose subject (object) has
 * exactly one such fact, with statements, with phrases in the language, and whose known end shares its name with no
 * other entity that has the same relation.
 */
export function movesOf(graph: TypedGraph, language: Language): Moves {
	const candidates: Move[] = [];
	for (const fact of graph.facts) {
		const relation = ownField(graph.relations, fact.relation);
		const subject = graph.entities.get(fact.subject);
		if (!relation || !subject || fact.statements.length === 0) continue;
		const object = "entity" in fact.object ? graph.entities.get(fact.object.entity) : undefined;
		const value: Value | undefined =
			"answer" in fact.object ? { answer: fact.object.answer } : object ? { entity: object } : undefined;
		if (value === undefined) continue;
		const phrases = relation.phrases[language];
		if (relation.single && phrases.noun.length > 0)
			candidates.push({ relation, direction: "forward", fact, from: subject, to: value });
		const sayable = (phrases.inverseNoun ?? []).length > 0 && (phrases.inverseQuestion ?? []).length > 0;
		if (relation.inverseSingle && object && sayable)
			candidates.push({ relation, direction: "inverse", fact, from: object, to: { entity: subject } });
	}
	const said = (move: Move) => `${key(move)} ${move.from.names[language].toLowerCase()}`;
	const bySaid = grouped(candidates, said);
	const all = candidates.filter((move) => bySaid.get(said(move))?.length === 1);
	const into = grouped(all, (move) => ("entity" in move.to ? move.to.entity.id : ""));
	into.delete("");
	const byKey = grouped(all, key);
	const known = new Map<string, Move[][]>();
	return {
		all,
		into,
		byKey,
		suiting(name, suits) {
			const groups = known.get(name) ?? [...byKey.values()].map((group) => group.filter(suits));
			known.set(name, groups);
			return groups.filter((group) => group.length > 0);
		},
	};
}

/** Names a relation and the direction in which it is followed. */
export const key = (move: Pick<Move, "relation" | "direction">) =>
	move.direction === "forward" ? move.relation.id : `${move.relation.id}^-1`;

/** What steers a walk: chance, how often each move was used, and which stored images may start a question. */
export interface Steering {
	random: Seeded;
	/** Relative weight of a move; less for what was used often. */
	weight(move: Move): number;
	mayStart(depiction: Depiction): boolean;
}

/** Moves tried before a walk is given up. */
const patience = 24;

/**
 * An expression of `hops` hops that denotes the entity, built backwards from it to a leaf that is named or pictured
 * (identifying the picture counts as a hop). Undefined when chance led nowhere.
 */
export function walkBackFrom(
	entity: GraphEntity,
	options: { hops: number; head: Leaf["kind"]; moves: Moves; steering: Steering; avoid?: ReadonlySet<string> },
): Expression | undefined {
	const { head, moves, steering } = options;
	const follow = head === "pictured" ? options.hops - 1 : options.hops;
	if (follow < 0) return undefined;
	const used = new Set([...(options.avoid ?? []), entity.id]);
	let left = patience;
	function from(at: GraphEntity, steps: number): Expression | undefined {
		if (steps === 0) return leafOf(at, head, steering);
		let choices = (moves.into.get(at.id) ?? []).filter((move) => !used.has(move.from.id));
		while (choices.length > 0 && left > 0) {
			left -= 1;
			// by relation first: an entity that many others lead to by one relation should be reached by the others too
			const same = grouped(choices, key);
			const move = weighted(choices, steering, (each) => 1 / (same.get(key(each))?.length ?? 1));
			if (!move) return undefined;
			used.add(move.from.id);
			const of = from(move.from, steps - 1);
			if (of) return stepOver(of, move, steering.random);
			used.delete(move.from.id);
			choices = choices.filter((other) => other !== move);
		}
		return undefined;
	}
	return from(entity, follow);
}

export function stepOver(of: Expression, move: Move, random: Seeded): Step {
	const { fact, relation, direction, to } = move;
	return { kind: "step", of, fact, relation, direction, value: to, variant: random.integer(60) };
}

/**
 * One of the moves of several groups: a group by weight, then any of its moves. A relation with few facts is drawn
 * less often, or the same few answers would return.
 */
export function drawn(groups: Move[][], steering: Steering): Move | undefined {
	const firsts = groups.flatMap((group) => group.slice(0, 1));
	const chosen = weighted(firsts, steering, (_, index) => Math.min(1, (groups[index]?.length ?? 0) / manyFacts));
	return steering.random.pick(groups[chosen === undefined ? -1 : firsts.indexOf(chosen)] ?? []);
}

/** A relation with this many facts is drawn as readily as any. */
const manyFacts = 60;

/** One of the moves, by weight. */
function weighted(choices: Move[], steering: Steering, share: (move: Move, index: number) => number): Move | undefined {
	const weights = choices.map((move, index) => steering.weight(move) * share(move, index));
	let left = steering.random.next() * weights.reduce((sum, weight) => sum + weight, 0);
	for (const [index, move] of choices.entries()) {
		left -= weights[index] ?? 0;
		if (left < 0) return move;
	}
	return choices.at(-1);
}

function leafOf(entity: GraphEntity, head: Leaf["kind"], { random, mayStart }: Steering): Leaf | undefined {
	if (head === "named") return { kind: "named", entity };
	const depiction = random.pick(entity.depictions.filter(mayStart));
	return depiction && { kind: "pictured", entity, depiction, variant: random.integer(60) };
}
